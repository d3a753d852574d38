#include "tribo/contact/gradient.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/problem/model.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "contact/contact_change.hpp"
#include "contact/gradient_steps.hpp"

namespace tribo {
namespace {

// One row of the problem that takes part: where it is in the cone problem, and with which scale.
struct Row {
  int kind = 0;
  Index row = 0;
  Index place = 0;
  double sigma = 1.0, impulse = 0.0;
  double eased = 0.0;        // impulse that the compliance gives way to: less what springs hold
  double u = 0.0;            // of the cone problem
  double coefficient = 0.0;  // > 0: of an elliptic cone, changes by scaling the row
  double compliance = 0.0;
};

// The spring that holds the pressure of a row of dry friction at its bound: u_N = stiffness (r_N − bound).
struct Pressure {
  Index place = 0;
  double stiffness = 0.0;
};

}  // namespace

struct ContactGradient::Data {
  ContactProblem problem;
  VectorXd v_next;
  BlockCholesky factor;
  std::vector<Row> rows;
  std::vector<Pressure> pressures;     // per row of D
  std::vector<std::uint8_t> elliptic;  // per contact
  IndexList blocks_of;                 // per contact: its block of the cone problem
  Index blocks = 0, components = 0;    // of the cone problem
  std::optional<ConeGradient> cone;
  std::vector<ContactState> states;
  IndexList undecided, undecided_dry;

