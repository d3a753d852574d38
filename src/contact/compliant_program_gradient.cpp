// Derivatives of the programs of [Drumwright 2018] (spec C.2 and D.3) in forces x, with the velocities kept as unknowns:
//     M v1 − h Gᵀ x − h G_bᵀ λ_b = M v + h f,    G_b v1 + β_b + h R_b λ_b = 0                                      (1)
//     b_t = x_t + D_t (G_t v1 + β_t)                                       what the program makes small           (2)
//     M q − G_bᵀ s = Σ_t G_tᵀ D_t b_t − Σ_i G_iᵀ D_i m_i,    G_b q + R_b s = 0                                       (3)
//     n:  ζ x_n + h G_n q − m_n − η mu² x_n = 0        u:  ζ x_u + h G_u q − m_u = 0                                 (4)
//     t:  x_t + b_t + h G_t q + η x_t = 0
//     active rows  x_i + D_i (G_i v1 + β_i) = 0,     edges of cones  mu² x_n² = |x_t|²                             (5)
// m, η are the multipliers of rows and cones; contacts at the apex and unilateral rows at zero keep their zeros. The change
// of (1)–(5) is the KKT system of spec D.3 with its dense Hessian taken apart. Rows: all mu > 0 contacts have tangents.
#include <algorithm>
#include <cmath>

#include "contact/compliant_gradient_rows.hpp"

namespace tribo {
namespace {

class ProgramSystem {
 public:
  ProgramSystem(const CompliantProblem& problem, const CompliantSolution& solution, double zeta, double boundary,
                GradientRows& rows, GradientStates& states)
      : problem_(problem), solution_(solution), zeta_(zeta), boundary_(boundary), rows_(rows), states_(states) {}

  std::optional<LinearResponse> solve() {
    decide();
    if (!find_adjoint_velocity()) return std::nullopt;
    LinearResponse response(next_, rows_.data_size());
    add_momentum(problem_, response);
    for (std::size_t k = 0; k < rows_.bilateral.size(); ++k) add_bilateral(k, response);
    add_adjoint_mass(response);
    for (const Part& part : parts_) add_part(part, response);
    for (const Edge& edge : edges_) add_edge(edge, response);
    if (!response.factor()) return std::nullopt;
    return response;
  }

 private:
  // One force of the program, with its residual. Forces of contacts at the apex are zero and stay so (row->unknown < 0), but
  // what the program makes small is there all the same.
  struct Part {
    GradientRow* row = nullptr;
    bool tangent = false;
    bool active = false;      // its row of (5) holds
    double multiplier = 0.0;  // m
    Index edge = -1;          // of its contact
    Index beta = -1;          // unknown: b_t/D_t
    Index m = -1;             // unknown: m
    double b = 0.0;
  };
  struct Edge {
    Index unknown = 0;
    Index contact = 0;
    GradientRow* normal = nullptr;
    GradientRow* tangent[2] = {nullptr, nullptr};
    int count = 0;
    double eta = 0.0;
  };

  double force(const GradientRow& row) const { return row.lambda(rows_.h); }
  double law(const GradientRow& row) const { return row.K * row.phi + row.D * row.rate; }  // D (G v1 + β)

  void decide() {
    q_ = rows_.dof;  // (3) after (1)
    next_ = 2 * rows_.dof;
    for (GradientRow& row : rows_.bilateral) {
      row.unknown = row.acts ? next_ : -1;
      next_ += row.acts ? 2 : 0;  // λ_b and s
    }
    for (const auto* family : {&rows_.unilateral, &rows_.normal, &rows_.r, &rows_.s}) {
      for (const GradientRow& row : *family) largest_ = std::max(largest_, std::abs(force(row)));
    }
    for (std::size_t i = 0; i < rows_.unilateral.size(); ++i) {
      GradientRow& row = rows_.unilateral[i];
      bool undecided = false;
      if (row.acts) decide_push(row, static_cast<Index>(i), undecided);
      if (undecided) states_.undecided_unilateral.push_back(row.i);
    }
    for (std::size_t i = 0; i < rows_.normal.size(); ++i) decide_contact(i);
  }

