// Recordings come back as they were written, to the rounding that is promised, and a damaged file gives what was before the
// damage.
#include "tribo/io/recording.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <sstream>

#include "io/recording_bytes.hpp"
#include "io/recording_codec.hpp"
#include <gtest/gtest.h>
#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public ::testing::Test {
 protected:
  RecordingTest() {
    std::string pattern = (fs::temp_directory_path() / "tribo_recording_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~RecordingTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name = "motion.tribo") const { return folder_ + "/" + name; }

  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::string folder_;
};

RecordingHeader make_header(std::size_t bodies = 3) {
  RecordingHeader header;
  header.version = "1.2.3";
  header.scene = "scenes/\"odd\", name.xml";
  header.name = "two";
  header.model = "cone";
  header.solver = "auto";
  header.step = 0.1;
  header.gravity = {0.0, 0.1, -9.81};
  header.nq = 7;
  header.nv = 6;
  header.nk = 1;
  for (std::size_t b = 0; b < bodies; ++b)
    header.bodies.push_back(
        {"body" + std::to_string(b), 0, b > 0, 0.1 * static_cast<double>(b), {1.0 / 3.0, 0.0, 0.0}});
  header.tolerance = 1e-8;
  header.every = 10;
  header.solvers = {"auto", "states, sweeps"};
  header.joints = {"elbow", "cable"};
  header.joint_kinds = {"hinge", "tendon"};
  header.sensors = {{"tip \"force\"", "N", 3}, {"elbow", "rad", 1}};
  RecordedGeom ball{"ball", 1, {ShapeType::kSphere, {0.1, 0.0, 0.0}, -1}, {}, {0.1, 0.2, 0.3, 1.0}, 2};
  ball.pose.p = {1.0 / 3.0, 0.0, 1e-300};
  ball.pose.q = Quaterniond(0.6, 0.0, 0.8, 0.0);
  RecordedGeom rock{"rock", 2, {ShapeType::kMesh, Vector3d::Zero(), 0}, {}, {1.0, 1.0, 1.0, 0.5}, 0};
  RecordedGeom hill{"hill", 0, {ShapeType::kHeightField, Vector3d::Zero(), 0}, {}, {1.0, 1.0, 1.0, 0.5}, 0};
  header.geoms = {ball, rock, hill};
  header.meshes = {{"rock", "", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}}}};
  header.height_fields = {{"hill", "", 2, 2, 1.0, 2.0, 0.5, {0.0, 0.1, 0.2, 0.3}}};
  return header;
}

RecordedContact make_contact(Index a, Index b, double t) {
  RecordedContact contact;
  contact.geom_a = a;
  contact.geom_b = b;
  contact.point = {0.3 + t, -1.7, 0.02 * static_cast<double>(b)};
  contact.normal = Vector3d(0.1, t, 1.0).normalized();
  contact.gap = -1.234567e-6 * (1.0 + t);
  contact.impulse = {0.5, -2e-9, 9.81 * (1.0 + t)};
  contact.mu = 0.6 + t;
  contact.velocity = {1e-3 * t, 1.0 / 3.0 * t, -1e-12};
  contact.state = ContactState::kStick;
  return contact;
}

// Limits and dry friction come and go; the last is the same in all frames.
std::vector<RecordedJointRow> make_joint_rows(int k) {
  const double t = 0.1 * k;
  RecordedJointRow lower, upper, friction, kept;
  lower.joint = 1;
  lower.place = -1;
  lower.gap = -1.234567e-6 * (1.0 + t);
  lower.impulse = 0.25 + t;
  lower.state = ContactState::kStick;
  upper = lower;
  upper.place = 1;
  upper.gap = 0.5 - t;
  upper.impulse = 0.0;
  upper.velocity = -7.0 + t;
  upper.state = ContactState::kOpen;
  friction.kind = kept.kind = JointRowKind::kDryFriction;
  friction.joint = 0;
  friction.place = k % 3;
  friction.bound = 0.05;
  friction.impulse = k % 2 == 0 ? -0.05 : 0.0;
  friction.velocity = k % 2 == 0 ? 1e-3 * t : 0.0;
  friction.state = k % 2 == 0 ? ContactState::kSlide : ContactState::kStick;
  kept.joint = 1;
  kept.bound = 2.0;
  kept.impulse = 1.0 / 3.0;
  kept.state = ContactState::kStick;
  std::vector<RecordedJointRow> rows;
  if (k % 2 == 0) rows.push_back(lower);
  if (k % 3 != 0) rows.push_back(upper);
  if (k % 5 != 4) rows.push_back(friction);
  rows.push_back(kept);
  return rows;
}

