#include <cmath>

#include "io/mjcf_testing.hpp"

namespace tribo {
namespace {

using testing::find_notice;
using testing::model_of;
using testing::parse_mjcf;
using testing::refusal;
using testing::world;

const std::string kArm = world(
    "<body name='a' pos='1 0 0'><joint name='j' range='-1 3' springref='2'/><geom name='ga' size='1'/><body name='b' "
    "pos='0 2 0' euler='0 0 90'>"
    "<joint name='k' type='slide'/><geom name='gb' size='1' friction='2'/><site name='s' pos='0 0 1'/></body></body>");
const std::string kRadian = "<compiler angle='radian'/>";

// Loops and welds that say nothing else hold at the reference configuration.
TEST(MjcfEquality, HoldsAtTheReference) {
  const ModelDescription model =
      model_of(kArm +
               "<equality><connect body1='a' body2='b' anchor='0 0 1'/><weld body1='b' anchor='1 0 0'/>"
               "<weld body1='a' body2='b' relpose='1 2 3 2 0 0 0' active='false'/>"
               "<joint joint1='j' joint2='k' polycoef='0 2'/><joint joint1='j'/></equality>");
  ASSERT_EQ(model.equalities.size(), 5u);
  EXPECT_LT((model.equalities[0].frame_b.p - Vector3d(-2.0, 0.0, 1.0)).norm(), 1e-15);
  const Equality& weld = model.equalities[1];
  EXPECT_EQ(weld.b, 0);
  EXPECT_EQ(weld.frame_b.p, Vector3d::UnitX());
  EXPECT_LT((weld.frame_a.p - Vector3d(-2.0, 0.0, 0.0)).norm(), 1e-15);  // b stands at (1, 2, 0), turned by 90°
  EXPECT_EQ(model.equalities[2].frame_a.p, Vector3d(1.0, 2.0, 3.0));
  EXPECT_FALSE(model.equalities[2].active);
  EXPECT_EQ(model.equalities[3].polynomial, (std::array<double, 5>{0.0, 2.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(model.equalities[4].b, -1);
}

// References to nothing name the reference and the nearest name.
TEST(MjcfEquality, NamesUnknownReferences) {
  EXPECT_NE(refusal(kArm + "<equality><connect body1='aa' anchor='0 0 0'/></equality>").find("there is no body 'aa'"),
            std::string::npos);
  EXPECT_NE(refusal(world("<body><joint name='elbow'/><geom size='1'/></body>") +
                    "<actuator><motor joint='elbw'/></actuator>")
                .find("did you mean 'elbow'?"),
            std::string::npos);
  EXPECT_NE(refusal(kArm + "<equality><weld body1='a' body2='a'/></equality>").find("itself"), std::string::npos);
}

// A fixed tendon is a sum of joints; without a rest length it rests where the joints' springs do.
TEST(MjcfTendon, AddsJoints) {
  const ModelDescription model = model_of(
      kRadian + kArm +
      "<tendon><fixed name='t' range='0 1' stiffness='3'><joint joint='j' coef='2'/><joint joint='k' coef='-1'/>"
      "</fixed><fixed springlength='.5'><joint joint='k' coef='1'/></fixed></tendon>");
  ASSERT_EQ(model.tendons.size(), 2u);
  EXPECT_EQ(model.tendons[0].terms[1].coefficient, -1.0);
  EXPECT_TRUE(model.tendons[0].limited);
  EXPECT_EQ(model.tendons[0].spring_lower, 4.0);
  EXPECT_EQ(model.tendons[1].spring_upper, 0.5);
}

// The path of a spatial tendon: sites, what it goes round and on which side, pulleys.
TEST(MjcfTendon, ReadsPaths) {
  const ModelDescription model = model_of(
      kArm + world("<site name='o'/><site name='p'/>") +
      "<tendon><spatial name='t' stiffness='2' springlength='.5'><site site='s'/><geom geom='gb' sidesite='o'/>"
      "<site site='o'/><pulley divisor='2'/><site site='o'/><site site='p'/></spatial>"
      "<spatial><site site='s'/><site site='o'/></spatial></tendon><actuator><motor tendon='t'/></actuator>");
  ASSERT_EQ(model.tendons.size(), 2u);
  const std::vector<Tendon::PathPoint>& path = model.tendons[0].path;
  ASSERT_EQ(path.size(), 6u);
  EXPECT_EQ(path[1].type, PathPointType::kSphere);
  EXPECT_EQ(model.geoms[static_cast<std::size_t>(path[1].index)].name, "gb");
  EXPECT_EQ(model.sites[static_cast<std::size_t>(path[1].side_site)].name, "o");
  EXPECT_EQ(path[3].type, PathPointType::kPulley);
  EXPECT_EQ(path[3].divisor, 2.0);
  EXPECT_EQ(model.tendons[0].spring_upper, 0.5);
  EXPECT_FALSE(model.tendons[0].rests_with_joints);
  EXPECT_TRUE(model.tendons[1].rests_with_joints);
  EXPECT_EQ(model.actuators[0].gain[0], 1.0);
}

// Paths that lead nowhere are refused where they go wrong.
TEST(MjcfTendon, RefusesBrokenPaths) {
  const auto refuse = [](const std::string& path) {
    return refusal(kArm + world("<geom name='box' type='box' size='1 1 1'/><site name='o'/>") + "<tendon><spatial>" +
                   path + "</spatial></tendon>");
  };
  EXPECT_NE(refuse("<site site='s'/>").find("one site alone"), std::string::npos);
  EXPECT_NE(refuse("").find("no path"), std::string::npos);
  EXPECT_NE(refuse("<site site='s'/><geom geom='ga'/>").find("not between two sites"), std::string::npos);
  EXPECT_NE(refuse("<site site='s'/><geom geom='box'/><site site='o'/>").find("is a box"), std::string::npos);
  EXPECT_NE(refuse("<site site='s'/><site site='o'/><pulley divisor='2'/>").find("no branch follows"),
            std::string::npos);
  EXPECT_NE(refuse("<site site='s'/><site site='o'/><pulley divisor='-2'/><site site='s'/><site site='o'/>")
                .find("not positive"),
            std::string::npos);
  EXPECT_NE(refuse("<site site='t'/><site site='o'/>").find("there is no site 't'"), std::string::npos);
}

// The short forms are servos with these gains and biases; classes give what the element does not.
TEST(MjcfActuator, ReducesShortForms) {
  const ModelDescription model = model_of(
      kRadian + "<default><motor ctrlrange='-1 1'/><default class='p'><position kp='20' kv='2'/></default></default>" +
      kArm +
      "<actuator><motor joint='j' gear='5'/><position class='p' joint='j'/><position joint='j' kp='5' dampratio='1'/>"
      "<velocity joint='k' kv='3' ctrlrange='-2 2' forcerange='-9 9'/><damper joint='k' kv='2' ctrlrange='0 1'/>"
      "<general joint='j' gainprm='4' biastype='affine' biasprm='1 -4 -.5'/></actuator>");
  const std::vector<Actuator>& a = model.actuators;
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0].gear[0], 5.0);
  EXPECT_TRUE(a[0].control_limited);
  EXPECT_FALSE(a[0].force_limited);
  EXPECT_EQ(a[1].gain[0], 20.0);
  EXPECT_EQ(a[1].bias, (std::array<double, 3>{0.0, -20.0, -2.0}));
  EXPECT_EQ(a[2].damping_ratio, 1.0);
  EXPECT_EQ(a[2].bias, (std::array<double, 3>{0.0, -5.0, 0.0}));
  EXPECT_EQ(a[3].bias, (std::array<double, 3>{0.0, 0.0, -3.0}));
  EXPECT_EQ(a[3].force_upper, 9.0);
  EXPECT_EQ(a[4].gain, (std::array<double, 3>{0.0, 0.0, -2.0}));
  EXPECT_EQ(a[5].bias, (std::array<double, 3>{1.0, -4.0, -0.5}));
}

// What all actuators of a joint give together may have a range, where the file switches it on or leaves that open.
TEST(MjcfActuator, ReadsRangesOfJoints) {
  const ModelDescription model = model_of(world(
      "<body><joint actuatorfrcrange='-2 3'/><joint type='slide' actuatorfrcrange='-2 3' actuatorfrclimited='false'/>"
      "<geom size='1'/></body>"));
  EXPECT_TRUE(model.joints[0].actuation_limited);
  EXPECT_EQ(model.joints[0].actuation_lower, -2.0);
  EXPECT_EQ(model.joints[0].actuation_upper, 3.0);
  EXPECT_FALSE(model.joints[1].actuation_limited);
  EXPECT_NE(refusal(world("<body><joint actuatorfrcrange='3 -2'/><geom size='1'/></body>")).find("not below"),
            std::string::npos);
}

// A servo may take its range of controls from the joint.
TEST(MjcfActuator, InheritsTheRangeOfTheJoint) {
  const ModelDescription model =
      model_of(kRadian + kArm + "<actuator><position joint='j' inheritrange='.5'/></actuator>");
  EXPECT_TRUE(model.actuators[0].control_limited);
  EXPECT_DOUBLE_EQ(model.actuators[0].control_lower, 0.0);
  EXPECT_DOUBLE_EQ(model.actuators[0].control_upper, 2.0);
}

// Actuators of kinds that we do not know have no force here, and the file's reader is told.
TEST(MjcfActuator, NotesWhatHasNoForce) {
  const Expected<ModelFile> file =
      parse_mjcf(kArm + "<actuator><adhesion body='a'/><adhesion body='b'/><dcmotor joint='j'/></actuator>");
  ASSERT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->description.actuators.size(), 3u);
  ASSERT_NE(find_notice(*file, "actuator/adhesion"), nullptr);
  EXPECT_EQ(find_notice(*file, "actuator/adhesion")->count, 2);
  for (const char* element : {"actuator/adhesion", "actuator/dcmotor"}) {
    ASSERT_NE(find_notice(*file, element), nullptr) << element;
    EXPECT_TRUE(find_notice(*file, element)->physical) << element;
  }
}

// Activations: the short forms have their dynamics, general ones those that they name; keyframes give as many as there are.
TEST(MjcfActuator, ReadsActivations) {
  const ModelDescription model =
      model_of(kRadian + "<default><muscle lmax='1.8' scale='100'/></default>" + kArm +
               "<actuator><motor joint='j'/><muscle joint='j' timeconst='.02 .05' lengthrange='.1 .4'/>"
               "<intvelocity joint='j' kp='3' actrange='-1 2'/><position joint='j' timeconst='.1'/>"
               "<general joint='j' dyntype='muscle' gaintype='muscle' biastype='muscle' dynprm='.03 .04'"
               " gainprm='.6 1.1 50 1 .4 1.7 2 1.1 1.3'/><general joint='k' dyntype='filter' dynprm='.2'/></actuator>"
               "<keyframe><key act='1 2 3 4 5'/></keyframe>");
  const std::vector<Actuator>& a = model.actuators;
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0].dynamics, ActuatorDynamics::kNone);
  ASSERT_TRUE(a[1].muscle);
  EXPECT_EQ(a[1].dynamics, ActuatorDynamics::kMuscle);
  EXPECT_EQ(a[1].muscle->rise_time, 0.02);
  EXPECT_EQ(a[1].muscle->lmax, 1.8);
  EXPECT_EQ(a[1].muscle->scale, 100.0);
  EXPECT_EQ(a[1].muscle->fvmax, 1.2);
  EXPECT_EQ(a[1].muscle->length_upper, 0.4);
  EXPECT_EQ(a[2].dynamics, ActuatorDynamics::kIntegrator);
  EXPECT_TRUE(a[2].activation_limited);
  EXPECT_EQ(a[2].activation_upper, 2.0);
  EXPECT_EQ(a[3].dynamics, ActuatorDynamics::kFilter);
  EXPECT_EQ(a[3].time_constant, 0.1);
  ASSERT_TRUE(a[4].muscle);
  EXPECT_EQ(a[4].muscle->force, 50.0);
  EXPECT_EQ(a[4].muscle->fpmax, 1.1);
  EXPECT_EQ(a[5].time_constant, 0.2);
  ASSERT_EQ(model.keyframes.size(), 1u);
  EXPECT_EQ(model.keyframes[0].activation, (VectorXd(6) << 0.0, 1.0, 2.0, 3.0, 4.0, 5.0).finished());
  EXPECT_NE(refusal(kArm + "<actuator><muscle joint='j'/></actuator><keyframe><key act='1 2'/></keyframe>")
                .find("has 2 numbers; give 1"),
            std::string::npos);
}

