#include "tribo/geometry/mesh.hpp"
#include "tribo/io/recording.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/recording_readings.hpp"

namespace tribo {
namespace {

constexpr std::int64_t kMostBefore = 255;

// The numbers of list_sensors, now.
void read_sensors(const Simulation& simulation, std::vector<double>& values) {
  const VectorXd& sensors = simulation.sensors();
  values.assign(sensors.data(), sensors.data() + sensors.size());
  const std::vector<Actuator>& actuators = simulation.model().description().actuators;
  const VectorXd& activation = simulation.state().activation;
  for (std::size_t a = 0; a < actuators.size(); ++a) {
    if (actuators[a].dynamics != ActuatorDynamics::kNone)
      values.push_back(activation.size() == 0 ? 0.0 : activation(static_cast<Index>(a)));
  }
}

// Every name that a step can report: what did not move, the solvers of `tribo list solvers`, and the methods that the solver of
// the true cone used, in its order. A name that is missing here is recorded as unknown; a test compares the lists.
std::vector<std::string> solver_names_of_steps() {
  std::vector<std::string> names = {"nothing to do",    "at rest",
                                    "find-indices",     "lemke/standard",
                                    "lemke/structural", "lemke/reduced",
                                    "dual-active-set",  "ppm",
                                    "dantzig",          "pgs",
                                    "pgs-sm",           "cone",
                                    "cone/newton",      "cone/gauss-seidel",
                                    "cone/proximal",    "enumerate"};
  constexpr const char* kMethods[] = {"states", "one contact", "small newton", "sweeps", "proximal newton"};
  for (unsigned used = 1; used < 32; ++used) {
    std::string name;
    for (unsigned k = 0; k < 5; ++k) {
      if ((used >> k & 1u) != 0) name += (name.empty() ? "" : ", ") + std::string(kMethods[k]);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::string solver_of_step(const StepReport& report) {
  const IslandReport* largest = nullptr;
  for (const IslandReport& island : report.islands) {
    if (largest == nullptr || island.contacts > largest->contacts) largest = &island;
  }
  return report.step == 0 || largest == nullptr || largest->contacts == 0 ? "" : largest->solver;
}

// Contacts of the true cone resist spinning where condim is 4, and rolling where it is 6.
bool has_turning(const Simulation& simulation) {
  const ModelDescription& d = simulation.model().description();
  const auto resists = [](const auto& element) { return element.condim > 3; };
  return std::holds_alternative<CoulombCone>(simulation.options().model) &&
         (std::any_of(d.geoms.begin(), d.geoms.end(), resists) || std::any_of(d.pairs.begin(), d.pairs.end(), resists));
}

void add_turning(const Model& model, const Data& data, const ContactRecord& record, RecordedContact& contact) {
  const std::vector<Geom>& geoms = model.description().geoms;
  const Index a = geoms[static_cast<std::size_t>(contact.geom_a)].body,
              b = geoms[static_cast<std::size_t>(contact.geom_b)].body;
  contact.mu_spin = record.mu_spin;
  contact.mu_roll = record.mu_roll;
  if (contact.mu_spin == 0.0 && contact.mu_roll == 0.0) return;
  contact.turning = calc_velocity(data, a, contact.point).angular - calc_velocity(data, b, contact.point).angular;
  contact.couple = record.frame * record.couple;
}

}  // namespace

RecordingHeader make_recording_header(const Simulation& simulation, std::string scene, std::string version) {
  const Model& model = simulation.model();
  const ModelDescription& d = model.description();
  RecordingHeader header;
  header.version = std::move(version);
  header.scene = std::move(scene);
  header.name = d.name;
  header.model = name_model(simulation.options());
  header.solver = simulation.options().solver;
  header.step = simulation.h();
  header.tolerance = simulation.options().tolerance;
  header.solvers = solver_names_of_steps();
  header.gravity = d.gravity;
  header.nq = model.nq();
  header.nv = model.nv();
  header.nk = static_cast<Index>(model.kinematic_bodies().size());
  for (Index b = 0; b < model.nb(); ++b) {
    const Body& body = d.bodies[static_cast<std::size_t>(b)];
    header.bodies.push_back(
        {body.name, body.parent, model.tree(b) >= 0 || model.carrier(b) >= 0, body.inertia.mass, body.inertia.com});
  }
  for (const Joint& joint : d.joints) {
    header.joints.push_back(joint.name);
    header.joint_kinds.emplace_back(name_of(joint.type));
  }
  for (const Tendon& tendon : d.tendons) {
    header.joints.push_back(tendon.name);
    header.joint_kinds.emplace_back("tendon");
  }
  for (const Geom& geom : d.geoms)
    header.geoms.push_back({geom.name, geom.body, geom.shape, geom.pose, geom.rgba, geom.group});
  for (const Mesh& mesh : d.meshes) {
    header.meshes.push_back(mesh);
    if (!mesh.faces.empty()) continue;
    if (Expected<Mesh> hull = make_convex_hull(mesh)) {
      header.meshes.back().vertices = std::move(hull->vertices);
      header.meshes.back().faces = std::move(hull->faces);
    }
  }
  header.height_fields = d.height_fields;
  header.sensors = list_sensors(model);
  header.turning = has_turning(simulation);
  return header;
}

void FrameMaker::see(const StepReport& report) {
  if (report.step == seen_) return;
  seen_ = report.step;
  if (severity(report.status) > severity(worst_.status) || worst_step_ == 0) {
    worst_.status = report.status;
    worst_step_ = report.step;
  }
  worst_.fallback = worst_.fallback || report.fallback;
  worst_.pivots = std::max(worst_.pivots, report.pivots);
  worst_.sweeps = std::max(worst_.sweeps, report.sweeps);
  if (std::isnan(report.worst) || report.worst > worst_.worst) worst_.worst = report.worst;
  worst_.overlap = std::max(worst_.overlap, report.overlap);
  worst_.loop_error = std::max(worst_.loop_error, report.loop_error);
  worst_.seconds = std::max(worst_.seconds, report.seconds);
  worst_.collision.pairs = std::max(worst_.collision.pairs, report.collision.pairs);
  worst_.collision.distances = std::max(worst_.collision.distances, report.collision.distances);
  worst_.collision.manifolds = std::max(worst_.collision.manifolds, report.collision.manifolds);
}

RecordedFrame FrameMaker::operator()(const Simulation& simulation) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  const StepReport& report = simulation.report();
  calc_positions(model, state, data_);
  calc_velocities(model, state, data_);
  calc_mass_matrix(model, data_);
  const Energy energy = calc_energy(model, state, data_);
  RecordedFrame frame;
  frame.step = report.step;
  frame.time = simulation.time();
  frame.state = state;
  frame.poses.resize(static_cast<std::size_t>(model.nb()));
  for (std::size_t b = 0; b < frame.poses.size(); ++b) frame.poses[b] = {data_.p[b], data_.quat[b]};
  const bool turning = has_turning(simulation);
  frame.joint_rows.reserve(simulation.joint_rows().size());
  for (const JointRowRecord& row : simulation.joint_rows()) {
    frame.joint_rows.push_back({.kind = row.kind,
                                .joint = row.joint,
                                .place = row.place,
                                .gap = row.gap,
                                .bound = row.bound,
                                .impulse = row.impulse,
                                .velocity = row.velocity,
                                .state = row.state});
  }
  frame.contacts.reserve(simulation.contacts().size());
  for (const ContactRecord& contact : simulation.contacts()) {
    frame.contacts.push_back({.geom_a = contact.shape_a,
                              .geom_b = contact.shape_b,
                              .point = contact.point,
                              .normal = contact.frame.col(2),
                              .gap = contact.gap,
                              .impulse = contact.frame * contact.impulse,
                              .mu = contact.mu,
                              .velocity = contact.frame * contact.velocity,
                              .state = contact.state});
    if (turning) add_turning(model, data_, contact, frame.contacts.back());
  }
  read_sensors(simulation, frame.sensors);
  frame.solver = solver_of_step(report);
  frame.energy = energy.kinetic + energy.potential;
  see(report);
  frame.status = worst_.status;
  frame.failed_before = static_cast<int>(std::min<std::int64_t>(report.step - worst_step_, kMostBefore));
  if (is_solved(frame.status) || worst_step_ == 0) frame.failed_before = 0;
  frame.fallback = worst_.fallback;
  frame.pivots = static_cast<std::uint32_t>(worst_.pivots);
  frame.sweeps = static_cast<std::uint32_t>(worst_.sweeps);
  frame.worst = worst_.worst;
  frame.overlap = worst_.overlap;
  frame.loop_error = worst_.loop_error;
  frame.seconds = worst_.seconds;
  frame.collision = worst_.collision;
  worst_ = {};
  worst_step_ = 0;
  return frame;
}

}  // namespace tribo