// A moment of a made-up motion: body 1 moves, body 2 rests, contacts come and go.
RecordedFrame make_frame(int k, std::size_t bodies = 3) {
  const double t = 0.1 * k;
  RecordedFrame frame;
  frame.step = 10 * k;
  frame.time = t;
  frame.poses.resize(bodies);
  frame.poses[1].p = {std::sin(t), 1.0 / 3.0, -t * t};
  frame.poses[1].q = Quaterniond(std::cos(t / 2.0), 0.0, std::sin(t / 2.0), 0.0);
  frame.poses[2].p = {1e3, 1e-9, -2.0 / 3.0};
  frame.state.q = VectorXd::LinSpaced(7, t, 1.0 / 3.0);
  frame.state.v = VectorXd::LinSpaced(6, -t, std::numbers::pi);
  frame.state.kinematic.resize(1);
  frame.state.kinematic[0].velocity = {t, 0.1, 0.2};
  frame.joint_rows = make_joint_rows(k);
  for (int i = 0; i < k % 4; ++i) frame.contacts.push_back(make_contact(0, 1, 0.01 * i + t));
  frame.contacts.push_back(make_contact(1, 2, 0.0));  // the same in all frames
  frame.status = k == 3 ? Status::kInfeasible : Status::kSolved;
  frame.fallback = k == 2;
  frame.solver = k == 0 ? "" : k % 2 == 0 ? "auto" : "states, sweeps";
  frame.pivots = static_cast<std::uint32_t>(k);
  frame.sweeps = 7;
  frame.failed_before = 3;
  frame.worst = 1e-12 / 3.0;
  frame.overlap = 1e-6;
  frame.loop_error = 1e-11;
  frame.energy = -3.3 * t;
  frame.seconds = 1e-5;
  frame.collision = {.pairs = 40 + k, .distances = 12, .manifolds = k % 3};
  frame.sensors = {std::sin(t), k == 5 ? std::numeric_limits<double>::quiet_NaN() : -1e9 * t,
                   k == 6 ? std::numeric_limits<double>::infinity() : 0.0, 1.0 / 3.0};
  return frame;
}

void expect_near(const Vector3d& a, const Vector3d& b, double most, const char* what) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), most) << what;
}

