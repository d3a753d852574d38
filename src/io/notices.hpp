// Collects what a file asks for and is not done: once per element, with its count.
#pragma once

#include "tribo/io/model_file.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tribo {

class NoticeList {
 public:
  void add(const std::string& element, bool physical, const std::string& meaning, Index count = 1);
  std::vector<Notice> take() const;  // physical ones first, then by element

 private:
  std::map<std::pair<bool, std::string>, Notice> notices_;
};

}  // namespace tribo
