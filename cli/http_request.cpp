#include "http_request.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

bool is_token_character(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

// Printable, no blank; bytes beyond ASCII have no place in a target.
bool is_target(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

std::string_view trim_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

int parse_request_line(std::string_view line, HttpRequest& request) {
  const auto first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return 400;
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method) || !is_target(target) || !version.starts_with("HTTP/")) return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return 505;
  request.method = method;
  request.target = target;
  return 0;
}

int parse_field(std::string_view line, HttpRequest& request) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
  const std::string_view value = trim_blanks(line.substr(colon + 1));
  const bool clean = std::none_of(value.begin(), value.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
  });
  if (!clean) return 400;
  request.fields.emplace_back(small_letters(line.substr(0, colon)), value);
  return 0;
}

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 416:
      return "Range Not Satisfiable";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

}  // namespace

std::vector<std::string> HttpRequest::values(std::string_view name) const {
  std::vector<std::string> found;
  for (const auto& [key, value] : fields) {
    if (key == name) found.push_back(value);
  }
  return found;
}

HeadState parse_http_head(std::string_view bytes, HttpRequest& request, int& status) {
  const auto end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos || end > kMostHeadBytes) {
    if (bytes.size() <= kMostHeadBytes) return HeadState::kIncomplete;
    status = 431;
    return HeadState::kBad;
  }
  std::string_view head = bytes.substr(0, end);
  const auto next_line = [&head] {
    const auto at = head.find(kLineEnd);
    const std::string_view line = head.substr(0, at);
    head.remove_prefix(at == std::string_view::npos ? head.size() : at + kLineEnd.size());
    return line;
  };
  request = {};
  status = parse_request_line(next_line(), request);
  while (status == 0 && !head.empty()) status = parse_field(next_line(), request);
  return status == 0 ? HeadState::kComplete : HeadState::kBad;
}

std::string write_http_reply(const HttpReply& reply, bool with_body) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}\r\n"
      "Content-Length: {}\r\n"
      "Cache-Control: no-store\r\n"
      "Connection: close\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n"
      "{}\r\n",
      reply.status, reason_of(reply.status), reply.type, reply.body.size(), reply.fields);
  if (with_body) text += reply.body;
  return text;
}

HttpReply make_http_refusal(int status) {
  HttpReply reply;
  reply.status = status;
  reply.body = fmt::format("{} {}\n", status, reason_of(status));
  if (status == 405) reply.fields = "Allow: GET, HEAD\r\n";
  return reply;
}

}  // namespace tribo