void expect_same(const RecordedFrame& read, const RecordedFrame& written) {
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.time, written.time);
  EXPECT_EQ(read.status, written.status);
  EXPECT_EQ(read.failed_before, written.failed_before);
  EXPECT_EQ(read.fallback, written.fallback);
  EXPECT_EQ(read.solver, written.solver);
  EXPECT_EQ(read.pivots, written.pivots);
  EXPECT_EQ(read.sweeps, written.sweeps);
  EXPECT_EQ(read.worst, written.worst);
  EXPECT_EQ(read.overlap, written.overlap);
  EXPECT_EQ(read.loop_error, written.loop_error);
  EXPECT_EQ(read.energy, written.energy);
  EXPECT_EQ(read.seconds, written.seconds);
  EXPECT_EQ(read.collision.pairs, written.collision.pairs);
  EXPECT_EQ(read.collision.distances, written.collision.distances);
  EXPECT_EQ(read.collision.manifolds, written.collision.manifolds);
  ASSERT_EQ(read.sensors.size(), written.sensors.size());
  for (std::size_t i = 0; i < read.sensors.size(); ++i) {
    if (std::isnan(written.sensors[i]))
      EXPECT_TRUE(std::isnan(read.sensors[i]));
    else
      EXPECT_EQ(read.sensors[i], static_cast<double>(static_cast<float>(written.sensors[i]))) << i;
  }
  if (read.key) {
    EXPECT_EQ(read.state.q, written.state.q);
    EXPECT_EQ(read.state.v, written.state.v);
    EXPECT_EQ(read.state.kinematic.at(0).velocity, written.state.kinematic.at(0).velocity);
    EXPECT_EQ(read.state.kinematic.at(0).pose.q.coeffs(), written.state.kinematic.at(0).pose.q.coeffs());
  } else {
    EXPECT_EQ(read.state.q.size(), 0);
  }
  ASSERT_EQ(read.poses.size(), written.poses.size());
  for (std::size_t b = 0; b < read.poses.size(); ++b) {
    expect_near(read.poses[b].p, written.poses[b].p, std::ldexp(1.0, -25), "position");
    EXPECT_LE((read.poses[b].q.coeffs() - written.poses[b].q.coeffs()).cwiseAbs().maxCoeff(), std::ldexp(1.0, -24));
  }
  ASSERT_EQ(read.contacts.size(), written.contacts.size());
  for (std::size_t i = 0; i < read.contacts.size(); ++i) {
    const RecordedContact &a = read.contacts[i], &b = written.contacts[i];
    EXPECT_EQ(a.geom_a, b.geom_a);
    EXPECT_EQ(a.geom_b, b.geom_b);
    EXPECT_EQ(a.state, b.state);
    expect_near(a.point, b.point, std::ldexp(1.0, -21), "point");
    expect_near(a.normal, b.normal, std::ldexp(1.0, -21), "normal");
    EXPECT_LE(std::abs(a.gap - b.gap), std::ldexp(1.0, -35));
    EXPECT_LE(std::abs(a.mu - b.mu), 1.6e-5 * b.mu);
    expect_near(a.velocity, b.velocity, std::ldexp(1.0, -31), "velocity");
    for (Index k = 0; k < 3; ++k) EXPECT_LE(std::abs(a.impulse(k) - b.impulse(k)), 1.6e-5 * std::abs(b.impulse(k)));
  }
  ASSERT_EQ(read.joint_rows.size(), written.joint_rows.size());
  for (std::size_t i = 0; i < read.joint_rows.size(); ++i) {
    const RecordedJointRow &a = read.joint_rows[i], &b = written.joint_rows[i];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.joint, b.joint);
    EXPECT_EQ(a.place, b.place);
    EXPECT_EQ(a.state, b.state);
    EXPECT_LE(std::abs(a.gap - b.gap), std::ldexp(1.0, -35));
    EXPECT_LE(std::abs(a.bound - b.bound), 1.6e-5 * b.bound);
    EXPECT_LE(std::abs(a.impulse - b.impulse), 1.6e-5 * std::abs(b.impulse));
    EXPECT_LE(std::abs(a.velocity - b.velocity), std::ldexp(1.0, -31));
  }
}

std::string record(const std::string& path, int frames, bool close = true) {
  auto writer = RecordingWriter::create(path, make_header(), {.overwrite = true, .key_every = 4}).value();
  for (int k = 0; k < frames; ++k) EXPECT_TRUE(writer.write(make_frame(k)));
  if (close) {
    EXPECT_TRUE(writer.close());
  }
  return path;
}

// All that a viewer draws must be what the simulation computed, within the rounding that the header promises.
TEST_F(RecordingTest, FramesComeBack) {
  auto recording = Recording::open(record(path(), 11)).value();
  EXPECT_TRUE(recording.complete()) << recording.ending();
  ASSERT_EQ(recording.frames(), 11);
  for (int k = 0; k < 11; ++k) {
    SCOPED_TRACE(k);
    const RecordedFrame frame = recording.frame(k).value();
    EXPECT_EQ(frame.key, k % 4 == 0);
    EXPECT_EQ(recording.time(k), 0.1 * k);
    expect_same(frame, make_frame(k));
  }
}

// A viewer jumps; a frame is the same however it is reached.
TEST_F(RecordingTest, AnyFrameCanBeAskedFor) {
  auto recording = Recording::open(record(path(), 11)).value();
  for (const int k : {10, 3, 3, 4, 9, 0, 7, 6, 5, 8}) {
    SCOPED_TRACE(k);
    expect_same(recording.frame(k).value(), make_frame(k));
  }
}

