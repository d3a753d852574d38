// Recordings: a motion in a file, readable up to the last complete frame whatever happened to the writer.
//     auto writer = RecordingWriter::create("wall.tribo", make_recording_header(sim, "scenes/wall.xml", version)).value();
//     FrameMaker make_frame(sim.model());
//     while (...) {
//       make_frame.see(sim.step());  // where not every step becomes a frame
//       writer.write(make_frame(sim));
//     }
//     auto recording = Recording::open("wall.tribo").value();
//     recording.frame(7).value().poses;
// Bytes: docs/file-formats.md. Poses, points and impulses are rounded (beside the fields below); q and v of key frames, times and
// the numbers of the report are exact.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/core/status.hpp"
#include "tribo/geometry/mesh.hpp"
#include "tribo/geometry/pose.hpp"
#include "tribo/geometry/shape.hpp"
#include "tribo/multibody/data.hpp"
#include "tribo/multibody/model.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/sim/simulation.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tribo {

struct RecordedBody {
  std::string name;
  Index parent = 0;
  bool moves = false;               // by joints or by the user
  double mass = 0.0;                // kg
  Vector3d com = Vector3d::Zero();  // centre of mass, in the body's frame, m
};

struct RecordedGeom {
  std::string name;
  Index body = 0;
  Shape shape;
  Pose pose;  // in the body's frame
  std::array<double, 4> rgba{};
  int group = 0;
};

// A sensor, or the activation of an actuator.
struct RecordedSensor {
  std::string name;  // "sensor" and its index where it has none; activations: the actuator's name and " activation"
  std::string unit;  // "N", "rad/s" …; empty: none, or not known
  Index size = 1;    // how many numbers it has
};

// What does not change in time. Body 0 is the world.
struct RecordingHeader {
  std::string version;  // of the Tribo that wrote it
  std::string scene;    // the file as it was named
  std::string name, model, solver;
  double step = 0.0;                    // s
  double tolerance = 0.0;               // of every certificate
  std::int64_t every = 1;               // steps from one frame to the next
  std::vector<std::string> solvers;     // that a frame can name; 255 at most
  Vector3d gravity = Vector3d::Zero();  // m/s²
  Index nq = 0, nv = 0, nk = 0;         // lengths of q and v; kinematic bodies
  std::vector<RecordedBody> bodies;
  std::vector<std::string> joints;       // then tendons
  std::vector<std::string> joint_kinds;  // of each: "hinge", "slide", "ball", "free", "planar", "tendon"
  std::vector<RecordedGeom> geoms;
  std::vector<Mesh> meshes;  // clouds of points as their hulls
  std::vector<HeightField> height_fields;
  std::vector<RecordedSensor> sensors;  // before version 5: none
  bool turning = false;  // contacts have friction against spinning or rolling; where not, those numbers are not written
};
RecordingHeader make_recording_header(const Simulation& simulation, std::string scene, std::string version);

struct RecordedContact {
  Index geom_a = -1, geom_b = -1;            // of the header
  Vector3d point = Vector3d::Zero();         // m, to 2⁻²¹ (0.5 µm); at the beginning of the step
  Vector3d normal = Vector3d::Zero();        // from b to a, to 2⁻²¹
  double gap = 0.0;                          // m, to 2⁻³⁵ (0.03 nm); before the step
  Vector3d impulse = Vector3d::Zero();       // N·s on a, world axes, relative 1.6e-5
  double mu = 0.0;                           // relative 1.6e-5
  Vector3d velocity = Vector3d::Zero();      // m/s of a against b after the step, world axes, to 2⁻³¹ (0.5 nm/s)
  ContactState state = ContactState::kOpen;  // that of ContactRecord, which classify() decided
  // Friction against turning, where the header says that there is some: a normal force n allows couples of mu_spin · n about the
  // normal and mu_roll · n across it (m, relative 1.6e-5). Couple on a and turning of a against b after the step, world axes;
  // a couple that is not a number was not recorded.
  double mu_spin = 0.0, mu_roll = 0.0;
  Vector3d couple = Vector3d::Zero();   // N·m·s, relative 1.6e-5
  Vector3d turning = Vector3d::Zero();  // rad/s, to 2⁻³¹
};

// A limit or the dry friction of a joint or tendon in the last step, as JointRowRecord has it.
struct RecordedJointRow {
  JointRowKind kind = JointRowKind::kLimit;
  Index joint = -1;  // of the header
  // Limit: -1 lower, +1 upper, 0 not known (recordings before version 4). Dry friction: which degree of freedom of the joint.
  int place = 0;
  double gap = 0.0;       // m or rad, to 2⁻³⁵, limits: before the step
  double bound = 0.0;     // N·s or N·m·s, relative 1.6e-5, dry friction: the largest impulse of the step
  double impulse = 0.0;   // N·s or N·m·s, relative 1.6e-5
  double velocity = 0.0;  // m/s or rad/s after the step, to 2⁻³¹
  ContactState state = ContactState::kOpen;  // limit: open or stick; dry friction: stick or slide
};

