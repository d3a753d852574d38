#include "http_server.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tribo {
namespace {

constexpr std::size_t kMostConnections = 64;
constexpr std::chrono::seconds kHeadTime(5), kSendTime(30), kCloseTime(1);

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Expected<HttpServer> HttpServer::listen(std::uint16_t port) {
  const std::string where = port == 0 ? "127.0.0.1" : "127.0.0.1:" + std::to_string(port);
  const auto refuse = [&](int socket) {
    const std::string what = std::string("cannot be served on: ") + std::strerror(errno);
    if (socket >= 0) ::close(socket);
    return fail(what, where, "give another --port, or leave it out for a free one");
  };
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return refuse(socket);
  const int yes = 1;  // a port of a program that has just ended can be used at once
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(socket, 64) != 0 ||
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return refuse(socket);
  }
  return HttpServer(socket, ntohs(address.sin_port));
}

HttpServer::HttpServer(HttpServer&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), port_(other.port_), connections_(std::move(other.connections_)) {
  other.connections_.clear();
}

HttpServer::~HttpServer() {
  for (const Connection& connection : connections_) ::close(connection.socket);
  if (socket_ >= 0) ::close(socket_);
}

// Browsers open connections in advance, and others may hold some on purpose: who has waited longest without asking goes.
void HttpServer::make_room() {
  if (connections_.size() < kMostConnections) return;
  const auto idle = [](const Connection& connection) { return !connection.answered || connection.finished; };
  auto oldest = std::find_if(connections_.begin(), connections_.end(), idle);
  if (oldest == connections_.end()) oldest = connections_.begin();
  ::close(oldest->socket);
  connections_.erase(oldest);
}

void HttpServer::accept_all() {
  for (;;) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    make_room();
    Connection connection;
    connection.socket = socket;
    connection.deadline = Clock::now() + kHeadTime;
    connections_.push_back(std::move(connection));
  }
}

void HttpServer::answer(Connection& connection, const Handler& handler) {
  HttpRequest request;
  int status = 0;
  const HeadState state = parse_http_head(connection.in, request, status);
  if (state == HeadState::kIncomplete) return;
  const HttpReply reply = state == HeadState::kComplete ? handler(request) : make_http_refusal(status);
  connection.out = write_http_reply(reply, request.method != "HEAD");
  connection.in.clear();
  connection.answered = true;
  connection.deadline = Clock::now() + kSendTime;
}

bool HttpServer::receive(Connection& connection, const Handler& handler) {
  char bytes[4096];
  const ssize_t got = ::recv(connection.socket, bytes, sizeof bytes, 0);
  if (got < 0) return would_block();
  if (got == 0) return false;
  if (connection.answered) return true;  // what follows the head is not looked at
  connection.in.append(bytes, static_cast<std::size_t>(got));
  answer(connection, handler);
  return true;
}

bool HttpServer::send(Connection& connection) {
  const ssize_t put = ::send(connection.socket, connection.out.data() + connection.sent,
                             connection.out.size() - connection.sent, MSG_NOSIGNAL);
  if (put < 0) return would_block();
  connection.sent += static_cast<std::size_t>(put);
  if (put > 0) connection.deadline = Clock::now() + kSendTime;
  if (connection.sent < connection.out.size()) return true;
  // Closing at once while bytes are still coming in would take the reply away from the other side.
  connection.finished = true;
  connection.out = {};
  connection.deadline = Clock::now() + kCloseTime;
  return ::shutdown(connection.socket, SHUT_WR) == 0;
}

void HttpServer::serve(const Handler& handler, std::chrono::milliseconds longest) {
  std::vector<pollfd> waits = {{socket_, POLLIN, 0}};
  for (const Connection& connection : connections_) {
    const bool sending = connection.answered && !connection.finished;
    waits.push_back({connection.socket, static_cast<short>(sending ? POLLOUT : POLLIN), 0});
  }
  if (::poll(waits.data(), waits.size(), static_cast<int>(longest.count())) < 0) return;
  const Clock::time_point now = Clock::now();
  std::vector<Connection> kept;
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    Connection& connection = connections_[i];
    const short seen = waits[i + 1].revents;
    bool alive = now < connection.deadline;
    if (alive && (seen & POLLIN) != 0) alive = receive(connection, handler);
    if (alive && connection.answered && !connection.finished) alive = send(connection);
    if (alive && (seen & (POLLERR | POLLNVAL)) != 0) alive = false;
    if (alive && (seen & POLLHUP) != 0 && (seen & POLLIN) == 0) alive = false;
    if (alive) {
      kept.push_back(std::move(connection));
    } else {
      ::close(connection.socket);
    }
  }
  connections_ = std::move(kept);
  accept_all();
}

}  // namespace tribo
