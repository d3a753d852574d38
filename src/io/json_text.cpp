#include "io/json_text.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <vector>

namespace tribo {
namespace {

// Depth of nesting, seen without building anything; unbalanced text is left to the parser.
int calc_depth(const std::string& text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
      if (deepest > kMaxJsonDepth) return deepest;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

// Remembers the keys of every open object; a key seen twice means that one of its two values would be lost.
class DuplicateKeys {
 public:
  bool operator()(int, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key && !open_.back().insert(parsed.get<std::string>()).second && found_.empty()) {
      found_ = parsed.get<std::string>();
    }
    return true;
  }
  const std::string& found() const { return found_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string found_;
};

}  // namespace

Expected<nlohmann::json> parse_json_text(const std::string& text) {
  if (text.size() > kMaxJsonBytes) {
    return fail("the JSON text is larger than 512 MiB", "", "write large friction problems as FCLib files");
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
    return fail("the JSON has a zero byte at position " + std::to_string(nul), "",
                "JSON is text; write the file again");
  }
  if (calc_depth(text) > kMaxJsonDepth) {
    return fail("the JSON is nested deeper than " + std::to_string(kMaxJsonDepth) + " levels", "",
                "problem files need four levels");
  }
  try {
    DuplicateKeys duplicates;
    nlohmann::json tree =
        nlohmann::json::parse(text, [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
          return duplicates(depth, event, parsed);
        });
    if (!duplicates.found().empty()) {
      return fail("the key appears twice in one object", duplicates.found(), "keep one of the two");
    }
    return tree;
  } catch (const nlohmann::json::exception& exception) {
    std::string reason = exception.what();  // "[json.exception.parse_error.101] parse error at line 3, ..."
    const std::size_t bracket = reason.find("] ");
    if (bracket != std::string::npos) reason.erase(0, bracket + 2);
    return fail("not valid JSON: " + reason, "", "mend the text at that place");
  } catch (const std::bad_alloc&) {
    return fail("the JSON text does not fit in memory", "", "write large friction problems as FCLib files");
  }
}

}  // namespace tribo