// A moment and the step that led to it. What the report says is the worst since the frame before, number by number: a step that
// fails between two frames shows in the second.
struct RecordedFrame {
  bool key = false;  // all poses are written, and the state as it is
  std::int64_t step = 0;
  double time = 0.0;        // s
  std::vector<Pose> poses;  // per body, world; m to 2⁻²⁵ (0.03 µm), quaternions to 2⁻²⁵ per number
  State state;              // key frames: bit for bit, without activations; others: empty
  std::vector<RecordedContact> contacts;  // between shapes
  std::vector<RecordedJointRow> joint_rows;
  Status status = Status::kSolved;
  int failed_before = 0;  // how many steps before this one the status is of; 255: at least
  bool fallback = false;
  std::string solver;  // of the island with the most contacts; empty: none, or not among those of the header
  std::uint32_t pivots = 0, sweeps = 0;
  double worst = 0.0;                // certificate
  double overlap = 0.0;              // m
  double loop_error = 0.0;           // m or rad
  double energy = 0.0;               // J
  double seconds = 0.0;              // wall time of the step
  CollisionCounts collision;         // before version 5: zeros
  std::vector<double> sensors = {};  // the numbers of all sensors of the header, to floats; of the frame's own step
};

// Frames of a simulation; keeps its temporaries.
class FrameMaker {
 public:
  explicit FrameMaker(const Model& model) : data_(model) {}
  // Every step that becomes no frame, so that the next frame tells of it; a second look at a step changes nothing.
  void see(const StepReport& report);
  // Now and the last step; before the first step there are no contacts and no rows of joints.
  RecordedFrame operator()(const Simulation& simulation);

 private:
  Data data_;
  // The worst of the steps since the last frame; of the status also the step.
  StepReport worst_;
  std::int64_t seen_ = 0, worst_step_ = 0;
};

struct RecordingOptions {
  bool overwrite = false;  // false: an existing file is an error
  bool fresh = false;      // so is a link or a pipe: what is written is a new file in this folder
  int key_every = 32;      // frames from one key frame to the next, >= 1
};

class NewFile;
class FrameCodec;

// Frames are handed to the system one by one: a crash of the program loses none of them.
class RecordingWriter {
 public:
  static Expected<RecordingWriter> create(const std::string& path, const RecordingHeader& header,
                                          RecordingOptions options = {});
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;

  // frame.key asks for a key frame; others become one when it is their turn.
  Checked write(const RecordedFrame& frame);
  // Writes the end mark. Without it the file reads as one whose writer was stopped.
  Checked close();
  std::int64_t frames() const { return frames_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  RecordingWriter();
  std::unique_ptr<NewFile> file_;
  std::unique_ptr<FrameCodec> codec_;
  int key_every_ = 32;
  std::int64_t frames_ = 0, bytes_ = 0, since_key_ = 0;
};

class Recording {
 public:
  // Fails where not even the header is there. Truncated and damaged files give the frames before the damage.
  static Expected<Recording> open(const std::string& path);
  static Expected<Recording> parse(std::string bytes);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const RecordingHeader& header() const { return header_; }
  std::int64_t frames() const { return static_cast<std::int64_t>(index_.size()); }
  double time(std::int64_t frame) const { return index_[static_cast<std::size_t>(frame)].time; }
  bool is_key(std::int64_t frame) const { return index_[static_cast<std::size_t>(frame)].key; }
  // Any frame; one after the other is cheapest, others are reached from the key frame before them.
  Expected<RecordedFrame> frame(std::int64_t frame);

  // The writer came to its end and nothing is damaged; else `ending` says what is wrong and where.
  bool complete() const { return ending_.empty(); }
  const std::string& ending() const { return ending_; }
  std::int64_t good_bytes() const { return good_bytes_; }  // up to the end of the last complete frame

 private:
  struct Entry {
    std::size_t start = 0, size = 0;
    double time = 0.0;
    bool key = false;
  };
  Recording();
  void build_index(std::size_t start);

  std::string bytes_;
  RecordingHeader header_;
  std::vector<Entry> index_;
  std::string ending_;
  std::int64_t good_bytes_ = 0;
  std::unique_ptr<FrameCodec> codec_;
  std::int64_t next_ = 0;  // the frame that the codec expects
};

// Positions and velocities of all bodies but the world as a table of text, one row per body and time, world frame:
//     time, body, px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz
// Numbers read back bit for bit; names are quoted where they hold a comma, a quote or a line break.
class StateTable {
 public:
  static Expected<StateTable> create(const std::string& path, const Model& model, bool overwrite = false);
  ~StateTable();
  StateTable(StateTable&&) noexcept;
  StateTable& operator=(StateTable&&) noexcept;

  Checked write(const Model& model, const State& state, double time);
  Checked close();

 private:
  explicit StateTable(const Model& model);
  std::unique_ptr<NewFile> file_;
  Data data_;
  std::vector<std::string> names_;
  std::string text_;
};

// Values of all sensors as a table of text, one row per time: time, then a column per number, "name" or "name[0]", "name[1]" …;
// sensors without a name are "sensor" and their index. Numbers and names as in StateTable.
class SensorTable {
 public:
  static Expected<SensorTable> create(const std::string& path, const Model& model, bool overwrite = false);
  ~SensorTable();
  SensorTable(SensorTable&&) noexcept;
  SensorTable& operator=(SensorTable&&) noexcept;

  Checked write(const VectorXd& values, double time);
  Checked close();

 private:
  SensorTable();
  std::unique_ptr<NewFile> file_;
  std::string text_;
};

}  // namespace tribo