// A pair takes from its geoms what it does not say; excluded bodies are listed.
TEST(MjcfContact, ReadsPairsAndExcludes) {
  const ModelDescription model =
      model_of(kArm + "<contact><pair geom1='ga' geom2='gb' margin='.1'/><exclude body1='a' body2='world'/></contact>");
  EXPECT_EQ(model.pairs[0].friction[0], 2.0);
  EXPECT_EQ(model.pairs[0].margin, 0.1);
  EXPECT_EQ(model.excludes[0], (std::array<Index, 2>{1, 0}));
}

// What a contact of the file does and ours does not is said: friction with a direction, springs, a gap beyond the margin.
TEST(MjcfContact, NotesWhatIsNotDone) {
  const Expected<ModelFile> file = parse_mjcf(
      kArm +
      "<contact><pair geom1='ga' geom2='gb' friction='.5 .1' margin='.01' gap='.002' solref='-100 -1'/></contact>"
      "<worldbody><geom size='1' margin='.001' solref='-100 -1'/><geom size='1' margin='.001' gap='.002'/>"
      "<geom size='1' contype='0' conaffinity='0' margin='.1'/></worldbody>");
  ASSERT_TRUE(file.has_value()) << file.error().text();
  for (const char* element : {"pair@friction", "pair@solref", "geom@gap", "geom@solref"}) {
    ASSERT_NE(find_notice(*file, element), nullptr) << element;
    EXPECT_TRUE(find_notice(*file, element)->physical) << element;
  }
  EXPECT_EQ(find_notice(*file, "geom@solref")->count, 1);
  for (const char* element : {"pair@margin", "geom@margin", "pair@gap"})
    EXPECT_EQ(find_notice(*file, element), nullptr) << element;
  const Expected<ModelFile> plain =
      parse_mjcf(kArm + "<contact><pair geom1='ga' geom2='gb' friction='.5 .5'/></contact>");
  ASSERT_TRUE(plain.has_value());
  EXPECT_TRUE(plain->notices.empty());
}