// Names, numbers and shapes of the header are not rounded.
TEST_F(RecordingTest, TheHeaderComesBack) {
  const RecordingHeader written = make_header();
  const RecordingHeader read = Recording::open(record(path(), 1)).value().header();
  EXPECT_EQ(read.version, written.version);
  EXPECT_EQ(read.scene, written.scene);
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.gravity, written.gravity);
  EXPECT_EQ(read.tolerance, written.tolerance);
  EXPECT_EQ(read.every, written.every);
  EXPECT_EQ(read.solvers, written.solvers);
  EXPECT_EQ(read.joints, written.joints);
  EXPECT_EQ(read.joint_kinds, written.joint_kinds);
  ASSERT_EQ(read.sensors.size(), 2U);
  EXPECT_EQ(read.sensors[0].name, written.sensors[0].name);
  EXPECT_EQ(read.sensors[0].unit, "N");
  EXPECT_EQ(read.sensors[0].size, 3);
  ASSERT_EQ(read.bodies.size(), 3u);
  EXPECT_EQ(read.bodies[2].name, "body2");
  EXPECT_EQ(read.bodies[2].mass, written.bodies[2].mass);
  EXPECT_EQ(read.bodies[2].com, written.bodies[2].com);
  EXPECT_FALSE(read.bodies[0].moves);
  EXPECT_TRUE(read.bodies[1].moves);
  ASSERT_EQ(read.geoms.size(), 3u);
  EXPECT_EQ(read.geoms[0].pose.p, written.geoms[0].pose.p);
  EXPECT_EQ(read.geoms[0].pose.q.coeffs(), written.geoms[0].pose.q.coeffs());
  EXPECT_EQ(read.geoms[0].rgba, written.geoms[0].rgba);
  EXPECT_EQ(read.geoms[0].group, 2);
  EXPECT_EQ(read.geoms[1].shape.type, ShapeType::kMesh);
  EXPECT_EQ(read.geoms[1].shape.index, 0);
  EXPECT_EQ(read.meshes[0].vertices, written.meshes[0].vertices);
  EXPECT_EQ(read.meshes[0].faces, written.meshes[0].faces);
  EXPECT_EQ(read.height_fields[0].height, written.height_fields[0].height);
}

// A key frame that is asked for (the last of a run) holds the state exactly.
TEST_F(RecordingTest, AKeyFrameCanBeAskedFor) {
  auto writer = RecordingWriter::create(path(), make_header()).value();
  for (int k = 0; k < 3; ++k) {
    RecordedFrame frame = make_frame(k);
    frame.key = k == 2;
    ASSERT_TRUE(writer.write(frame));
  }
  ASSERT_TRUE(writer.close());
  auto recording = Recording::open(path()).value();
  EXPECT_FALSE(recording.is_key(1));
  EXPECT_TRUE(recording.is_key(2));
  EXPECT_EQ(recording.frame(2).value().state.q, make_frame(2).state.q);
}

// Whatever was on the disk when the machine stopped: all complete frames are there, and nothing else is taken for one.
TEST_F(RecordingTest, CutAnywhereItGivesTheCompleteFrames) {
  const std::string whole = bytes_of(record(path(), 6));
  auto recording = Recording::parse(whole).value();
  std::vector<std::size_t> ends;  // of the frames
  for (int k = 0; k <= 6; ++k) {
    auto writer = RecordingWriter::create(path("part"), make_header(), {.overwrite = true, .key_every = 4}).value();
    for (int i = 0; i < k; ++i) ASSERT_TRUE(writer.write(make_frame(i)));
    ends.push_back(static_cast<std::size_t>(writer.bytes()));
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    auto part = Recording::parse(whole.substr(0, size));
    ASSERT_EQ(part.has_value(), size >= ends[0]) << size;
    if (!part) continue;
    std::int64_t complete = 0;
    while (complete < 6 && size >= ends[static_cast<std::size_t>(complete) + 1]) ++complete;
    ASSERT_EQ(part->frames(), complete) << size;
    EXPECT_FALSE(part->complete()) << size;
    EXPECT_EQ(part->good_bytes(), static_cast<std::int64_t>(ends[static_cast<std::size_t>(complete)]));
    EXPECT_NE(part->ending().find("frame " + std::to_string(complete)), std::string::npos) << part->ending();
    if (complete > 0) expect_same(part->frame(complete - 1).value(), make_frame(static_cast<int>(complete) - 1));
  }
}

