// All that the next step depends on as bytes: a header that names the model's sizes, then numbers as they are in memory.
#include <algorithm>
#include <cstring>

#include "sim/implementation.hpp"

namespace tribo {

namespace {

constexpr char kMagic[8] = {'t', 'r', 'i', 'b', 'o', 'c', 'p', '4'};

class Writer {
 public:
  explicit Writer(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  template <typename T>
  void value(const T& x) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(&x);
    bytes_.insert(bytes_.end(), p, p + sizeof x);
  }
  void numbers(const double* x, Index count) {
    value(static_cast<std::int64_t>(count));
    for (Index i = 0; i < count; ++i) value(x[i]);
  }
  void vector(const VectorXd& x) { numbers(x.data(), x.size()); }

 private:
  std::vector<std::uint8_t>& bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  template <typename T>
  bool value(T& x) {
    if (bytes_.size() - at_ < sizeof x) return false;
    std::memcpy(&x, bytes_.data() + at_, sizeof x);
    at_ += sizeof x;
    return true;
  }
  bool numbers(double* x, Index count) {
    std::int64_t stored = 0;
    if (!value(stored) || stored != count) return false;
    for (Index i = 0; i < count; ++i) {
      if (!value(x[i])) return false;
    }
    return true;
  }
  bool vector(VectorXd& x) { return numbers(x.data(), x.size()); }
  // A vector of any size that fits into what is left.
  bool any_vector(VectorXd& x) {
    std::int64_t stored = 0;
    if (!value(stored) || stored < 0 || static_cast<std::size_t>(stored) > (bytes_.size() - at_) / sizeof(double))
      return false;
    x.resize(stored);
    for (Index i = 0; i < x.size(); ++i) {
      if (!value(x(i))) return false;
    }
    return true;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
};

bool has_dry_friction(const Model& model) {
  const auto resists = [](const auto& element) { return element.friction_loss != 0.0; };
  return std::any_of(model.joints().begin(), model.joints().end(), resists) ||
         std::any_of(model.description().tendons.begin(), model.description().tendons.end(), resists);
}

bool is_sound(const MotionMemory& motion, Index nv) {
  const auto fits = [&](const VectorXd& push) { return (push.size() == 0 || push.size() == nv) && push.allFinite(); };
  return fits(motion.push) && fits(motion.old_push);
}

bool are_leads(const VectorXd& leads, const Model& model) {
  const Index blocks = model.trees().blocks() + std::ssize(model.kinematic_bodies());
  return (leads.size() == 0 || leads.size() == blocks) &&
         std::all_of(leads.begin(), leads.end(), [](double lead) { return lead >= 0.0 && lead <= 1.0; });
}

bool has_activations(const Model& model) {
  const std::vector<Actuator>& actuators = model.description().actuators;
  return std::any_of(actuators.begin(), actuators.end(),
                     [](const Actuator& actuator) { return actuator.dynamics != ActuatorDynamics::kNone; });
}

}  // namespace

std::vector<std::uint8_t> Simulation::save_checkpoint() const {
  const Implementation& all = *implementation_;
  std::vector<std::uint8_t> bytes(kMagic, kMagic + sizeof kMagic);
  Writer out(bytes);
  for (const Index size : {all.setup.model.nq(), all.setup.model.nv(), all.setup.model.nu(), all.setup.model.nb()})
    out.value(static_cast<std::int64_t>(size));
  out.value(all.setup.h);
  out.value(all.time);
  out.value(all.report.step);
  out.vector(all.state.q);
  out.vector(all.state.v);
  for (const KinematicState& motion : all.state.kinematic) {
    out.numbers(motion.pose.p.data(), 3);
    out.numbers(motion.pose.q.coeffs().data(), 4);
    out.numbers(motion.velocity.data(), 3);
    out.numbers(motion.angular_velocity.data(), 3);
  }
  for (const std::vector<double>* leads : {&all.motion.leads, &all.motion.last_leads})
    out.numbers(leads->data(), std::ssize(*leads));
  out.vector(all.motion.push);
  out.vector(all.motion.old_push);
  out.vector(all.control);
  out.vector(all.applied);
  out.vector(all.memory.bilateral());
  out.value(static_cast<std::int64_t>(all.memory.contacts().size()));
  for (const ContactStart::AtContact& at : all.memory.contacts()) {
    out.value(static_cast<std::int64_t>(at.key.a));
    out.value(static_cast<std::int64_t>(at.key.b));
    out.value(at.key.feature);
    out.numbers(at.impulse.data(), 3);
    out.numbers(at.couple.data(), 3);
    out.numbers(at.held.data(), 3);
    out.value(at.speed);
    out.value(at.at_rest);
  }
  if (has_activations(all.setup.model)) out.vector(all.state.activation);
  if (has_dry_friction(all.setup.model)) {
    out.vector(all.memory.dry());
    for (const std::uint8_t rests : all.memory.dry_at_rest()) out.value(rests);
  }
  for (const CorrectStage::StuckPair& pair : all.correct.stuck()) {  // to the end
    out.value(static_cast<std::int64_t>(pair.shape_a));
    out.value(static_cast<std::int64_t>(pair.shape_b));
    out.numbers(pair.pose.p.data(), 3);
    out.numbers(pair.pose.q.coeffs().data(), 4);
    out.value(pair.neighbours);
  }
  return bytes;
}

Checked Simulation::load_checkpoint(const std::vector<std::uint8_t>& bytes) {
  Implementation& all = *implementation_;
  const auto refuse = [](const char* what) { return fail(what, "checkpoint", "use one that this model wrote"); };
  Reader in(bytes);
  char magic[8];
  if (!in.value(magic) || std::memcmp(magic, kMagic, sizeof magic) != 0) return refuse("this is no checkpoint");
  for (const Index size : {all.setup.model.nq(), all.setup.model.nv(), all.setup.model.nu(), all.setup.model.nb()}) {
    std::int64_t stored = 0;
    if (!in.value(stored) || stored != size) return refuse("it was written for another model");
  }
  double h = 0.0, time = 0.0;
  std::int64_t step = 0, count = 0;
  State state = all.state;
  VectorXd control = all.control, applied = all.applied, f_j;
  MotionMemory moved;
  VectorXd leads, last_leads;
  bool good = in.value(h) && in.value(time) && in.value(step) && in.vector(state.q) && in.vector(state.v);
  if (good && h != all.setup.h) return refuse("it was written with another step");
  for (KinematicState& motion : state.kinematic) {
    good = good && in.numbers(motion.pose.p.data(), 3) && in.numbers(motion.pose.q.coeffs().data(), 4) &&
           in.numbers(motion.velocity.data(), 3) && in.numbers(motion.angular_velocity.data(), 3);
  }
  good = good && in.any_vector(leads) && in.any_vector(last_leads) && in.any_vector(moved.push) &&
         in.any_vector(moved.old_push) && is_sound(moved, all.setup.model.nv()) && are_leads(leads, all.setup.model) &&
         are_leads(last_leads, all.setup.model);
  moved.leads.assign(leads.begin(), leads.end());
  moved.last_leads.assign(last_leads.begin(), last_leads.end());
  good = good && in.vector(control) && in.vector(applied) && in.any_vector(f_j) && in.value(count);
  std::vector<ContactStart::AtContact> contacts;
  for (std::int64_t i = 0; good && i < count; ++i) {
    ContactStart::AtContact at;
    std::int64_t a = 0, b = 0;
    good = in.value(a) && in.value(b) && in.value(at.key.feature) && in.numbers(at.impulse.data(), 3) &&
           in.numbers(at.couple.data(), 3) && in.numbers(at.held.data(), 3) && in.value(at.speed) &&
           in.value(at.at_rest);
    at.key.a = a;
    at.key.b = b;
    at.place = static_cast<std::int32_t>(i);
    if (good) contacts.push_back(at);
  }
  if (good && has_activations(all.setup.model)) good = in.vector(state.activation);
  VectorXd dry;
  std::vector<std::uint8_t> dry_at_rest;
  if (good && has_dry_friction(all.setup.model)) {
    good = in.any_vector(dry);
    for (Index i = 0; good && i < dry.size(); ++i) good = in.value(dry_at_rest.emplace_back());
  }
  std::vector<CorrectStage::StuckPair> stuck;
  const auto shapes = static_cast<std::int64_t>(all.setup.model.description().geoms.size());
  while (good && !in.at_end()) {
    CorrectStage::StuckPair pair;
    std::int64_t a = -1, b = -1;
    good = in.value(a) && in.value(b) && in.numbers(pair.pose.p.data(), 3) &&
           in.numbers(pair.pose.q.coeffs().data(), 4) && in.value(pair.neighbours) && a >= 0 && a < shapes && b >= 0 &&
           b < shapes;
    pair.shape_a = a;
    pair.shape_b = b;
    stuck.push_back(pair);
  }
  if (!good || !in.at_end()) return refuse("it ends too early or too late");
  if (State checked = state; !validate(all.setup.model, checked)) return refuse("its state is damaged");
  all.state = std::move(state);
  all.motion = std::move(moved);
  all.control = std::move(control);
  all.applied = std::move(applied);
  all.memory.assign(std::move(contacts), f_j, dry, dry_at_rest);
  all.correct.set_stuck(std::move(stuck));
  all.time = time;
  all.overlap_watch.forget();
  all.report = StepReport{};
  all.report.step = step;
  all.sensors.measure(all.state, all.control, all.time);
  return ok();
}

std::uint64_t Simulation::calc_hash() const {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const std::uint8_t byte : save_checkpoint()) {
    hash ^= byte;
    hash *= 1099511628211ULL;
  }
  return hash;
}

}  // namespace tribo