// Flags switch physics off; they are obeyed, not listed.
TEST(MjcfOption, ObeysFlags) {
  const ModelDescription model = model_of(
      "<option timestep='.01' gravity='0 0 -1'><flag gravity='disable' contact='disable' limit='disable' "
      "filterparent='disable'/>"
      "</option>" +
      kArm);
  EXPECT_EQ(model.timestep, 0.01);
  EXPECT_TRUE(model.gravity.isZero());
  EXPECT_EQ(model.geoms[0].contype, 0);
  EXPECT_FALSE(model.joints[0].limited);
  EXPECT_FALSE(model.filter_parent);
}

// Springs given by their time constant are switched off as well.
TEST(MjcfOption, SwitchesSpringsOff) {
  const std::string body = world("<body><joint springdamper='.1 1'/><geom size='1'/></body>");
  EXPECT_EQ(model_of(body).joints[0].spring_time, 0.1);
  EXPECT_EQ(model_of("<option><flag passive='disable'/></option>" + body).joints[0].spring_time, 0.0);
  const Expected<ModelFile> half = parse_mjcf("<option><flag spring='disable'/></option>" + body);
  ASSERT_TRUE(half.has_value());
  EXPECT_EQ(half->description.joints[0].spring_time, 0.0);
  EXPECT_NE(find_notice(*half, "joint@springdamper"), nullptr);
}