// A checksum finds every single wrong bit: frames before it are good, none after it is believed.
TEST_F(RecordingTest, AnyFlippedBitIsFound) {
  const std::string whole = bytes_of(record(path(), 3));
  const auto clean = Recording::parse(whole).value();
  ASSERT_TRUE(clean.complete());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      auto damaged = Recording::parse(std::move(bytes));
      if (!damaged) continue;
      ASSERT_FALSE(damaged->complete()) << i;
      ASSERT_LE(damaged->good_bytes(), static_cast<std::int64_t>(i)) << i;
    }
  }
}

// A frame may be forged with a right checksum; then it is refused, not believed and not a crash.
TEST_F(RecordingTest, ForgedFramesAreRefused) {
  const RecordingHeader header = make_header();
  std::string good;
  FrameCodec(header).encode(make_frame(3), true, good);
  ASSERT_TRUE(FrameCodec(header).decode(good));
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string forged = good;
      forged[i] = static_cast<char>(forged[i] ^ change);
      if (!FrameCodec(header).decode(forged)) ++refused;
    }
    EXPECT_FALSE(FrameCodec(header).decode(good.substr(0, i))) << i;
  }
  EXPECT_GT(refused, 50);
  EXPECT_FALSE(FrameCodec(header).decode(good + "x"));
}

// A recording is work that cannot be made again cheaply: it is overwritten only on demand.
TEST_F(RecordingTest, AnExistingFileIsKept) {
  std::ofstream(path()) << "precious";
  const auto refused = RecordingWriter::create(path(), make_header());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, path());
  EXPECT_EQ(bytes_of(path()), "precious");
  EXPECT_TRUE(RecordingWriter::create(path(), make_header(), {.overwrite = true}));
  EXPECT_TRUE(bytes_of(path()).starts_with("TRIBOREC"));
  EXPECT_FALSE(RecordingWriter::create(path("no/such/folder"), make_header(), {.overwrite = true}));
}

// A writer that is never closed leaves all its frames: that is what flushing each is for.
TEST_F(RecordingTest, FramesAreThereBeforeTheEnd) {
  auto writer = RecordingWriter::create(path(), make_header()).value();
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(writer.write(make_frame(k)));
    const auto sofar = Recording::open(path()).value();
    EXPECT_EQ(sofar.frames(), k + 1);
    EXPECT_FALSE(sofar.complete());
  }
}

// What is no recording, and one of another version, are named as such.
TEST_F(RecordingTest, OtherFilesAreRefused) {
  const auto what = [](const std::string& bytes) { return Recording::parse(bytes).error().what; };
  EXPECT_EQ(what("PK\3\4"), "is not a recording of Tribo");
  std::string other = bytes_of(record(path(), 1));
  other[8] = 6;
  EXPECT_NE(what(other).find("version 6"), std::string::npos);
  EXPECT_NE(what(other.substr(0, 20)).find("header"), std::string::npos);
  other[8] = 1;
  EXPECT_EQ(Recording::parse(other).error().text(), "was made by an older Tribo; run it again");
  EXPECT_FALSE(Recording::open(path("missing")));
}

