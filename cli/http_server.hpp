// A server for a browser on the same machine: 127.0.0.1 and nothing else, one thread, one request per connection.
#pragma once

#include "tribo/core/expected.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "http_request.hpp"

namespace tribo {

class HttpServer {
 public:
  using Handler = std::function<HttpReply(const HttpRequest&)>;
  using Clock = std::chrono::steady_clock;

  // Port 0: a free one.
  static Expected<HttpServer> listen(std::uint16_t port);
  ~HttpServer();
  HttpServer(HttpServer&& other) noexcept;
  HttpServer& operator=(HttpServer&&) = delete;

  std::uint16_t port() const { return port_; }
  // Answers what has come and waits for more, `longest` at most; a signal ends the wait.
  void serve(const Handler& handler, std::chrono::milliseconds longest);
  std::size_t connections() const { return connections_.size(); }

 private:
  // Reads a head, then writes a reply, then waits for the other side to close.
  struct Connection {
    int socket = -1;
    std::string in, out;
    std::size_t sent = 0;
    bool answered = false, finished = false;  // a reply is there; it is sent as a whole
    Clock::time_point deadline;
  };

  HttpServer(int socket, std::uint16_t port) : socket_(socket), port_(port) {}
  void accept_all();
  void make_room();
  // False: the connection has ended.
  bool receive(Connection& connection, const Handler& handler);
  bool send(Connection& connection);
  void answer(Connection& connection, const Handler& handler);

  int socket_;
  std::uint16_t port_;
  std::vector<Connection> connections_;
};

}  // namespace tribo
