#include "multibody/muscle.hpp"

#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "multibody/check.hpp"
#include "multibody/placement.hpp"
#include "multibody/tendons.hpp"

namespace tribo {

namespace {

constexpr double kTiny = 1e-15;       // divisors below count as this
constexpr int kSamples = 16;          // of a joint's range: a length has few extremes over one joint
constexpr int kHalvings = 20;         // of the sample distance around the best one: lengths are right to its square
constexpr int kMostPasses = 20;       // over all joints
constexpr double kLeastGain = 1e-9;   // m or rad, of a pass: below it the extreme is found
constexpr double kLeastRange = 1e-6;  // m or rad: a muscle that hardly changes its length

// A value and its slope.
struct Curve {
  double value = 0.0, slope = 0.0;
};

double divisor(double x) { return std::max(kTiny, x); }

Curve calc_length_curve(double L, double lmin, double lmax) {
  if (L < lmin || L > lmax) return {};
  const double a = 0.5 * (lmin + 1.0), b = 0.5 * (1.0 + lmax);
  if (L <= a || L > b) {  // the feet
    const double width = divisor(L <= a ? a - lmin : lmax - b), x = (L <= a ? L - lmin : lmax - L) / width;
    return {0.5 * x * x, (L <= a ? x : -x) / width};
  }
  const double width = divisor(L <= 1.0 ? 1.0 - a : b - 1.0), x = (L - 1.0) / width;
  return {1.0 - 0.5 * x * x, -x / width};
}

Curve calc_speed_curve(double V, double fvmax) {
  const double y = fvmax - 1.0;
  if (V <= -1.0) return {};
  if (V <= 0.0) return {(V + 1.0) * (V + 1.0), 2.0 * (V + 1.0)};
  if (V > y) return {fvmax, 0.0};
  return {fvmax - (y - V) * (y - V) / divisor(y), 2.0 * (y - V) / divisor(y)};
}

Curve calc_passive_curve(double L, double lmax, double fpmax) {
  if (L <= 1.0) return {};
  const double b = 0.5 * (1.0 + lmax), width = divisor(b - 1.0);
  if (L > b) return {fpmax * (0.5 + (L - b) / width), fpmax / width};
  const double x = (L - 1.0) / width;
  return {0.5 * fpmax * x * x, fpmax * x / width};
}

// 0 to 1 with flat ends.
double calc_smooth_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10.0 + x * (6.0 * x - 15.0));
}

// The extremes of an actuator's length over the ranges of hinges and slides, joint by joint from the reference.
class RangeSearch {
 public:
  RangeSearch(const Model& model, Index actuator)
      : model_(model), actuator_(actuator), data_(model), state_(make_state(model)) {
    data_.keeps_trees = true;
    const ModelDescription& d = model.description();
    const Actuator& pulling = d.actuators[actuator];
    std::vector<Index> bodies;
    if (pulling.transmission == Transmission::kTendon) {
      bodies = find_tendon_bodies(d, d.tendons[pulling.target]);
    } else if (pulling.transmission == Transmission::kSite) {
      bodies = {d.sites[pulling.target].body};
      if (pulling.reference_site >= 0) bodies.push_back(d.sites[pulling.reference_site].body);
    } else if (pulling.transmission == Transmission::kJoint) {
      bodies = {d.joints[pulling.target].body};
    }
    // What moves these bodies may change the length.
    std::vector<std::uint8_t> moves(d.bodies.size(), 0);
    for (Index body : bodies) {
      for (; body > 0; body = d.bodies[body].parent) moves[body] = 1;
    }
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (moves[d.joints[j].body] != 0 && calc_nq(d.joints[j].type) == 1) joints_.push_back(static_cast<Index>(j));
    }
  }

  Expected<double> find(double sign) {
    state_ = make_state(model_);
    double best = sign * measure();
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const double before = best;
      for (const Index joint : joints_) {
        if (Checked done = improve(joint, sign, best); !done) return Unexpected<Error>{done.error()};
      }
      if (best - before < kLeastGain) break;
    }
    return sign * best;
  }

 private:
  double measure() {
    const Actuator& pulling = model_.description().actuators[actuator_];
    place_bodies(model_, state_, data_);
    if (pulling.transmission == Transmission::kTendon) place_tendon(model_, state_, pulling.target, data_);
    return calc_drive(model_, state_, data_, actuator_, 0.0, 0.0).length;
  }

  Checked improve(Index j, double sign, double& best) {
    const Joint& joint = model_.joints()[j];
    double& q = state_.q(model_.q_start(j));
    double at = q;
    const auto value_at = [&](double x) {
      q = x;
      return sign * measure();
    };
    const bool turns = joint.type == JointType::kHinge;
    const double lower = joint.limited ? joint.lower : at - (turns ? std::numbers::pi : 1.0);
    const double upper = joint.limited ? joint.upper : at + (turns ? std::numbers::pi : 1.0);
    const double spacing = (upper - lower) / kSamples;
    const double before = best;
    for (int k = 0; k <= kSamples; ++k) {
      const double x = lower + k * spacing, value = value_at(x);
      if (value > best) {
        best = value;
        at = x;
      }
    }
    for (double step = 0.5 * spacing; best > before && step > spacing * std::ldexp(1.0, -kHalvings); step *= 0.5) {
      for (const double x : {std::max(lower, at - step), std::min(upper, at + step)}) {
        const double value = value_at(x);
        if (!(value > best)) continue;
        best = value;
        at = x;
      }
    }
    q = at;
    if (best > before && !joint.limited && !turns)
      return fail("the slide '" + joint.name + "' has no range, and so the muscle's length has none", "",
                  "give the joint a range, or the muscle a lengthrange");
    return ok();
  }

  const Model& model_;
  Index actuator_;
  Data data_;
  State state_;
  std::vector<Index> joints_;
};

}  // namespace

