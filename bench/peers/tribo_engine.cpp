// Ours, in the shape of the others: the step of Simulation with default options, rigid or compliant, certificates included.
#include "tribo/sim/simulation.hpp"

#include <algorithm>
#include <utility>

#include "peers/peer_engines.hpp"

namespace tribo {
namespace {

class TriboEngine final : public PeerEngine {
 public:
  TriboEngine(const PeerStart& start, Simulation simulation, TriboNews& news)
      : start_(start), simulation_(std::move(simulation)), news_(news) {}

  void step() override {
    const StepReport& report = simulation_.step();
    const bool certified = is_certified(report);
    if (!certified && news_.not_certified == 0) complaint_ = report.detail;
    news_.not_certified += certified ? 0 : 1;
    news_.fallbacks += report.fallback ? 1 : 0;
    news_.at_rest += report.pivots == 0 && report.sweeps == 0 ? 1 : 0;
    news_.worst = std::max(news_.worst, report.worst);
    news_.overlap = std::max(news_.overlap, report.overlap);
    news_.correction = std::max(news_.correction, report.correction);
  }
  void read(std::vector<PeerMotion>& bodies) const override {
    read_peer_state(start_, simulation_.state().q.data(), simulation_.state().v.data(), bodies);
  }
  long contacts() const override { return simulation_.report().contacts; }
  long complaints() const override { return news_.not_certified; }
  std::string complaint() const override { return complaint_; }

 private:
  bool is_certified(const StepReport& report) const {
    return report.status == Status::kSolved && report.worst <= simulation_.options().tolerance;
  }

  const PeerStart& start_;
  Simulation simulation_;
  TriboNews& news_;
  std::string complaint_;
};

}  // namespace

PeerMade make_tribo_engine(const PeerStart& start, bool compliant, TriboNews& news) {
  Expected<Simulation> simulation =
      Simulation::make(start.model, {.model = CoulombCone{}, .threads = 1, .compliant = compliant});
  if (!simulation) return Unexpected<Error>{simulation.error()};
  simulation->set_state(start.state);
  simulation->control() = start.control;
  return PeerMade(std::make_unique<TriboEngine>(start, std::move(*simulation), news));
}

}  // namespace tribo