  void find_rows(const ConeFormulation& formulation, const ContactSolution& solution, const VectorXd& u);
  const BlockRows& rows_at(const Row& row) const { return *rows_of(problem)[static_cast<std::size_t>(row.kind)]; }
  void require_sizes(const ContactChange& change) const;
  // Relative change of the row's scale: a coefficient of an elliptic cone.
  static double growth(const Row& row, const ContactChange& change) {
    return row.coefficient > 0.0 ? entry(coefficient_of(change, row.kind), row.row) / row.coefficient : 0.0;
  }
};

void ContactGradient::Data::find_rows(const ConeFormulation& formulation, const ContactSolution& solution,
                                      const VectorXd& u) {
  // By ConeRow; dry friction is no kind of the contacts.
  constexpr int kKindOf[] = {0, 1, 2, 3, 4, 5, kJoint, kDry};
  elliptic.assign(static_cast<std::size_t>(problem.size()), 0);
  for (Index block = 0; block < blocks; ++block) {
    if (formulation.contact_of(block) >= 0) blocks_of.push_back(block);
  }
  pressures.resize(static_cast<std::size_t>(problem.dry()));
  for (Index place = 0; place < u.size(); ++place) {
    const ConeComponent component = formulation.component(place);
    if (component.kind == ConeRow::kNone) continue;  // filled up
    if (component.kind == ConeRow::kPressure) {
      pressures[static_cast<std::size_t>(component.row)] = {place, formulation.calc_spring(component.row)};
      continue;
    }
    Row row;
    row.kind = kKindOf[static_cast<int>(component.kind)];
    row.row = component.row;
    row.place = place;
    row.sigma = component.sigma;
    row.impulse = (*impulses_of(solution)[static_cast<std::size_t>(row.kind)])(row.row);
    row.eased = row.impulse;
    row.u = u(place);
    if (row.kind < kJoint) {
      const Contact& contact = problem.contacts[static_cast<std::size_t>(row.row)];
      if (row.kind >= 3) elliptic[static_cast<std::size_t>(row.row)] = 1;
      if (row.kind < 3) row.compliance = *compliance_of(contact, row.kind);
      if (row.kind == 1) row.eased -= contact.held_s;
      if (row.kind == 2) row.eased -= contact.held_t;
    }
    rows.push_back(row);
  }
  for (Row& row : rows) {
    if (row.kind == kNormal || row.kind >= kJoint || !elliptic[static_cast<std::size_t>(row.row)]) continue;
    row.coefficient = *coefficient_of(problem.contacts[static_cast<std::size_t>(row.row)], row.kind);
  }
}

void ContactGradient::Data::require_sizes(const ContactChange& change) const {
  const auto fits = [](const VectorXd& x, Index size) { return x.size() == 0 || x.size() == size; };
  const Index m = problem.dof(), n = problem.size();
  TRIBO_REQUIRE(fits(change.v, m) && fits(change.f, m), "v and f have one entry per degree of freedom");
  TRIBO_REQUIRE(fits(change.b_N, n) && fits(change.b_J, problem.bilateral()), "offsets have one entry per row");
  TRIBO_REQUIRE(fits(change.bound, problem.dry()), "bounds have one entry per row of D");
  TRIBO_REQUIRE(fits(change.mu, n) && fits(change.mu_spin, n) && fits(change.mu_roll, n) &&
                    fits(change.compliance, n) && fits(change.tangential_compliance, n),
                "coefficients have one entry per contact");
  TRIBO_REQUIRE(change.mass.size() == 0 || change.mass.layout() == problem.mass.layout(),
                "a change of the mass has the blocks of the mass");
  const auto given = rows_of(change), own = rows_of(problem);
  for (std::size_t k = 0; k < kKinds; ++k) {
    TRIBO_REQUIRE(given[k]->rows() == 0 || (given[k]->rows() == own[k]->rows() && given[k]->cols() == m),
                  "a change of rows has as many of them as the problem");
  }
}

ContactGradient::ContactGradient(std::unique_ptr<Data> data) : data_(std::move(data)) {}
ContactGradient::~ContactGradient() = default;
ContactGradient::ContactGradient(ContactGradient&&) noexcept = default;
ContactGradient& ContactGradient::operator=(ContactGradient&&) noexcept = default;

Expected<ContactGradient> ContactGradient::make(const ContactProblem& problem, const ContactSolution& solution,
                                                const ConeGradientSettings& settings) {
  if (Checked valid = validate(problem); !valid) return Unexpected<Error>{valid.error()};
  ConeFormulation formulation;
  auto data = std::make_unique<Data>();
  data->problem = problem;
  if (Checked made = formulation.update(data->problem); !made) return Unexpected<Error>{made.error()};
  if (Checked is = check_answer(certify(problem, CoulombCone{}, solution)); !is) return Unexpected<Error>{is.error()};
  if (Checked done = data->factor.assign(problem.mass); !done) return Unexpected<Error>{done.error()};
  const ConeProblem& cone = formulation.problem();
  ConeWarmStart known;
  formulation.warm_start(solution, known);
  ConeSolution at;
  at.r = known.r;
  at.u = calc_velocity(cone, at.r);
  data->v_next = solution.v_next;
  data->blocks = cone.contacts();
  data->components = cone.q.size();
  data->find_rows(formulation, solution, at.u);
  Expected<ConeGradient> made = ConeGradient::make(cone, at, settings);
  if (!made) return Unexpected<Error>{made.error()};
  data->cone = std::move(made).value();
  formulation.lift_states(data->cone->states(), data->states);
  for (const Index block : data->cone->undecided()) {
    const Index contact = formulation.contact_of(block);
    if (contact >= 0) data->undecided.push_back(contact);
    const ConeComponent pressure = formulation.component(block * cone.dimension);
    if (pressure.kind == ConeRow::kPressure) data->undecided_dry.push_back(pressure.row);
  }
  return ContactGradient(std::move(data));
}

VectorXd ContactGradient::forward(const ContactChange& change, double* contradiction) const {
  const Data& data = *data_;
  const ContactProblem& problem = data.problem;
  data.require_sizes(change);
  VectorXd push = VectorXd::Zero(problem.dof());  // (1)
  if (change.v.size() > 0) push += problem.mass.multiply(change.v);
  if (change.mass.size() > 0) push += change.mass.multiply(problem.v - data.v_next);
  if (change.f.size() > 0) push += problem.h * change.f;
  push += change.h * problem.f;
  const auto row_changes = rows_of(change);
  const auto row_change = [&](const Row& row) -> const BlockRows* {
    const BlockRows* rows = row_changes[static_cast<std::size_t>(row.kind)];
    return rows->rows() > 0 ? rows : nullptr;
  };
  for (const Row& row : data.rows) {
    if (const BlockRows* rows = row_change(row)) rows->add_scaled(row.row, row.impulse, push);
    const double growth = Data::growth(row, change);
    if (growth != 0.0) data.rows_at(row).add_scaled(row.row, growth * row.impulse, push);
  }
  data.factor.solve(push);

  VectorXd delta = VectorXd::Zero(data.components), dmu = VectorXd::Zero(data.blocks);  // (2)
  for (const Row& row : data.rows) {
    const double growth = Data::growth(row, change);
    double moved = data.rows_at(row).dot(row.row, push) + entry(offset_of(change, row.kind), row.row) +
                   row.eased * entry(compliance_of(change, row.kind), row.row) + row.impulse * growth * row.compliance;
    if (const BlockRows* rows = row_change(row)) moved += rows->dot(row.row, data.v_next);
    delta(row.place) = row.sigma * moved + growth * row.u;
  }
  for (std::size_t i = 0; i < data.pressures.size(); ++i) {
    const Pressure& pressure = data.pressures[i];
    delta(pressure.place) = -pressure.stiffness * entry(&change.bound, static_cast<Index>(i));
  }
  for (Index i = 0; i < problem.size(); ++i) {
    if (!data.elliptic[static_cast<std::size_t>(i)])
      dmu(data.blocks_of[static_cast<std::size_t>(i)]) = entry(&change.mu, i);
  }
  const ConeGradient::Tangent tangent = data.cone->forward(delta, dmu);
  if (contradiction != nullptr) *contradiction = tangent.contradiction;
  VectorXd impulse = VectorXd::Zero(problem.dof());
  for (const Row& row : data.rows) {
    data.rows_at(row).add_scaled(row.row, row.sigma * tangent.dr(row.place), impulse);
  }
  data.factor.solve(impulse);
  return push + impulse;
}

ContactChange ContactGradient::adjoint(const VectorIn& g) const {
  const Data& data = *data_;
  const ContactProblem& problem = data.problem;
  TRIBO_REQUIRE(g.size() == problem.dof(), "the gradient over v⁺ has one entry per degree of freedom");
  VectorXd x = g, g_r = VectorXd::Zero(data.components);
  data.factor.solve(x);
  for (const Row& row : data.rows) g_r(row.place) = row.sigma * data.rows_at(row).dot(row.row, x);
  const ConeGradient::Adjoint over = data.cone->adjoint(VectorXd::Zero(data.components), g_r);

  ContactChange out;
  out.v = g;
  for (const Row& row : data.rows) data.rows_at(row).add_scaled(row.row, row.sigma * over.delta(row.place), out.v);
  x = out.v;
  data.factor.solve(x);
  out.f = problem.h * x;
  out.h = problem.f.dot(x);
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    const Index start = problem.mass.layout().start(b), size = problem.mass.layout().size(b);
    const MatrixXd product = x.segment(start, size) * (problem.v - data.v_next).segment(start, size).transpose();
    out.mass.append(0.5 * (product + product.transpose()));
  }
  const Index n = problem.size();
  for (VectorXd* per_contact :
       {&out.b_N, &out.mu, &out.mu_spin, &out.mu_roll, &out.compliance, &out.tangential_compliance}) {
    per_contact->setZero(n);
  }
  out.b_J.setZero(problem.bilateral());
  out.bound.resize(problem.dry());
  for (std::size_t i = 0; i < data.pressures.size(); ++i) {
    const Pressure& pressure = data.pressures[i];
    out.bound(static_cast<Index>(i)) = -pressure.stiffness * over.delta(pressure.place);
  }
  for (Index i = 0; i < n; ++i) {
    if (!data.elliptic[static_cast<std::size_t>(i)]) out.mu(i) = over.mu(data.blocks_of[static_cast<std::size_t>(i)]);
  }
  std::array<VectorXd, kKinds> impulses, multipliers;  // λ and P of (3)
  const auto kinds = rows_of(problem);
  for (std::size_t k = 0; k < kKinds; ++k) {
    impulses[k].setZero(kinds[k]->rows());
    multipliers[k].setZero(kinds[k]->rows());
  }
  for (const Row& row : data.rows) {
    const double P = row.sigma * over.delta(row.place);
    impulses[static_cast<std::size_t>(row.kind)](row.row) = row.impulse;
    multipliers[static_cast<std::size_t>(row.kind)](row.row) = P;
    if (VectorXd* offset = offset_of(out, row.kind)) (*offset)(row.row) = P;
    if (VectorXd* compliance = compliance_of(out, row.kind)) (*compliance)(row.row) += row.eased * P;
    if (row.coefficient > 0.0) {
      const double over_scale =
          row.impulse * (data.rows_at(row).dot(row.row, x) + row.compliance * P) + over.delta(row.place) * row.u;
      (*coefficient_of(out, row.kind))(row.row) += over_scale / row.coefficient;
    }
  }
  VectorXd row_gradient(problem.dof());
  for (std::size_t k = 0; k < kKinds; ++k) {
    *rows_of(out)[k] = BlockRows(problem.mass.layout());
    for (Index i = 0; i < kinds[k]->rows(); ++i) {
      row_gradient = impulses[k](i) * x + multipliers[k](i) * data.v_next;
      auto parts = kinds[k]->row(i);
      for (BlockRows::Segment& part : parts) {
        if (part.block >= 0)
          part.values = {row_gradient.data() + problem.mass.layout().start(part.block), part.values.size()};
      }
      rows_of(out)[k]->add_row(parts[0], parts[1]);
    }
  }
  return out;
}

