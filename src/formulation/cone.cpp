#include "tribo/formulation/cone.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/accurate.hpp"

#include "formulation/cone_contact.hpp"
#include "formulation/cone_global.hpp"
#include "formulation/cone_local.hpp"

namespace tribo {

class ConeFormulation::Workspace {
 public:
  enum class Source { kNone, kContact, kLocal, kGlobal };

  void forget_scales() {  // matrices are judged by the largest |q_i|
    problem.norm.resize(0);
    problem.speed.resize(0);
  }

  Source source = Source::kNone;
  ConeProblem problem;
  ContactCone contact;
  LocalCone local;
  GlobalCone global;
  const LocalFriction* local_problem = nullptr;
};

ConeFormulation::ConeFormulation() : workspace_(std::make_unique<Workspace>()) {}
ConeFormulation::~ConeFormulation() = default;
ConeFormulation::ConeFormulation(ConeFormulation&&) noexcept = default;
ConeFormulation& ConeFormulation::operator=(ConeFormulation&&) noexcept = default;

Checked ConeFormulation::update(const ContactProblem& problem, ConeForm form) {
  workspace_->source = Workspace::Source::kNone;
  if (Checked done = workspace_->contact.update(problem, form, workspace_->problem); !done) return done;
  workspace_->source = Workspace::Source::kContact;
  return ok();
}

Checked ConeFormulation::update(const LocalFriction& problem) {
  workspace_->forget_scales();
  workspace_->local.update(problem, workspace_->problem);
  workspace_->local_problem = &problem;
  workspace_->source = Workspace::Source::kLocal;
  return ok();
}

Checked ConeFormulation::update(const GlobalFriction& problem, ConeForm form) {
  workspace_->forget_scales();
  workspace_->source = Workspace::Source::kNone;
  if (Checked done = workspace_->global.update(problem, form, workspace_->problem); !done) return done;
  workspace_->source = Workspace::Source::kGlobal;
  return ok();
}

bool ConeFormulation::consistent() const {
  return workspace_->source != Workspace::Source::kContact || workspace_->contact.consistent();
}

ContactSolution ConeFormulation::inconsistency() const {
  TRIBO_REQUIRE(!consistent(), "the bilateral rows agree with one another");
  return workspace_->contact.inconsistency();
}

const ConeProblem& ConeFormulation::problem() const { return workspace_->problem; }

void ConeFormulation::lift(const ConeSolution& solution, ContactSolution& out) {
  TRIBO_REQUIRE(workspace_->source == Workspace::Source::kContact, "the last update was not of a contact problem");
  TRIBO_REQUIRE(solution.r.size() == workspace_->problem.q.size(), "the answer must be one of this problem");
  workspace_->contact.lift(solution.r, out);
}

void ConeFormulation::lift(const ConeSolution& solution, FrictionSolution& out) {
  TRIBO_REQUIRE(solution.r.size() == workspace_->problem.q.size(), "the answer must be one of this problem");
  if (workspace_->source == Workspace::Source::kGlobal) {
    workspace_->global.lift(solution.r, out);
    return;
  }
  TRIBO_REQUIRE(workspace_->source == Workspace::Source::kLocal, "the last update was not of a friction problem");
  const LocalFriction& problem = *workspace_->local_problem;
  out.r = solution.r;
  out.u = accurate_affine(problem.W, out.r, problem.q);
  out.v.resize(0);
}

void ConeFormulation::warm_start(const ContactSolution& known, ConeWarmStart& warm) const {
  TRIBO_REQUIRE(workspace_->source == Workspace::Source::kContact, "the last update was not of a contact problem");
  workspace_->contact.warm_start(known, warm);
}

ConeComponent ConeFormulation::component(Index place) const {
  TRIBO_REQUIRE(workspace_->source == Workspace::Source::kContact, "the last update was not of a contact problem");
  TRIBO_REQUIRE(place >= 0 && place < workspace_->problem.q.size(), "the place must be one of r");
  return workspace_->contact.component(place);
}

Index ConeFormulation::contact_of(Index block) const {
  TRIBO_REQUIRE(workspace_->source == Workspace::Source::kContact, "the last update was not of a contact problem");
  return workspace_->contact.contact_of(block);
}

double ConeFormulation::calc_spring(Index row) const {
  TRIBO_REQUIRE(workspace_->source == Workspace::Source::kContact, "the last update was not of a contact problem");
  return workspace_->contact.calc_spring(row);
}

void ConeFormulation::lift_states(const std::vector<ContactState>& blocks, std::vector<ContactState>& contacts) const {
  contacts.clear();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (contact_of(static_cast<Index>(k)) >= 0) contacts.push_back(blocks[k]);
  }
}

}  // namespace tribo
