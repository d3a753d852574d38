#include "view_page.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::size_t kMostReplyBytes = std::size_t{4} << 20;

// "from=123"; nothing is the beginning.
std::optional<std::int64_t> parse_from(const std::string& query) {
  if (query.empty()) return 0;
  if (!query.starts_with("from=")) return std::nullopt;
  std::int64_t from = 0;
  const char *begin = query.data() + 5, *end = query.data() + query.size();
  const auto [stopped, error] = std::from_chars(begin, end, from);
  if (begin == end || *begin == '-' || error != std::errc() || stopped != end) return std::nullopt;
  return from;
}

}  // namespace

ViewPage::ViewPage(std::string page, RecordingTail recording, std::uint16_t port)
    : page_(std::move(page)),
      recording_(std::move(recording)),
      hosts_{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)} {}

// A page of another origin cannot be let read what this one serves, and a name that somebody points to 127.0.0.1 is another
// origin for the browser: so the name in the request must be ours, and the origin too where one is given.
int ViewPage::check_origin(const HttpRequest& request, bool is_page) const {
  const auto is_ours = [&](const std::string& host) { return host == hosts_[0] || host == hosts_[1]; };
  const std::vector<std::string> hosts = request.values("host");
  if (hosts.size() != 1) return 400;
  if (!is_ours(hosts[0])) return 403;
  for (const std::string& origin : request.values("origin")) {
    if (!origin.starts_with("http://") || !is_ours(origin.substr(7))) return 403;
  }
  // A link from elsewhere may open the page; only the page itself, or a person, may ask for the bytes.
  for (const std::string& site : request.values("sec-fetch-site")) {
    if (!is_page && site != "same-origin" && site != "none") return 403;
  }
  return 0;
}

HttpReply ViewPage::reply_recording(const std::string& query) const {
  const std::optional<std::int64_t> from = parse_from(query);
  if (!from) return make_http_refusal(400);
  Expected<RecordingTail::Piece> piece = recording_.read(*from, kMostReplyBytes);
  if (!piece) return make_http_refusal(503);  // the file is gone; it may come back
  if (*from > piece->size) return make_http_refusal(416);
  HttpReply reply;
  reply.type = "application/octet-stream";
  reply.fields = fmt::format("X-Tribo-Done: {}\r\n", piece->done ? 1 : 0);
  reply.body = std::move(piece->bytes);
  return reply;
}

HttpReply ViewPage::operator()(const HttpRequest& request) const {
  const auto mark = request.target.find('?');
  const std::string path = request.target.substr(0, mark);
  const bool is_page = path == "/";
  if (const int refused = check_origin(request, is_page); refused != 0) return make_http_refusal(refused);
  if (!is_page && path != "/recording") return make_http_refusal(404);
  if (request.method != "GET" && request.method != "HEAD") return make_http_refusal(405);
  if (!is_page) return reply_recording(mark == std::string::npos ? "" : request.target.substr(mark + 1));
  HttpReply reply;
  reply.type = "text/html; charset=utf-8";
  reply.body = page_;
  return reply;
}

}  // namespace tribo
