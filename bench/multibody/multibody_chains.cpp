// Chains: links one behind the other, hinges about axes at random. Cost has to grow as theory says:
//     positions, velocities, bias   O(n)
//     M                             O(n · depth) = O(n²): it is full, and every entry has to be written
#include "tribo/core/random.hpp"

#include <cmath>
#include <vector>

#include "multibody/multibody_parts.hpp"

namespace tribo {
namespace {

constexpr double kLinear = 1.15;     // largest exponent that passes for 1: caches fill up along the way
constexpr double kQuadratic = 2.15;  // for 2

Expected<Model> make_chain(Index links, std::uint64_t seed) {
  Random random(seed);
  ModelDescription chain;
  chain.name = "chain";
  const Shape rod{ShapeType::kCapsule, Vector3d(0.02, 0.04, 0.0)};
  for (Index i = 1; i <= links; ++i) {
    Body body;
    body.name = "link" + std::to_string(i);
    body.parent = i - 1;
    if (i > 1) body.pose.p = Vector3d(0.0, 0.0, 0.1);
    body.inertia = calc_mass_properties(rod).scaled(1000.0).seen_from({.p = Vector3d(0.0, 0.0, 0.05)});
    Joint joint;
    joint.name = "hinge" + std::to_string(i);
    joint.body = i;
    joint.axis = Vector3d(random.normal(), random.normal(), random.normal()).normalized();
    chain.bodies.push_back(std::move(body));
    chain.joints.push_back(std::move(joint));
  }
  return Model::make(std::move(chain));
}

// Slope of log t over log n by least squares.
double fit_exponent(const std::vector<double>& n, const std::vector<double>& t) {
  double x_mean = 0.0, y_mean = 0.0, xx = 0.0, xy = 0.0;
  const double count = static_cast<double>(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) {
    x_mean += std::log(n[i]) / count;
    y_mean += std::log(t[i]) / count;
  }
  for (std::size_t i = 0; i < n.size(); ++i) {
    xx += (std::log(n[i]) - x_mean) * (std::log(n[i]) - x_mean);
    xy += (std::log(n[i]) - x_mean) * (std::log(t[i]) - y_mean);
  }
  return xy / xx;
}

}  // namespace

void run_multibody_chains(Output& output, const BenchOptions& options) {
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{10, 30, 100} : std::vector<Index>{10, 20, 50, 100, 200, 500, 1000};
  output.line("chains: us");
  output.line("    links  positions  velocities      bias         M");
  std::vector<double> n, positions, velocities, bias, mass;
  for (const Index links : sizes) {
    output.progress(format("multibody: chain of %ld", links));
    const Expected<Model> model = make_chain(links, options.seed);
    output.progress("");
    if (!model) {
      output.promise("chain is a model", false, model.error().text());
      return;
    }
    OurEngine ours{*model, make_bench_state(*model, options.seed), Data(*model)};
    StageTimes times;
    const Stopwatch watch;
    do {
      measure_round(ours, links < 200 ? 10 : 1, times);
    } while (watch.seconds() < (options.quick ? 0.02 : 0.3));
    output.line(format("  %7ld  %9.3g   %9.3g %9.3g %9.3g", links, 1e6 * times.positions, 1e6 * times.velocities,
                       1e6 * times.bias, 1e6 * times.mass_matrix));
    output.object({{"kind", "chain"},
                   {"links", links},
                   {"positions_seconds", times.positions},
                   {"velocities_seconds", times.velocities},
                   {"bias_seconds", times.bias},
                   {"mass_matrix_seconds", times.mass_matrix}});
    n.push_back(static_cast<double>(links));
    positions.push_back(times.positions);
    velocities.push_back(times.velocities);
    bias.push_back(times.bias);
    mass.push_back(times.mass_matrix);
  }
  const auto promise = [&](const char* what, const std::vector<double>& seconds, double most) {
    const double exponent = fit_exponent(n, seconds);
    output.object({{"kind", "growth"}, {"stage", what}, {"exponent", exponent}});
    output.promise(format("time along a chain, %s", what), exponent <= most,
                   format("exponent %.2f, at most %.2f", exponent, most));
  };
  promise("positions", positions, kLinear);
  promise("velocities", velocities, kLinear);
  promise("bias", bias, kLinear);
  promise("M", mass, kQuadratic);
}

}  // namespace tribo