  // A force ≥ 0 with a row ≥ law; returns whether it is free.
  bool decide_push(GradientRow& row, Index multiplier, bool& undecided) {
    const double small = boundary_ * std::max(largest_, 1e-300), x = force(row), slack = x + law(row);
    const double m = multiplier < solution_.row_multipliers.size() ? solution_.row_multipliers(multiplier) : 0.0;
    // Multipliers are weights times forces.
    const bool active = m > 0.0 && (slack <= small || m >= zeta_ * slack);
    undecided = (!active && slack <= small) || (active && m <= zeta_ * small);
    if (x <= small) {
      undecided = undecided || active;
      return false;
    }
    Part part;
    part.row = &row;
    part.active = active;
    part.multiplier = active ? m : 0.0;
    row.unknown = next_++;
    if (active) part.m = next_++;
    parts_.push_back(part);
    return true;
  }

  void decide_contact(std::size_t i) {
    GradientRow& normal = rows_.normal[i];
    const auto contact = static_cast<Index>(i);
    bool undecided = false;
    ContactState state = ContactState::kOpen;
    const auto multiplier = static_cast<Index>(rows_.unilateral.size() + i);
    if (normal.acts) {
      const bool loaded = decide_push(normal, multiplier, undecided);
      const double mu = problem_.mu(contact);
      Edge edge;
      edge.contact = contact;
      edge.normal = &normal;
      for (auto* family : {&rows_.r, &rows_.s}) {
        if (i < family->size() && (*family)[i].acts && mu > 0.0) edge.tangent[edge.count++] = &(*family)[i];
      }
      const auto first = static_cast<Index>(parts_.size());
      for (int k = 0; k < edge.count; ++k) add_tangent(*edge.tangent[k], loaded);
      if (loaded) state = edge.count > 0 ? decide_edge(edge, first, mu, undecided) : ContactState::kSlide;
    }
    if (undecided) states_.undecided_contacts.push_back(contact);
    states_.contacts.push_back(state);
  }

  void add_tangent(GradientRow& row, bool loaded) {
    Part part;
    part.row = &row;
    part.tangent = true;
    row.unknown = loaded ? next_++ : -1;
    part.beta = next_++;
    part.b = force(row) + law(row);
    parts_.push_back(part);
  }

  // The parts of the contact are its normal, before `first`, and its tangents.
  ContactState decide_edge(Edge& edge, Index first, double mu, bool& undecided) {
    double used = 0.0;
    for (int k = 0; k < edge.count; ++k) used = std::hypot(used, force(*edge.tangent[k]));
    const double inside = mu * force(*edge.normal) - used;
    const bool on_edge = inside <= kOnEdge * largest_;
    if (!on_edge) {
      undecided = undecided || inside <= boundary_ * largest_;
      return ContactState::kStick;
    }
    edge.unknown = next_++;
    edges_.push_back(edge);
    const auto number = static_cast<Index>(edges_.size()) - 1;
    for (Index k = first - 1; k < static_cast<Index>(parts_.size()); ++k)
      parts_[static_cast<std::size_t>(k)].edge = number;
    return ContactState::kSlide;
  }