namespace {

// One column per entry of a vector of the change.
MatrixXd columns(const ContactGradient& gradient, VectorXd ContactChange::*entries, Index dof, Index count) {
  MatrixXd result(dof, count);
  ContactChange change;
  for (Index j = 0; j < count; ++j) {
    change.*entries = VectorXd::Unit(count, j);
    result.col(j) = gradient.forward(change);
  }
  return result;
}

}  // namespace

MatrixXd ContactGradient::over_v() const {
  return columns(*this, &ContactChange::v, data_->problem.dof(), data_->problem.dof());
}
MatrixXd ContactGradient::over_f() const {
  return columns(*this, &ContactChange::f, data_->problem.dof(), data_->problem.dof());
}
MatrixXd ContactGradient::over_mu() const {
  return columns(*this, &ContactChange::mu, data_->problem.dof(), data_->problem.size());
}
MatrixXd ContactGradient::over_b_N() const {
  return columns(*this, &ContactChange::b_N, data_->problem.dof(), data_->problem.size());
}

const std::vector<ContactState>& ContactGradient::states() const { return data_->states; }
const IndexList& ContactGradient::undecided() const { return data_->undecided; }
const IndexList& ContactGradient::undecided_dry() const { return data_->undecided_dry; }
bool ContactGradient::unique() const { return data_->cone->unique(); }

}  // namespace tribo
