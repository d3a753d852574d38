// Robots at random on floors at random, as MJCF: trees of capsules, boxes and spheres on hinges, slides and balls, with limits, dry
// friction, servos, a tendon and a closed loop; contacts of condim 1, 3, 4 and 6 with coefficients from 1e-4 to 2; floors of a plane
// and of tilted boxes. A text, so that a robot that fails can be kept and run by itself.
#pragma once

#include "tribo/core/random.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tribo::testing {

class RandomRobot {
 public:
  explicit RandomRobot(std::uint64_t seed) : random_(seed) {}

  // What stands inside <mujoco>.
  std::string make() {
    collides_with_itself_ = random_.chance(0.3);
    const bool free = random_.chance(0.7);
    std::string world = make_floor();
    std::string tree;
    const auto links = random_.integer(1, 8);
    add_link(tree, free ? "free" : "fixed", links);
    world += tree;
    std::string text = "<compiler angle=\"radian\"/><worldbody>" + world + "</worldbody>";
    text += make_actuators() + make_tendon() + make_loop();
    return text;
  }

  double swing(std::size_t actuator, double t) const {
    return amplitude_[actuator] * std::sin(6.0 * t + static_cast<double>(actuator));
  }
  std::size_t actuators() const { return amplitude_.size(); }

 private:
  double power(double low, double high) { return std::exp(random_.uniform(std::log(low), std::log(high))); }
  static std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", x);
    return text;
  }
  std::string numbers(std::initializer_list<double> all) {
    std::string text;
    for (const double x : all) text += (text.empty() ? "" : " ") + number(x);
    return text;
  }
  std::string direction() {
    return numbers({random_.uniform(-1.0, 1.0), random_.uniform(-1.0, 1.0), random_.uniform(0.1, 1.0)});
  }
  std::string place(double reach) {
    return numbers({random_.uniform(-reach, reach), random_.uniform(-reach, reach), random_.uniform(-reach, reach)});
  }

  std::string surface() {
    static constexpr int kCondim[] = {1, 3, 4, 6};
    const int condim = kCondim[random_.integer(0, 3)];
    return " condim=\"" + std::to_string(condim) + "\" friction=\"" +
           numbers({power(1e-4, 2.0), power(1e-4, 0.1), power(1e-4, 0.1)}) + "\"";
  }

  std::string make_floor() {
    const std::string shared = " contype=\"2\" conaffinity=\"1\"";
    std::string text = "<geom type=\"plane\" size=\"5 5 1\"" + shared + surface() + "/>";
    for (auto k = random_.integer(0, 3); k > 0; --k) {
      text += "<geom type=\"box\" size=\"" + numbers({power(0.1, 1.0), power(0.1, 1.0), power(0.02, 0.2)}) +
              "\" pos=\"" + numbers({random_.uniform(-0.6, 0.6), random_.uniform(-0.6, 0.6), 0.0}) + "\" euler=\"" +
              numbers({random_.uniform(-0.4, 0.4), random_.uniform(-0.4, 0.4), random_.uniform(-1.0, 1.0)}) + "\"" +
              shared + surface() + "/>";
    }
    return text;
  }

  std::string make_geom(double size) {
    std::string text = "<geom ";
    switch (random_.integer(0, 2)) {
      case 0:
        text += "type=\"sphere\" size=\"" + number(size) + "\"";
        break;
      case 1:
        text += "type=\"capsule\" size=\"" + number(0.4 * size) + "\" fromto=\"0 0 0 " + place(2.0 * size) + "\"";
        break;
      default:
        text += "type=\"box\" size=\"" + numbers({size, size * power(0.3, 1.0), size * power(0.3, 1.0)}) + "\"";
    }
    text += " density=\"" + number(power(100.0, 8000.0)) + "\" contype=\"1\" conaffinity=\"" +
            (collides_with_itself_ ? "3" : "2") + "\"" + surface() + "/>";
    return text;
  }

  std::string make_joint() {
    const std::string name = "j" + std::to_string(made_++);
    const auto kind = random_.integer(0, 9);
    std::string text = "<joint name=\"" + name + "\" ";
    if (kind == 0) {
      text += "type=\"ball\"";
    } else {
      text += (kind <= 2 ? "type=\"slide\" axis=\"" : "type=\"hinge\" axis=\"") + direction() + "\"";
      if (random_.chance(0.6)) {
        text += " limited=\"true\" range=\"" + numbers({-power(1e-3, 1.0), power(1e-3, 1.0)}) + "\"";  // 0 is inside
      }
      joints_.push_back(name);
    }
    if (random_.chance(0.6)) text += " frictionloss=\"" + number(power(1e-3, 5.0)) + "\"";
    if (random_.chance(0.5)) text += " damping=\"" + number(power(1e-3, 1.0)) + "\"";
    if (random_.chance(0.5)) text += " armature=\"" + number(power(1e-4, 0.1)) + "\"";
    return text + "/>";
  }

  void add_link(std::string& text, const std::string& root, std::int64_t links) {
    std::vector<std::string> open;  // links whose bodies may get children: by depth, a chain with side branches
    const double size = power(0.03, 0.15);
    text += "<body name=\"b0\" pos=\"0 0 " + number(random_.uniform(0.1, 0.6)) + "\">";
    text += root == "free" ? "<freejoint/>" : make_joint();
    text += make_geom(size);
    bodies_ = 1;
    int depth = 1;
    for (std::int64_t k = 1; k < links; ++k) {
      while (depth > 1 && random_.chance(0.35)) {
        text += "</body>";
        --depth;
      }
      text += "<body name=\"b" + std::to_string(bodies_++) + "\" pos=\"" + place(2.0 * size) + "\">" + make_joint() +
              make_geom(size * power(0.4, 1.0));
      ++depth;
    }
    for (; depth > 0; --depth) text += "</body>";
  }

  std::string make_actuators() {
    std::string text;
    for (const std::string& joint : joints_) {
      if (!random_.chance(0.6)) continue;
      const double stiffness = power(0.1, 300.0);
      text += "<position joint=\"" + joint + "\" kp=\"" + number(stiffness) + "\"" +
              (random_.chance(0.5) ? " forcerange=\"-20 20\"" : "") + "/>";
      amplitude_.push_back(random_.chance(0.5) ? random_.uniform(0.0, 0.6) : 0.0);
    }
    return text.empty() ? text : "<actuator>" + text + "</actuator>";
  }

  std::string make_tendon() {
    if (joints_.size() < 2 || !random_.chance(0.3)) return {};
    return "<tendon><fixed limited=\"true\" range=\"" + numbers({-power(0.01, 0.5), power(0.01, 0.5)}) +
           "\"><joint joint=\"" + joints_[0] + "\" coef=\"1\"/><joint joint=\"" + joints_.back() + "\" coef=\"" +
           number(random_.uniform(-1.0, 1.0)) + "\"/></fixed></tendon>";
  }

  std::string make_loop() {
    if (bodies_ < 3 || !random_.chance(0.3)) return {};
    return "<equality><connect body1=\"b0\" body2=\"b" + std::to_string(bodies_ - 1) + "\" anchor=\"" + place(0.1) +
           "\"/></equality>";
  }

  Random random_;
  bool collides_with_itself_ = false;
  std::vector<std::string> joints_;  // that slide or turn about an axis
  std::vector<double> amplitude_;    // of the servos' targets
  int bodies_ = 0, made_ = 0;        // made_: joints
};

}  // namespace tribo::testing