// Air and water push; a file that has them must not be simulated without a word.
TEST(MjcfOption, NotesAMedium) {
  const Expected<ModelFile> file =
      parse_mjcf("<option density='1.2' viscosity='0'/><sensor><user dim='1'/></sensor>" + kArm);
  ASSERT_TRUE(file.has_value());
  ASSERT_EQ(file->notices.size(), 2u);
  EXPECT_EQ(file->notices[0].element, "option@density");
  EXPECT_TRUE(file->notices[0].physical);
  EXPECT_FALSE(file->notices[1].physical);
}

// Keyframes fit the model or are refused.
TEST(MjcfKeyframe, MustFitTheModel) {
  const ModelDescription model = model_of(kArm + "<keyframe><key name='home' time='2' qpos='1 2'/></keyframe>");
  EXPECT_EQ(model.keyframes[0].q, Eigen::Vector2d(1.0, 2.0));
  EXPECT_EQ(model.keyframes[0].v.size(), 0);
  EXPECT_NE(refusal(kArm + "<keyframe><key qpos='1 2 3'/></keyframe>").find("attribute qpos: has 3 numbers; give 2"),
            std::string::npos);
}

// Sensors: what they measure and of which part; frames against others; directions are not clamped.
TEST(MjcfSensor, ReadsWhatIsMeasured) {
  const Expected<ModelFile> file = parse_mjcf(
      kArm +
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor name='m' "
      "joint='k'/></actuator>"
      "<sensor><touch name='feel' site='s' cutoff='3'/><jointpos joint='k'/><tendonvel tendon='t'/><actuatorfrc "
      "actuator='m'/>"
      "<framepos objtype='body' objname='b' reftype='site' refname='s'/><framequat objtype='xbody' objname='b' "
      "cutoff='1'/>"
      "<framelinvel objtype='geom' objname='gb'/><subtreecom body='a' noise='.1'/><clock/><rangefinder site='s'/>"
      "<user dim='2'/><user dim='1'/><framepos objtype='camera' objname='c'/></sensor>");
  ASSERT_TRUE(file.has_value()) << file.error().text();
  const std::vector<Sensor>& sensors = file->description.sensors;
  ASSERT_EQ(sensors.size(), 9u);
  EXPECT_EQ(sensors[0].type, SensorType::kTouch);
  EXPECT_EQ(sensors[0].name, "feel");
  EXPECT_EQ(sensors[0].cutoff, 3.0);
  EXPECT_EQ(sensors[1].index, 1);
  EXPECT_EQ(sensors[3].type, SensorType::kActuatorForce);
  EXPECT_EQ(sensors[4].frame, SensorFrame::kInertial);
  EXPECT_EQ(sensors[4].reference, SensorFrame::kSite);
  EXPECT_EQ(sensors[5].frame, SensorFrame::kBody);
  EXPECT_EQ(sensors[5].cutoff, 0.0);
  EXPECT_EQ(sensors[6].frame, SensorFrame::kGeom);
  const auto count = [&](const char* element) {
    const Notice* notice = find_notice(*file, element);
    return notice == nullptr ? 0 : notice->count;
  };
  EXPECT_EQ(count("sensor/rangefinder"), 1);
  EXPECT_EQ(count("sensor/user"), 2);
  EXPECT_EQ(count("sensor/framepos"), 1);
  EXPECT_EQ(count("sensor@noise"), 1);
  const Expected<Model> model = Model::make(file->description);
  ASSERT_TRUE(model.has_value()) << model.error().text();
  EXPECT_EQ(model->sensor_size(), 1 + 1 + 1 + 1 + 3 + 4 + 3 + 3 + 1);
  EXPECT_EQ(model->sensor_start(5), 7);
}