// Friction against turning is recorded where the header says that there is some: coefficients, couples and turning, in frames that
// differ from those before in all ways; also couples that nobody knows.
TEST_F(RecordingTest, TurningComesBack) {
  RecordingHeader header = make_header();
  header.turning = true;
  const auto turned = [](int k) {
    RecordedFrame frame = make_frame(k);
    for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
      RecordedContact& contact = frame.contacts[i];
      if ((i + static_cast<std::size_t>(k)) % 3 == 0) continue;
      contact.mu_spin = 0.01;
      contact.mu_roll = k % 5 == 0 ? 0.0 : 1e-4 * (1.0 + k / 4);
      contact.couple = {1e-3, -2e-5 * k, k == 7 ? std::numeric_limits<double>::quiet_NaN() : 3.0};
      if (k % 2 == 0) contact.turning = {0.1 * k, -1.0 / 3.0, 20.0};
    }
    return frame;
  };
  auto writer = RecordingWriter::create(path(), header, {.key_every = 4}).value();
  for (int k = 0; k < 11; ++k) ASSERT_TRUE(writer.write(turned(k)));
  ASSERT_TRUE(writer.close());
  auto recording = Recording::open(path()).value();
  EXPECT_TRUE(recording.header().turning);
  for (const int k : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 6, 3}) {
    SCOPED_TRACE(k);
    const RecordedFrame read = recording.frame(k).value(), written = turned(k);
    expect_same(read, written);
    for (std::size_t i = 0; i < read.contacts.size(); ++i) {
      const RecordedContact &a = read.contacts[i], &b = written.contacts[i];
      EXPECT_LE(std::abs(a.mu_spin - b.mu_spin), 1.6e-5 * b.mu_spin);
      EXPECT_LE(std::abs(a.mu_roll - b.mu_roll), 1.6e-5 * b.mu_roll);
      expect_near(a.turning, b.turning, std::ldexp(1.0, -31), "turning");
      for (Index c = 0; c < 3; ++c) {
        if (std::isnan(b.couple(c))) {
          EXPECT_TRUE(std::isnan(a.couple(c)));
        } else {
          EXPECT_LE(std::abs(a.couple(c) - b.couple(c)), 1.6e-5 * std::abs(b.couple(c)));
        }
      }
    }
  }
}

// What must be a new file is one: a link that somebody put there is not followed.
TEST_F(RecordingTest, AFreshFileIsNoLink) {
  fs::create_symlink(path("elsewhere"), path());
  EXPECT_FALSE(RecordingWriter::create(path(), make_header(), {.overwrite = true, .fresh = true}));
  EXPECT_FALSE(fs::exists(path("elsewhere")));
  fs::remove(path());
  fs::create_symlink("/dev/null", path());
  EXPECT_FALSE(RecordingWriter::create(path(), make_header(), {.fresh = true}));
  EXPECT_TRUE(RecordingWriter::create(path("new.tribo"), make_header(), {.fresh = true}));
}

// A name that the header does not list is unknown, never another solver's.
TEST_F(RecordingTest, AnUnknownSolverHasNoName) {
  RecordedFrame frame = make_frame(0);
  frame.solver = "stats";
  std::string bytes;
  FrameCodec(make_header()).encode(frame, true, bytes);
  EXPECT_EQ(FrameCodec(make_header()).decode(bytes).value().solver, "");
  bytes[2] = 3;
  EXPECT_FALSE(FrameCodec(make_header()).decode(bytes));
}

// Flags that promise more than the frame holds must not take memory for it.
TEST_F(RecordingTest, FloodsOfContactsAreRefused) {
  RecordedFrame frame = make_frame(0);
  frame.contacts.clear();
  frame.joint_rows.clear();
  std::string bytes;
  FrameCodec(make_header()).encode(frame, true, bytes);
  bytes.resize(bytes.size() - 2);  // the counts of contacts and joint rows
  constexpr std::uint64_t kMany = 100000;
  for (const int flags : {2, 2 | 8, 2 | 4 | 8, 2 | 16 | 32 | 64 | 128}) {
    std::string flood = bytes;
    ByteWriter out(flood);
    out.varint(kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) out.u8(static_cast<std::uint8_t>(flags));
    EXPECT_FALSE(FrameCodec(make_header()).decode(flood)) << flags;
  }
}