Drive calc_muscle(const Muscle& muscle, double length, double speed, double activation) {
  const double L0 = divisor((muscle.length_upper - muscle.length_lower) / divisor(muscle.range[1] - muscle.range[0]));
  const double L = muscle.range[0] + (length - muscle.length_lower) / L0;
  const double V = speed / divisor(L0 * muscle.vmax);
  const Curve at_length = calc_length_curve(L, muscle.lmin, muscle.lmax);
  const Curve at_speed = calc_speed_curve(V, muscle.fvmax);
  const Curve passive = calc_passive_curve(L, muscle.lmax, muscle.fpmax);
  Drive drive;
  drive.length = length;
  drive.speed = speed;
  drive.force = -muscle.force * (at_length.value * at_speed.value * activation + passive.value);
  drive.stiffness = muscle.force * (at_length.slope * at_speed.value * activation + passive.slope) / L0;
  drive.damping = muscle.force * at_length.value * at_speed.slope * activation / divisor(L0 * muscle.vmax);
  return drive;
}

double calc_muscle_time(const Muscle& muscle, double activation, double control) {
  const double level = 0.5 + 1.5 * std::clamp(activation, 0.0, 1.0);
  const double rise = muscle.rise_time * level, decay = muscle.decay_time / level;
  const double missing = control - activation;
  if (muscle.smoothing < kTiny) return missing > 0.0 ? rise : decay;
  return decay + (rise - decay) * calc_smooth_step(missing / muscle.smoothing + 0.5);
}

Checked complete_muscles(const Model& model, std::vector<Actuator>& actuators) {
  VectorXd arms(model.nv());
  for (std::size_t u = 0; u < actuators.size(); ++u) {
    if (!actuators[u].muscle) continue;
    Muscle& muscle = *actuators[u].muscle;
    const auto index = static_cast<Index>(u);
    const std::string where = call("actuator", actuators[u].name, index);
    if (!(muscle.length_lower < muscle.length_upper)) {
      RangeSearch search(model, index);
      const Expected<double> low = search.find(-1.0), high = search.find(1.0);
      if (!low) return Unexpected<Error>{low.error().within(where)};
      if (!high) return Unexpected<Error>{high.error().within(where)};
      if (!(*high - *low > kLeastRange))
        return fail("the joints do not change the length of the muscle", where, "give it a lengthrange");
      muscle.length_lower = *low;
      muscle.length_upper = *high;
    }
    if (muscle.force >= 0.0) continue;
    Data data(model);
    const State state = make_state(model);
    calc_positions(model, state, data);
    calc_mass_matrix(model, data);
    calc_arms(model, state, data, index, arms);
    const Expected<VectorXd> acceleration = solve_mass(model, data, arms);
    if (!acceleration) return Unexpected<Error>{acceleration.error().within(where)};
    muscle.force = muscle.scale / divisor(acceleration->norm());
  }
  return ok();
}

}  // namespace tribo
