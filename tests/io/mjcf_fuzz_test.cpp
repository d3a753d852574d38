// Damaged MJCF: robots of our own with bytes flipped, cut out and doubled, through reader and model.
#include "tribo/core/random.hpp"
#include "tribo/io/model_file.hpp"

#include <string>

#include "io/io_testing.hpp"
#include "io/mjcf/mjcf.hpp"
#include "io/model_testing.hpp"
#include "io/xml_file.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Whatever a file has become, the reader ends with a model or with an error that says what and where.
TEST(MjcfFuzz, SurvivesMutatedBytes) {
  Random random(77);
  int loaded = 0, refused = 0;
  for (const char* robot : {"quadruped", "hand3", "hand5", "gripper"}) {
    const std::string path = testing::source_dir() + "/data/robots/" + robot + ".xml";
    const Expected<std::string> whole = read_bytes(path);
    ASSERT_TRUE(whole.has_value()) << path;
    for (int k = 0; k < 250; ++k) {
      const Expected<XmlFile> file = parse_xml(testing::mutated(*whole, random), path);
      if (!file) {
        EXPECT_FALSE(file.error().where.empty());
        ++refused;
        continue;
      }
      Expected<ModelFile> read = read_mjcf(*file);
      if (!read) {
        EXPECT_FALSE(read.error().what.empty() || read.error().where.empty());
        ++refused;
        continue;
      }
      const Expected<Model> model = Model::make(std::move(read->description));
      ++(model ? loaded : refused);
    }
  }
  EXPECT_GT(loaded, 20);  // some mutations only change a number or a comment
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace tribo