  // (3) for q and s as they are, then η from (4).
  bool find_adjoint_velocity() {
    const Index n = rows_.dof, unknowns = n + static_cast<Index>(rows_.bilateral.size());
    LinearResponse response(unknowns, n);
    add_adjoint_matrix(
        0, [n](std::size_t k) { return n + static_cast<Index>(k); }, response);
    VectorXd right = VectorXd::Zero(n);
    for (const Part& part : parts_) {
      const double factor = part.tangent ? part.row->D * part.b : -part.row->D * part.multiplier;
      part.row->G->add_scaled(part.row->i, factor, right);
    }
    for (Index i = 0; i < n; ++i) response.drive(i, i, 1.0);
    if (!response.factor()) return false;
    const VectorXd found = response.forward(right);
    velocity_ = found.head(n);
    s_ = found.tail(unknowns - n);
    const double stationary = boundary_ * std::max(largest_, 1e-300);
    for (Edge& edge : edges_) {
      double product = 0.0, square = 0.0;
      for (int k = 0; k < edge.count; ++k) {
        const GradientRow& row = *edge.tangent[k];
        const double x = force(row), b = x + law(row);
        product += x * (x + b + rows_.h * row.G->dot(row.i, velocity_));
        square += x * x;
      }
      edge.eta = square > 0.0 ? -product / square : 0.0;
      if (edge.eta * std::sqrt(square) <= stationary && !is_undecided(edge.contact)) {
        states_.undecided_contacts.push_back(edge.contact);
      }
    }
    std::sort(states_.undecided_contacts.begin(), states_.undecided_contacts.end());
    return true;
  }
  bool is_undecided(Index contact) const {
    const IndexList& list = states_.undecided_contacts;
    return std::find(list.begin(), list.end(), contact) != list.end();
  }

  // M q − G_bᵀ s and G_b q + R_b s, q from `first` on.
  template <typename Place>
  void add_adjoint_matrix(Index first, Place place, LinearResponse& response) const {
    const BlockLayout& layout = problem_.mass.layout();
    for (Index b = 0; b < layout.blocks(); ++b) {
      const Index start = first + layout.start(b);
      for (Index i = 0; i < layout.size(b); ++i) {
        for (Index j = 0; j < layout.size(b); ++j) response.add(start + i, start + j, problem_.mass.block(b)(i, j));
      }
    }
    for (std::size_t k = 0; k < rows_.bilateral.size(); ++k) {
      const GradientRow& row = rows_.bilateral[k];
      const Index unknown = place(k);
      if (unknown < 0) continue;
      if (!row.acts) {
        response.add(unknown, unknown, 1.0);
        continue;
      }
      add_transposed(row, -1.0, first, unknown, response);
      add_row(row, 1.0, unknown, first, response);
      response.add(unknown, unknown, row.R);
    }
  }
  void add_adjoint_mass(LinearResponse& response) const {
    add_adjoint_matrix(
        q_, [&](std::size_t k) { return rows_.bilateral[k].acts ? rows_.bilateral[k].unknown + 1 : Index{-1}; },
        response);
  }

  // dR = −(h dK + dB)/(h S D0²) of (3), and (1).
  void add_bilateral(std::size_t k, LinearResponse& response) const {
    const GradientRow& row = rows_.bilateral[k];
    if (!row.acts) return;
    add_transposed(row, -rows_.h, 0, row.unknown, response);
    add_row(row, 1.0, row.unknown, 0, response);
    response.add(row.unknown, row.unknown, rows_.h * row.R);
    drive_row(row, rows_.h, 1.0, row.unknown, response);
    const double D0 = rows_.h * row.K + row.B, s = s_(static_cast<Index>(k));
    response.drive(row.unknown + 1, row.data + 2, s / row.D / D0);
    response.drive(row.unknown + 1, row.data + 3, s / (rows_.h * row.D) / D0);
  }

