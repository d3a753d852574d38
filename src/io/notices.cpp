#include "io/notices.hpp"

namespace tribo {

void NoticeList::add(const std::string& element, bool physical, const std::string& meaning, Index count) {
  Notice& notice = notices_.try_emplace({!physical, element}, Notice{element, 0, physical, meaning}).first->second;
  notice.count += count;
}

std::vector<Notice> NoticeList::take() const {
  std::vector<Notice> all;
  for (const auto& entry : notices_) all.push_back(entry.second);
  return all;
}

}  // namespace tribo
