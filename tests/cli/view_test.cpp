// tribo view: a server for one page and one file, on this machine only.
#include "tribo/io/recording.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "tool.hpp"
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tribo::testing {
namespace {

namespace fs = std::filesystem;

const std::string kPage = "<html>@TRIBO_RECORDING@</html>";

std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Answer {
  int status = 0;
  std::string head, body;
};

// A socket to a port of 127.0.0.1 that gives up after eight seconds.
class Line {
 public:
  explicit Line(int port, const char* address = "127.0.0.1") : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{8, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address, &to.sin_addr);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Line() { ::close(socket_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  bool connected() const { return connected_; }
  void send(const std::string& text) const { (void)::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  // Everything until the other side closes; nothing on a time-out.
  Answer receive() const {
    std::string all;
    char bytes[4096];
    for (ssize_t got; (got = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;)
      all.append(bytes, static_cast<std::size_t>(got));
    Answer answer;
    const auto end = all.find("\r\n\r\n");
    if (end == std::string::npos || std::sscanf(all.c_str(), "HTTP/1.1 %d ", &answer.status) != 1) return answer;
    answer.head = all.substr(0, end + 2);
    answer.body = all.substr(end + 4);
    return answer;
  }

 private:
  int socket_;
  bool connected_ = false;
};

// The tool, serving in the background until the test ends.
class Server {
 public:
  explicit Server(const std::string& recording, const std::string& viewer = write_file("view.html", kPage)) {
    int ends[2];
    if (::pipe(ends) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::setenv("TRIBO_VIEWER", viewer.c_str(), 1);
      ::execl(TRIBO_TOOL, TRIBO_TOOL, "view", recording.c_str(), "--seconds", "60", nullptr);
      ::_exit(97);
    }
    ::close(ends[1]);
    std::string line;
    for (char c; line.find('\n') == std::string::npos && ::read(ends[0], &c, 1) == 1;) line.push_back(c);
    ::close(ends[0]);
    std::sscanf(line.c_str(), "http://127.0.0.1:%d/", &port_);
  }
  ~Server() { stop(SIGKILL); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

  // The exit status; -1: ended by the signal.
  int stop(int signal) {
    if (child_ <= 0) return -1;
    ::kill(child_, signal);
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  Answer ask(const std::string& request) const {
    const Line line(port_);
    line.send(request);
    return line.receive();
  }
  Answer get(const std::string& target, const std::string& fields = "") const {
    return ask("GET " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + fields + "\r\n");
  }

 private:
  pid_t child_ = -1;
  int port_ = 0;
};

std::string viewed_recording() {
  static const std::string path = [] {
    std::string made = temporary_folder() + "/viewed.tribo";
    EXPECT_EQ(run_tool({"run", "incline", "--duration", "0.05", "--record", made, "--force"}).code, 0);
    return made;
  }();
  return path;
}

// The page as it is, and the bytes of the file from any place on.
TEST(View, ServesThePageAndTheRecording) {
  const Server server(viewed_recording());
  ASSERT_GT(server.port(), 0);
  const Answer page = server.get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, kPage);
  EXPECT_NE(page.head.find("Content-Type: text/html; charset=utf-8\r\n"), std::string::npos) << page.head;
  EXPECT_EQ(server.get("/?live").status, 200);

  const std::string bytes = bytes_in(viewed_recording());
  const Answer all = server.get("/recording?from=0", "Origin: http://" + server.host() + "\r\n");
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.body, bytes);
  for (const char* field :
       {"X-Tribo-Done: 1\r\n", "Cache-Control: no-store\r\n", "X-Content-Type-Options: nosniff\r\n",
        "Content-Type: application/octet-stream\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n"}) {
    EXPECT_NE(all.head.find(field), std::string::npos) << field << all.head;
  }
  EXPECT_EQ(all.head.find("Access-Control"), std::string::npos) << all.head;
  EXPECT_EQ(server.get("/recording?from=100").body, bytes.substr(100));
  EXPECT_EQ(server.get("/recording?from=" + std::to_string(bytes.size())).body, "");
  EXPECT_EQ(server.get("/recording?from=" + std::to_string(bytes.size())).status, 200);
  EXPECT_EQ(server.get("/recording?from=" + std::to_string(bytes.size() + 1)).status, 416);
  EXPECT_EQ(server.get("/recording?from=9223372036854775807").status, 416);
}

// A recording that is being written grows under the eyes of the page, and ends when its writer does.
TEST(View, FollowsARecordingThatGrows) {
  const std::string path = temporary_folder() + "/growing.tribo";
  RecordingHeader header;
  header.bodies.resize(1);
  auto writer = RecordingWriter::create(path, header, {.overwrite = true}).value();
  const Server server(path);
  std::string seen = server.get("/recording?from=0").body;
  RecordedFrame frame;
  frame.poses.resize(1);
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(writer.write(frame));
    const Answer more = server.get("/recording?from=" + std::to_string(seen.size()));
    EXPECT_FALSE(more.body.empty());
    EXPECT_NE(more.head.find("X-Tribo-Done: 0\r\n"), std::string::npos) << more.head;
    seen += more.body;
    EXPECT_EQ(server.get("/recording?from=" + std::to_string(seen.size())).body, "");
  }
  ASSERT_TRUE(writer.close());
  const Answer last = server.get("/recording?from=" + std::to_string(seen.size()));
  EXPECT_NE(last.head.find("X-Tribo-Done: 1\r\n"), std::string::npos) << last.head;
  EXPECT_EQ(seen + last.body, bytes_in(path));
}

// There are two addresses; no other text leads to a file.
TEST(View, RefusesEveryOtherPath) {
  const Server server(viewed_recording());
  for (const char* target :
       {"/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/recording/../../etc/passwd",
        "/etc/passwd", "//etc/passwd", "/./", "/recording/", "/recording%3ffrom=0", "/Recording", "/index.html",
        "/favicon.ico", "/%2e", "http://127.0.0.1/", "*", "..", "/\\..\\", "/recording;from=0"}) {
    const Answer answer = server.get(target);
    EXPECT_EQ(answer.status, 404) << target;
    EXPECT_EQ(answer.body.find("root:"), std::string::npos) << target;
  }
  for (const char* query : {"from=", "from=-1", "from=1e3", "from=0x10", "from=99999999999999999999", "from=0&x=1",
                            "to=1", "from= 1", "from=/etc/passwd", "x"}) {
    EXPECT_EQ(server.get(std::string("/recording?") + query).status, 400) << query;
  }
}

// A page of somebody else, also one whose name was pointed to this machine, gets nothing.
TEST(View, RefusesForeignHostsAndOrigins) {
  const Server server(viewed_recording());
  const std::string port = std::to_string(server.port());
  const auto with_host = [&](const std::string& host) {
    return server.ask("GET /recording?from=0 HTTP/1.1\r\n" + host + "\r\n").status;
  };
  EXPECT_EQ(with_host("Host: 127.0.0.1:" + port + "\r\n"), 200);
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\n"), 200);
  for (const std::string& host :
       {"evil.example:" + port, std::string("127.0.0.1"), "127.0.0.1.evil.example:" + port, std::string("localhost:1"),
        "0.0.0.0:" + port, std::string(""), "user@127.0.0.1:" + port}) {
    EXPECT_EQ(with_host("Host: " + host + "\r\n"), 403) << host;
  }
  EXPECT_EQ(with_host(""), 400);
  EXPECT_EQ(with_host("Host: 127.0.0.1:" + port + "\r\nHost: 127.0.0.1:" + port + "\r\n"), 400);

  const std::string own = "http://127.0.0.1:" + port;
  EXPECT_EQ(server.get("/recording", "Origin: " + own + "\r\n").status, 200);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), std::string("http://127.0.0.1:1"),
        "https://127.0.0.1:" + port, own + ".evil.example", std::string("")}) {
    EXPECT_EQ(server.get("/recording", "Origin: " + origin + "\r\n").status, 403) << origin;
    EXPECT_EQ(server.get("/", "Origin: " + origin + "\r\n").status, 403) << origin;
  }
  EXPECT_EQ(server.get("/recording", "Origin: " + own + "\r\nOrigin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(server.get("/recording", "Sec-Fetch-Site: cross-site\r\n").status, 403);
  EXPECT_EQ(server.get("/recording", "Sec-Fetch-Site: same-site\r\n").status, 403);
  EXPECT_EQ(server.get("/recording", "Sec-Fetch-Site: same-origin\r\n").status, 200);
  EXPECT_EQ(server.get("/", "Sec-Fetch-Site: cross-site\r\n").status, 200);  // a link leads to the page
}

// Nothing can be changed through the server: only reading has a meaning.
TEST(View, RefusesOtherMethods) {
  const Server server(viewed_recording());
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "PATCH"}) {
    const Answer answer = server.ask(std::string(method) + " / HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\nbody");
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_NE(answer.head.find("Allow: GET, HEAD\r\n"), std::string::npos) << answer.head;
  }
  const Answer head = server.ask("HEAD / HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

// What is no request, or too long for one, is answered and ended; the server goes on.
TEST(View, SurvivesBadRequests) {
  const Server server(viewed_recording());
  const std::string host = "Host: " + server.host() + "\r\n";
  EXPECT_EQ(server.ask("\r\n\r\n").status, 400);
  EXPECT_EQ(server.ask("GET /\r\n\r\n").status, 400);
  EXPECT_EQ(server.ask("GET / HTTP/2.0\r\n" + host + "\r\n").status, 505);
  EXPECT_EQ(server.ask("GET / HTTP/1.1\r\n" + host + "no colon\r\n\r\n").status, 400);
  EXPECT_EQ(server.ask("GET / HTTP/1.1\r\n" + host + "Name : x\r\n\r\n").status, 400);
  EXPECT_EQ(server.ask("GET /\x01 HTTP/1.1\r\n" + host + "\r\n").status, 400);
  EXPECT_EQ(server.ask(std::string("GET / HTTP/1.1\r\nX: \0\r\n", 23) + host + "\r\n").status, 400);
  EXPECT_EQ(server.ask("GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n" + host + "\r\n").status, 431);
  EXPECT_EQ(server.ask("GET / HTTP/1.1\r\n" + host + "X: " + std::string(9000, 'a') + "\r\n\r\n").status, 431);
  EXPECT_EQ(server.get("/").status, 200);
}

// Connections that say nothing are held by many programs; they must not keep the page from those who ask.
TEST(View, IdleConnectionsDoNotBlock) {
  const Server server(viewed_recording());
  std::vector<std::unique_ptr<Line>> idle;
  for (int k = 0; k < 100; ++k) {
    idle.push_back(std::make_unique<Line>(server.port()));
    if (k % 2 == 0) idle.back()->send("GET / HT");
  }
  EXPECT_EQ(server.get("/").status, 200);
  // Whoever says nothing is shown the door: a closed line reads as no answer, well before our own patience ends.
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(idle.back()->receive().status, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(7));
}

// A browser that reads slowly gets all of a large file, piece by piece.
TEST(View, LongRecordingsComeInPieces) {
  const std::string path = temporary_folder() + "/long.tribo";
  std::string bytes = bytes_in(viewed_recording());
  bytes.resize(9u << 20, 'x');
  std::ofstream(path, std::ios::binary) << bytes;
  const Server server(path);
  std::string seen;
  for (int k = 0; k < 10; ++k) seen += server.get("/recording?from=" + std::to_string(seen.size())).body;
  EXPECT_TRUE(seen == bytes);
}

// Other machines cannot ask: nobody listens on any address but 127.0.0.1.
TEST(View, ListensOnLoopbackOnly) {
  const Server server(viewed_recording());
  EXPECT_TRUE(Line(server.port()).connected());
  EXPECT_FALSE(Line(server.port(), "127.0.0.2").connected());
  std::ifstream table("/proc/net/tcp");
  int listening = 0;
  for (std::string line; std::getline(table, line);) {
    unsigned slot = 0, address = 0, port = 0, remote = 0, remote_port = 0, state = 0;
    if (std::sscanf(line.c_str(), " %u: %x:%x %x:%x %x", &slot, &address, &port, &remote, &remote_port, &state) != 6)
      continue;
    if (static_cast<int>(port) != server.port() || state != 0x0A) continue;
    ++listening;
    EXPECT_EQ(address, htonl(INADDR_LOOPBACK));
  }
  EXPECT_EQ(listening, 1);
  for (const char* option : {"--host", "--bind", "--address"})
    EXPECT_EQ(run_tool({"view", viewed_recording(), option, "0.0.0.0"}).code, 2) << option;
}

// Ctrl-C is how it is ended; that is no failure.
TEST(View, EndsCleanly) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Server server(viewed_recording());
    EXPECT_EQ(server.get("/").status, 200);
    EXPECT_EQ(server.stop(signal), 0);
  }
  const ToolRun run = run_script("TRIBO_VIEWER=" + write_file("view.html", kPage) + " tribo view " +
                                 viewed_recording() + " --seconds 0.2");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("http://127.0.0.1:")) << run.out;
  EXPECT_EQ(run.err, "");
}

// What cannot be served is told in one line, before anything is.
TEST(View, BadInputIsRefused) {
  const Server server(viewed_recording());
  const std::string taken = std::to_string(server.port());
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"no_such.tribo"}, "no such file"},
      {{"README.md"}, "is not a recording of Tribo"},
      {{"docs"}, "is a folder"},
      {{""}, "empty"},
      {{viewed_recording(), "--port", "70000"}, "--port"},
      {{viewed_recording(), "--port", "-1"}, "--port"},
      {{viewed_recording(), "--port", "http"}, "--port"},
      {{viewed_recording(), "--port", taken}, "cannot be served"},
      {{viewed_recording(), "--seconds", "soon"}, "--seconds"},
      {{viewed_recording(), "--seconds", "nan"}, "--seconds"},
      {{}, "RECORDING"}};
  for (const auto& [words, message] : cases) {
    std::string script = "TRIBO_VIEWER=" + write_file("view.html", kPage) + " tribo view";
    for (const std::string& word : words) script += " '" + word + "'";
    const ToolRun run = run_script(script);
    EXPECT_EQ(run.code, 2) << script;
    EXPECT_EQ(run.out, "") << script;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
}

}  // namespace
}  // namespace tribo::testing