  // The change of D (G v1 + β), over D, on the left: G dv1 + what the data do.
  void add_law(const GradientRow& row, Index equation, LinearResponse& response) const {
    add_row(row, 1.0, equation, 0, response);
    response.drive(equation, row.data, -1.0);
    response.drive(equation, row.data + 1, -row.K / row.D);
    response.drive(equation, row.data + 2, -(row.phi + rows_.h * row.S * row.rate) / row.D);
    response.drive(equation, row.data + 3, -row.S * row.rate / row.D);
  }
  // factor Gᵀ dD on the left of (3).
  void drive_adjoint(const GradientRow& row, double factor, LinearResponse& response) const {
    for (const BlockRows::Segment& segment : row.G->row(row.i)) {
      if (segment.block < 0) continue;
      const Index start = q_ + row.G->layout().start(segment.block);
      for (std::size_t k = 0; k < segment.values.size(); ++k) {
        const double entry = -factor * segment.values[k];
        response.drive(start + static_cast<Index>(k), row.data + 2, entry * rows_.h * row.S);
        response.drive(start + static_cast<Index>(k), row.data + 3, entry * row.S);
      }
    }
  }

  void add_part(const Part& part, LinearResponse& response) const {
    const GradientRow& row = *part.row;
    const Index x = row.unknown;
    const Edge* edge = part.edge >= 0 ? &edges_[static_cast<std::size_t>(part.edge)] : nullptr;
    if (x >= 0) {
      add_transposed(row, -rows_.h, 0, x, response);  // (1)
      add_row(row, rows_.h, x, q_, response);         // (4)
    }
    if (part.tangent) {
      if (x >= 0) {
        response.add(x, x, 1.0 + (edge != nullptr ? edge->eta : 0.0));
        response.add(x, part.beta, row.D);
        if (edge != nullptr) response.add(x, edge->unknown, force(row));
        response.add(part.beta, x, 1.0 / row.D);
      }
      response.add(part.beta, part.beta, -1.0);  // (2), over D
      add_law(row, part.beta, response);
      // The unknown is db/D, so Gᵀ D b changes by Gᵀ (D² (db/D) + b dD).
      add_transposed(row, -row.D * row.D, q_, part.beta, response);
      drive_adjoint(row, -part.b, response);
      return;
    }
    const double mu = edge != nullptr ? problem_.mu(edge->contact) : 0.0;
    response.add(x, x, zeta_ - (edge != nullptr ? edge->eta * mu * mu : 0.0));
    if (edge != nullptr) {
      response.add(x, edge->unknown, -mu * mu * force(row));
      response.drive(x, rows_.mu(edge->contact), 2.0 * edge->eta * mu * force(row));
    }
    if (!part.active) return;
    response.add(x, part.m, -1.0);
    add_transposed(row, row.D, q_, part.m, response);
    drive_adjoint(row, part.multiplier, response);
    response.add(part.m, x, 1.0 / row.D);  // (5), over D
    add_law(row, part.m, response);
  }

  // mu² x_n dx_n − x_t·dx_t = −mu x_n² dmu.
  void add_edge(const Edge& edge, LinearResponse& response) const {
    const double mu = problem_.mu(edge.contact), x_n = force(*edge.normal);
    response.add(edge.unknown, edge.normal->unknown, mu * mu * x_n);
    for (int k = 0; k < edge.count; ++k) {
      response.add(edge.unknown, edge.tangent[k]->unknown, -force(*edge.tangent[k]));
    }
    response.drive(edge.unknown, rows_.mu(edge.contact), -mu * x_n * x_n);
  }

  static constexpr double kOnEdge = 1e-9;  // of the largest force

  const CompliantProblem& problem_;
  const CompliantSolution& solution_;
  double zeta_, boundary_;
  GradientRows& rows_;
  GradientStates& states_;
  std::vector<Part> parts_;
  std::vector<Edge> edges_;
  VectorXd velocity_, s_;  // q and s
  double largest_ = 0.0;
  Index q_ = 0, next_ = 0;
};

}  // namespace

std::optional<LinearResponse> linearise_program(const CompliantProblem& problem, const CompliantSolution& solution,
                                                double zeta, double boundary, GradientRows& rows,
                                                GradientStates& states) {
  return ProgramSystem(problem, solution, zeta, boundary, rows, states).solve();
}

}  // namespace tribo
