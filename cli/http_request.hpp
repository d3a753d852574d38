// The head of an HTTP/1.1 request, as strict as a server for one page can be.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tribo {

inline constexpr std::size_t kMostHeadBytes = 8192;

struct HttpRequest {
  std::string method, target;
  std::vector<std::pair<std::string, std::string>> fields;  // names in small letters

  // Values of all fields with this name.
  std::vector<std::string> values(std::string_view name) const;
};

struct HttpReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string fields;  // more lines of the head, each with its line end
  std::string body;
};

enum class HeadState { kIncomplete, kComplete, kBad };

// Reads the head from what came so far. kBad: `status` is what to answer (400, 431, 505).
HeadState parse_http_head(std::string_view bytes, HttpRequest& request, int& status);

// A reply as it goes over the line; `with_body` false: the answer to HEAD.
std::string write_http_reply(const HttpReply& reply, bool with_body);

// A refusal in one line of text.
HttpReply make_http_refusal(int status);

}  // namespace tribo
