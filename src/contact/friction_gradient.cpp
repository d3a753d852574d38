// FrictionGradient: derivatives for problems that are given as matrices. Local ones are ConeProblems. For global ones,
// with Ĥ = [H, G] and r̂ = (r, λ),
//     a = M⁻¹ df,   delta = Ĥᵀ a + (dw, db),   dv = a + M⁻¹ Ĥ dr̂                                              (1)
#include "tribo/certify/certify.hpp"
#include "tribo/contact/gradient.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/linalg/sparse_lu.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "contact/gradient_steps.hpp"

namespace tribo {

struct FrictionGradient::Data {
  std::optional<ConeGradient> cone;
  std::vector<ContactState> states;
  VectorXd r;  // of the contacts
  Index blocks = 0, components = 0;
  bool global = false;
  SparseMatrix W, M, H, G;  // local: W, global: the others
  IndexList joint;          // place of each column of G in the cone problem
  SparseLu M_factor;

  Index contacts() const { return static_cast<Index>(states.size()); }
  Checked differentiate(const ConeProblem& problem, const FrictionSolution& solution,
                        const ConeGradientSettings& settings);
  VectorXd gather(const VectorXd& x, Index size) const;  // of the joints
  // Gᵀ x; without joints G may have no rows either.
  VectorXd at_joints(const VectorXd& x) const { return G.cols() > 0 ? VectorXd(G.transpose() * x) : VectorXd(); }
};

Checked FrictionGradient::Data::differentiate(const ConeProblem& problem, const FrictionSolution& solution,
                                              const ConeGradientSettings& settings) {
  blocks = problem.contacts();
  components = problem.q.size();
  r = solution.r;
  // The forces of joints are not part of the answer, and no equation of a change asks for them: they stick with any.
  ConeSolution at;
  at.r = at.u = VectorXd::Zero(components);
  at.r.head(r.size()) = r;
  at.u.head(r.size()) = solution.u;
  Expected<ConeGradient> made = ConeGradient::make(problem, at, settings);
  if (!made) return Unexpected<Error>{made.error()};
  cone = std::move(made).value();
  states.assign(cone->states().begin(), cone->states().begin() + r.size() / problem.dimension);
  return ok();
}

VectorXd FrictionGradient::Data::gather(const VectorXd& x, Index size) const {
  VectorXd result(size);
  for (Index j = 0; j < size; ++j) result(j) = x(joint[static_cast<std::size_t>(j)]);
  return result;
}

FrictionGradient::FrictionGradient(std::unique_ptr<Data> data) : data_(std::move(data)) {}
FrictionGradient::~FrictionGradient() = default;
FrictionGradient::FrictionGradient(FrictionGradient&&) noexcept = default;
FrictionGradient& FrictionGradient::operator=(FrictionGradient&&) noexcept = default;

Expected<FrictionGradient> FrictionGradient::make(const LocalFriction& problem, const FrictionSolution& solution,
                                                  const ConeGradientSettings& settings) {
  if (Checked valid = validate(problem); !valid) return Unexpected<Error>{valid.error()};
  if (Checked is = check_answer(certify(problem, solution)); !is) return Unexpected<Error>{is.error()};
  ConeFormulation formulation;
  if (Checked made = formulation.update(problem); !made) return Unexpected<Error>{made.error()};
  auto data = std::make_unique<Data>();
  data->W = problem.W;
  if (Checked done = data->differentiate(formulation.problem(), solution, settings); !done) {
    return Unexpected<Error>{done.error()};
  }
  return FrictionGradient(std::move(data));
}

Expected<FrictionGradient> FrictionGradient::make(const GlobalFriction& problem, const FrictionSolution& solution,
                                                  const ConeGradientSettings& settings) {
  if (Checked valid = validate(problem); !valid) return Unexpected<Error>{valid.error()};
  if (Checked is = check_answer(certify(problem, solution)); !is) return Unexpected<Error>{is.error()};
  ConeFormulation formulation;
  if (Checked made = formulation.update(problem); !made) return Unexpected<Error>{made.error()};
  auto data = std::make_unique<Data>();
  data->global = true;
  data->M = problem.M;
  data->H = problem.H;
  data->G = problem.G;
  if (Checked done = data->differentiate(formulation.problem(), solution, settings); !done) {
    return Unexpected<Error>{done.error()};
  }
  data->M.makeCompressed();
  if (!data->M_factor.factor(data->M)) return fail("is singular", "M", "give a regular mass matrix");
  if (const Index joints = problem.G.cols(); joints > 0) {
    // Where did each column of G go? With nothing but offsets 1, 2, … the velocities of the cone problem say it.
    GlobalFriction numbered = problem;
    numbered.f.setZero();
    numbered.w.setZero();
    numbered.b = VectorXd::LinSpaced(joints, 1.0, static_cast<double>(joints));
    if (Checked made = formulation.update(numbered); !made) return Unexpected<Error>{made.error()};
    const VectorXd& q = formulation.problem().q;
    data->joint.resize(static_cast<std::size_t>(joints));
    for (Index place = solution.r.size(); place < q.size(); ++place) {
      const Index number = std::lround(q(place));
      if (number > 0) data->joint[static_cast<std::size_t>(number - 1)] = place;
    }
  }
  return FrictionGradient(std::move(data));
}

FrictionGradient::Tangent FrictionGradient::forward(const FrictionChange& change) const {
  const Data& data = *data_;
  const Index rows = data.r.size();
  const auto fits = [](const VectorXd& x, Index size) { return x.size() == 0 || x.size() == size; };
  TRIBO_REQUIRE(fits(change.mu, data.contacts()), "mu has one entry per contact");
  VectorXd delta = VectorXd::Zero(data.components), dmu = VectorXd::Zero(data.blocks), a;
  if (change.mu.size() > 0) dmu.head(change.mu.size()) = change.mu;
  if (!data.global) {
    TRIBO_REQUIRE(fits(change.q, rows), "q has one entry per component");
    TRIBO_REQUIRE(change.W.size() == 0 || (change.W.rows() == rows && change.W.cols() == rows), "W is square");
    if (change.q.size() > 0) delta += change.q;
    if (change.W.size() > 0) delta += change.W * data.r;
  } else {
    TRIBO_REQUIRE(fits(change.f, data.M.rows()) && fits(change.w, rows) && fits(change.b, data.G.cols()),
                  "f has one entry per unknown, w and b one per row");
    a = change.f.size() > 0 ? data.M_factor.solve(change.f) : VectorXd(VectorXd::Zero(data.M.rows()));
    delta.head(rows) = data.H.transpose() * a;
    if (change.w.size() > 0) delta.head(rows) += change.w;
    const VectorXd at_joints = data.at_joints(a);
    for (Index j = 0; j < data.G.cols(); ++j) {
      delta(data.joint[static_cast<std::size_t>(j)]) = at_joints(j) + (change.b.size() > 0 ? change.b(j) : 0.0);
    }
  }
  const ConeGradient::Tangent tangent = data.cone->forward(delta, dmu);
  Tangent out;
  out.u = tangent.du.head(rows);
  out.contradiction = tangent.contradiction;
  if (data.global) {
    VectorXd push = data.H * tangent.dr.head(rows);
    if (data.G.cols() > 0) push += data.G * data.gather(tangent.dr, data.G.cols());
    out.v = a + data.M_factor.solve(push);
  }
  return out;
}

FrictionChange FrictionGradient::adjoint(const VectorXd& g_u, const VectorXd& g_v) const {
  const Data& data = *data_;
  const Index rows = data.r.size();
  TRIBO_REQUIRE(g_u.size() == 0 || g_u.size() == rows, "g_u has one entry per component");
  TRIBO_REQUIRE(g_v.size() == 0 || (data.global && g_v.size() == data.M.rows()), "only global problems have v");
  VectorXd over_u = VectorXd::Zero(data.components), over_r = VectorXd::Zero(data.components);
  if (g_u.size() > 0) over_u.head(rows) = g_u;
  if (g_v.size() > 0) {
    const VectorXd x = data.M_factor.solve_transposed(g_v);
    over_r.head(rows) = data.H.transpose() * x;
    const VectorXd at_joints = data.at_joints(x);
    for (Index j = 0; j < data.G.cols(); ++j) over_r(data.joint[static_cast<std::size_t>(j)]) = at_joints(j);
  }
  const ConeGradient::Adjoint over = data.cone->adjoint(over_u, over_r);
  FrictionChange out;
  out.mu = over.mu.head(data.contacts());
  const VectorXd P = over.delta.head(rows);
  if (!data.global) {
    out.q = P;
    out.W = data.W;
    for (Index j = 0; j < out.W.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(out.W, j); entry; ++entry) entry.valueRef() = P(entry.row()) * data.r(j);
    }
    return out;
  }
  out.w = P;
  out.b = data.gather(over.delta, data.G.cols());
  VectorXd push = data.H * P;
  if (data.G.cols() > 0) push += data.G * out.b;
  if (g_v.size() > 0) push += g_v;
  out.f = data.M_factor.solve_transposed(push);
  return out;
}

const std::vector<ContactState>& FrictionGradient::states() const { return data_->states; }
const IndexList& FrictionGradient::undecided() const { return data_->cone->undecided(); }
bool FrictionGradient::unique() const { return data_->cone->unique(); }

}  // namespace tribo