// The same for rows of joints; what they say of a row that is not there, of a joint that is not there or of no place is refused.
TEST_F(RecordingTest, BadJointRowsAreRefused) {
  RecordedFrame frame = make_frame(0);
  frame.joint_rows.clear();
  std::string bytes;
  FrameCodec(make_header()).encode(frame, true, bytes);
  bytes.pop_back();  // the count
  constexpr std::uint64_t kMany = 100000;
  for (const int flags : {2, 2 | 8, 2 | 8 | 16, 2 | 16, 2 | 4 | 32 | 64}) {
    std::string flood = bytes;
    ByteWriter out(flood);
    out.varint(kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) out.u8(static_cast<std::uint8_t>(flags));
    EXPECT_FALSE(FrameCodec(make_header()).decode(flood)) << flags;
  }
  const auto one = [&](int flags, std::uint64_t joint, std::int64_t place) {
    std::string whole = bytes;
    ByteWriter out(whole);
    out.varint(1);
    out.u8(static_cast<std::uint8_t>(flags));
    out.varint(joint);
    out.zigzag(place);
    out.zigzag(7);  // gap or bound
    return FrameCodec(make_header()).decode(whole).has_value();
  };
  constexpr int kLimit = 2 | 32 | 64, kDryFriction = kLimit | 4;
  EXPECT_TRUE(one(kLimit, 1, -1));
  EXPECT_TRUE(one(kLimit, 1, 0));
  EXPECT_TRUE(one(kDryFriction, 1, 5));
  EXPECT_FALSE(one(kLimit, 2, -1));
  EXPECT_FALSE(one(kLimit, 1, -2));
  EXPECT_FALSE(one(kLimit, 1, 2));
  EXPECT_FALSE(one(kDryFriction, 1, -1));
  EXPECT_FALSE(one(kDryFriction, 1, 6));
  EXPECT_FALSE(one(kLimit | 1, 1, -1));    // no such state
  EXPECT_FALSE(one(kLimit | 128, 1, -1));  // no such flag
}

// What is not finite and what is far away must not become a number that looks right.
TEST(RecordingNumbers, OddOnesStayOdd) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(from_quanta(to_quanta(nan, 24), 24)));
  EXPECT_GT(from_quanta(to_quanta(inf, 24), 24), 1e11);
  EXPECT_EQ(from_quanta(to_quanta(-inf, 24), 24), -from_quanta(to_quanta(1e300, 24), 24));
  EXPECT_TRUE(std::isnan(from_short_float(to_short_float(nan))));
  EXPECT_EQ(from_short_float(to_short_float(inf)), inf);
  EXPECT_EQ(from_short_float(to_short_float(-1e300)), -inf);
  EXPECT_EQ(from_short_float(to_short_float(0.0)), 0.0);
  for (const double x : {1.0, -9.81, 1e-12, 3e20, -1e-30})
    EXPECT_LE(std::abs(from_short_float(to_short_float(x)) - x), 1.6e-5 * std::abs(x)) << x;
}