// References to nothing, and joints of the wrong kind.
TEST(MjcfSensor, RefusesWhatCannotBeMeasured) {
  const auto refuse = [](const std::string& sensor) { return refusal(kArm + "<sensor>" + sensor + "</sensor>"); };
  EXPECT_NE(refuse("<gyro site='t'/>").find("there is no site 't'"), std::string::npos);
  EXPECT_NE(refuse("<framepos objname='b'/>").find("objtype"), std::string::npos);
  EXPECT_NE(refuse("<touch site='s' cutoff='-1'/>").find("negative"), std::string::npos);
  ModelDescription ball = model_of(world("<body><joint name='o' type='ball'/><geom size='1'/></body>") +
                                   "<sensor><jointpos name='bent' joint='o'/></sensor>");
  const Expected<Model> model = Model::make(ball);
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(model.error().text().find("sensor 'bent'"), std::string::npos) << model.error().text();
}

// A site's shape is the zone of its touch sensors: type and size, or both ends.
TEST(MjcfSite, HasAShape) {
  const ModelDescription model =
      model_of("<default><site type='box' size='1 2 3'/></default>" +
               world("<site/><site type='sphere' size='.5'/><site type='capsule' fromto='0 0 0 0 0 4' size='.25'/>"));
  EXPECT_EQ(model.sites[0].shape.type, ShapeType::kBox);
  EXPECT_EQ(model.sites[0].shape.size, Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(model.sites[1].shape.size.x(), 0.5);
  EXPECT_EQ(model.sites[2].shape.size.y(), 2.0);
  EXPECT_EQ(model.sites[2].pose.p.z(), 2.0);
}

// A quaternion of zero in a keyframe is the identity, as others take it, and a notice says so; free and ball joints alike.
TEST(MjcfKeyframe, MendsQuaternionsOfZero) {
  const Expected<ModelFile> file = parse_mjcf(
      world("<body><freejoint name='base'/><geom size='1'/></body><body><joint name='ball' type='ball'/><geom "
            "size='1'/></body>") +
      "<keyframe><key name='walk' qpos='1 2 3 0 0 0 0  0 0 0 0'/><key qpos='1 2 3 0 1 0 0  0 0 0 2'/></keyframe>");
  ASSERT_TRUE(file.has_value()) << file.error().text();
  const std::vector<Keyframe>& keys = file->description.keyframes;
  EXPECT_EQ(keys[0].q, (VectorXd(11) << 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0).finished());
  EXPECT_EQ(keys[1].q(4), 1.0);
  const Notice* notice = find_notice(*file, "key@qpos");
  ASSERT_NE(notice, nullptr);
  EXPECT_TRUE(notice->physical);
  EXPECT_EQ(notice->count, 2);
  EXPECT_NE(notice->meaning.find("base"), std::string::npos);
  EXPECT_TRUE(Model::make(file->description).has_value());
}

// What concerns looks alone may be left empty; what is written wrong is still an error.
TEST(MjcfLooks, MayBeEmpty) {
  const Expected<ModelFile> file =
      parse_mjcf("<default><geom rgba='.1 .2 .3 1'/></default><asset><material name='m' rgba=' '/></asset>" +
                 world("<geom size='1' rgba=''/><geom size='1' material=''/><geom size='1' material='m' rgba=''/>"));
  ASSERT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->description.geoms[0].rgba, (std::array<double, 4>{0.1, 0.2, 0.3, 1.0}));
  EXPECT_EQ(file->description.geoms[1].material, "");
  for (const char* element : {"geom@rgba", "geom@material", "material@rgba"}) {
    const Notice* notice = find_notice(*file, element);
    ASSERT_NE(notice, nullptr) << element;
    EXPECT_FALSE(notice->physical) << element;
  }
  EXPECT_EQ(find_notice(*file, "geom@rgba")->count, 2);
  EXPECT_NE(refusal(world("<geom size='1' rgba='red'/>")).find("'red' is not a number"), std::string::npos);
  EXPECT_NE(refusal(world("<geom size=''/>")).find("size"), std::string::npos);
}

}  // namespace
}  // namespace tribo
