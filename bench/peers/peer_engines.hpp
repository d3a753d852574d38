// The engines of `bench peers`. Those of others are optional: each is built where its package was found, else its *_absent
// twin takes its place, whose version is empty and which makes nothing. DART is loaded at run time from a module of its own
// (see other_lemke.hpp for why).
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/model.hpp"

#include <memory>
#include <string>

#include "peers/peer_scene.hpp"

namespace tribo {

// All positions of bodies are multiplied by 1 − this: neighbours that just touch in the file then overlap by about a nanometre.
// Without it, rounding decides which corners an engine finds, and stacks tip over in the first step.
inline constexpr double kPeerSeat = 1e-8;

// A scene file as it starts: from its keyframe `start` where there is one, with the controls of that keyframe.
struct PeerStart {
  std::string path;
  Model model;
  State state;
  VectorXd control;
  std::vector<PeerVector> rest;  // per body: its centre as the file says, where it should stay
  PeerScene scene;               // the same as model, state and control
};
// Fails where the scene has what not every engine can be given: other joints than free and slide, other shapes than planes,
// boxes and spheres, several frictions, or masses off the centre of their frame.
Expected<PeerStart> load_peer_start(const std::string& path);
// As the model's q and v.
State make_peer_state(const PeerStart& start, const std::vector<PeerMotion>& bodies);
void read_peer_state(const PeerStart& start, const double* q, const double* v, std::vector<PeerMotion>& bodies);

using PeerMade = Expected<std::unique_ptr<PeerEngine>>;

// What our own steps say beyond motions.
struct TriboNews {
  long not_certified = 0, fallbacks = 0, at_rest = 0;  // steps; at_rest: without pivot and sweep
  double worst = 0.0;                                  // certificate
  double overlap = 0.0, correction = 0.0;              // m
};
// Default options: true cone, one thread; compliant: steel instead of rigid contacts. `news` must outlive the engine.
PeerMade make_tribo_engine(const PeerStart& start, bool compliant, TriboNews& news);

// Its version: mujoco_version() of bench multibody.
// Elliptic cones, impratio 10, solref 4h, solimp 0.999/0.9999. newton: false, conjugate gradients: on elliptic cones its Newton
// method costs O(contacts · nv²).
PeerMade make_mujoco_engine(const PeerStart& start, bool newton);

std::string peer_ode_version();
// CFM 1e-7, no surface layer. quick_iterations: 0, dWorldStep; else dWorldQuickStep with so many.
PeerMade make_ode_engine(const PeerStart& start, int quick_iterations);

std::string peer_bullet_version();
// Sequential impulses, double precision.
PeerMade make_bullet_engine(const PeerStart& start, int iterations);

std::string peer_dart_version();
// Dantzig, its default, with ERP 0.2.
PeerMade make_dart_engine(const PeerStart& start);

}  // namespace tribo