// The checksum is the well-known one, so that other programs can check our files.
TEST(RecordingNumbers, TheChecksumIsTheUsualOne) {
  EXPECT_EQ(calc_crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(calc_crc32("456789", calc_crc32("123")), 0xCBF43926u);
  EXPECT_EQ(calc_crc32(""), 0u);
}

// A wall of bricks that all move, with all its contacts, must stay small enough to keep: 1,000 frames well below 20 MB.
TEST_F(RecordingTest, AWallIsSmall) {
  constexpr std::size_t kBodies = 106;
  RecordingHeader header = make_header(kBodies);
  header.nq = 7 * 105;
  header.nv = 6 * 105;
  header.nk = 0;
  header.geoms.resize(kBodies);
  header.sensors.clear();
  auto writer = RecordingWriter::create(path(), header).value();
  const auto header_bytes = writer.bytes();
  constexpr int kFrames = 200;
  for (int k = 0; k < kFrames; ++k) {
    RecordedFrame frame;
    frame.step = k;
    frame.state.q = VectorXd::Constant(header.nq, 0.1 * k);
    frame.state.v = VectorXd::Constant(header.nv, 0.1 * k);
    frame.poses.resize(kBodies);
    for (std::size_t b = 1; b < kBodies; ++b) {
      const double t = 1e-3 * k, s = std::sin(t * static_cast<double>(b));
      frame.poses[b].p = {0.1 * s, 0.2 * static_cast<double>(b), 0.1 * std::cos(t)};
      frame.poses[b].q = Quaterniond(std::sqrt(1.0 - 1e-4 * s * s), 1e-2 * s, 0.0, 0.0);
      for (int i = 0; i < 8; ++i) {
        RecordedContact contact = make_contact(static_cast<Index>(b) - 1, static_cast<Index>(b), 0.0);
        contact.point += Vector3d(0.1 * s, 0.01 * i, 0.0);
        contact.normal = Vector3d(1e-2 * s, 0.0, 1.0).normalized();
        contact.impulse *= 1.0 + 0.1 * std::sin(5.0 * t + i);
        contact.gap *= 1.0 + 0.5 * s;
        frame.contacts.push_back(contact);
      }
    }
    ASSERT_TRUE(writer.write(frame));
  }
  const double per_frame = static_cast<double>(writer.bytes() - header_bytes) / kFrames;
  RecordProperty("bytes_per_frame", static_cast<int>(per_frame));
  EXPECT_LT(per_frame, 14000.0);
}

// What rests costs next to nothing: poses and contacts are not repeated.
TEST_F(RecordingTest, RestIsNearlyFree) {
  auto writer = RecordingWriter::create(path(), make_header(), {.key_every = 1000}).value();
  ASSERT_TRUE(writer.write(make_frame(1)));
  const std::int64_t first = writer.bytes();
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(writer.write(make_frame(1)));
  EXPECT_LE(writer.bytes() - first,
            10 * (12 + 72 + 3 + 2 * 4 + 3 + 3 + 4));  // marks, report, counts, two contacts, three joint rows, readings
}

// A table of states has the header that is promised, a row per body and time, numbers that read back, and quoted names.
TEST_F(RecordingTest, StatesAreATable) {
  ModelDescription description;
  for (const char* name : {"plain", "a, \"b\""}) {
    Body body;
    body.name = name;
    body.inertia.mass = 1.0;
    body.inertia.inertia = Matrix3d::Identity();
    Joint joint;
    joint.type = JointType::kFree;
    joint.body = static_cast<Index>(description.bodies.size());
    description.bodies.push_back(body);
    description.joints.push_back(joint);
  }
  const Model model = Model::make(description).value();
  State state = make_state(model);
  state.q.segment(7, 7) << 1.0 / 3.0, 0.0, 0.0, std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5);
  state.v.tail(6) << 1e-17, 2.0, 3.0, 4.0, 5.0, 6.0;
  auto table = StateTable::create(path("states.csv"), model).value();
  ASSERT_TRUE(table.write(model, state, 0.1));
  ASSERT_TRUE(table.write(model, state, 0.2));
  ASSERT_TRUE(table.close());
  EXPECT_FALSE(StateTable::create(path("states.csv"), model));
  std::istringstream in(bytes_of(path("states.csv")));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  EXPECT_EQ(lines[1], "0.1,plain,0,0,0,1,0,0,0,0,0,0,0,0,0");
  EXPECT_TRUE(lines[2].starts_with("0.1,\"a, \"\"b\"\"\",0.3333333333333333,0,0,0.70710678118654")) << lines[2];
  EXPECT_NE(lines[2].find(",1e-17,2,3,"), std::string::npos) << lines[2];
  EXPECT_TRUE(lines[4].starts_with("0.2,\"a, ")) << lines[4];
  // Angular velocity is in world axes: a quarter turn about z takes (4, 5, 6) to (−5, 4, 6).
  const auto numbers = lines[2].substr(lines[2].find(",1e-17,2,3,") + 11);
  double wx = 0.0, wy = 0.0, wz = 0.0;
  ASSERT_EQ(std::sscanf(numbers.c_str(), "%lf,%lf,%lf", &wx, &wy, &wz), 3);
  EXPECT_NEAR(wx, -5.0, 1e-14);
  EXPECT_NEAR(wy, 4.0, 1e-14);
  EXPECT_NEAR(wz, 6.0, 1e-14);
}

}  // namespace
}  // namespace tribo
