# cmake -DFROM=file -DTO=file.cpp -P EmbedText.cmake: the text of FROM as tribo::replay_template(); without FROM an empty one.
set(text "")
if(EXISTS "${FROM}")
  file(READ "${FROM}" text)
endif()
file(WRITE "${TO}" "// Made from viewer/ by cmake/EmbedText.cmake.
#include \"tribo/io/replay_page.hpp\"
namespace tribo {
std::string_view replay_template() {
  static constexpr char kText[] = R\"=tribo=(${text})=tribo=\";
  return {kText, sizeof kText - 1};
}
}  // namespace tribo
")
