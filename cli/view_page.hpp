// What the server of tribo view answers: the page, the bytes of the recording, and nothing else.
#pragma once

#include "tribo/io/recording_tail.hpp"

#include <cstdint>
#include <string>

#include "http_request.hpp"

namespace tribo {

class ViewPage {
 public:
  ViewPage(std::string page, RecordingTail recording, std::uint16_t port);
  HttpReply operator()(const HttpRequest& request) const;

 private:
  // 0: the request comes from the page itself or from the address line of a browser on this machine.
  int check_origin(const HttpRequest& request, bool is_page) const;
  HttpReply reply_recording(const std::string& query) const;

  std::string page_;
  RecordingTail recording_;
  std::string hosts_[2];  // "127.0.0.1:PORT", "localhost:PORT"
};

}  // namespace tribo
