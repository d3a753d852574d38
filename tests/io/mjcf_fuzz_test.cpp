// Damaged MJCF: robots of our own with bytes flipped, cut out and doubled, through reader and model.
#include "tribo/core/random.hpp"
#include "tribo/io/model_file.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <cmath>
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

// A body on strings, with muscles and sensors of all kinds: what refers to one another in many ways.
constexpr const char* kStrung = R"(<mujoco><worldbody><site name="o" pos="0 0 1"/><site name="p" pos="1 0 0"/>
<body name="a"><joint name="j" range="-1 1"/><geom name="ball" size=".1" mass="1"/><site name="s" pos=".3 0 0" type="box" size="1 1 1"/>
<body name="b" pos=".5 0 0"><joint name="k" type="slide" range="-1 1"/><geom name="drum" type="cylinder" size=".1 .2" mass="1"/>
<site name="t" pos="0 .3 0"/></body></body></worldbody>
<tendon><spatial name="u" springlength=".2"><site site="o"/><geom geom="ball" sidesite="p"/><site site="s"/><pulley divisor="2"/>
<site site="s"/><geom geom="drum"/><site site="t"/></spatial><fixed name="f"><joint joint="j" coef="2"/></fixed></tendon>
<actuator><muscle name="m" tendon="u"/><muscle joint="j" force="3" lengthrange="0 1"/><general joint="k" dyntype="filter" dynprm=".1"/></actuator>
<sensor><touch site="s"/><gyro site="t"/><force site="s"/><framepos objtype="body" objname="a" reftype="site" refname="t"/>
<tendonpos tendon="u"/><actuatorfrc actuator="m"/><subtreecom body="a"/><jointpos joint="k" cutoff="1"/></sensor>
<keyframe><key qpos="0 0" act="0 1 0"/></keyframe></mujoco>)";

TEST(MjcfFuzz, SurvivesMutatedStringsAndSensors) {
  Random random(78);
  int loaded = 0, refused = 0;
  for (int k = 0; k < 10000; ++k) {
    const Expected<XmlFile> file = parse_xml(k == 0 ? kStrung : testing::mutated(kStrung, random), "strung.xml");
    Expected<ModelFile> read = file ? read_mjcf(*file) : Expected<ModelFile>(Unexpected<Error>{file.error()});
    if (!read) {
      EXPECT_FALSE(read.error().what.empty() || read.error().where.empty());
      ++refused;
      continue;
    }
    const Expected<Model> model = Model::make(std::move(read->description));
    ++(model ? loaded : refused);
    if (!model) continue;
    Data data(*model);
    calc_dynamics(*model, make_state(*model), data);
    for (const TendonLength& tendon : data.tendons) EXPECT_TRUE(std::isfinite(tendon.length));
    if (k == 0) {
      EXPECT_EQ(model->sensor_size(), 1 + 3 + 3 + 3 + 1 + 1 + 3 + 1);
    }
  }
  EXPECT_GT(loaded, 100);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace tribo
