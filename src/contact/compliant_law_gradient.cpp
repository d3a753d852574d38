// Equations (1)–(3) of compliant_gradient.hpp, row by row.
#include <algorithm>
#include <cmath>

#include "contact/compliant_gradient_rows.hpp"

namespace tribo {
namespace {

// Load and slack of one side of a boundary, both as speeds: which of them is larger, and whether one can tell.
struct Sides {
  bool first = false;
  bool undecided = false;
};
Sides compare_sides(double first, double second, double boundary) {
  return {first >= second, std::max(first, second) <= boundary};
}

// Direction of friction and what it needs: π_t = |π_t| t, e_t = −|e_t| t where it slides.
struct LawTangents {
  GradientRow* row[2] = {nullptr, nullptr};
  int count = 0;
  double t[2] = {1.0, 0.0};
  double load = 0.0, slip = 0.0;     // |π_t|, |e_t|
  double weight = 0.0, scale = 0.0;  // the larger ones
};

LawTangents find_tangents(GradientRows& rows, std::size_t contact) {
  LawTangents tangents;
  for (auto* family : {&rows.r, &rows.s}) {
    if (contact < family->size() && (*family)[contact].acts) tangents.row[tangents.count++] = &(*family)[contact];
  }
  double pi[2] = {0.0, 0.0}, e[2] = {0.0, 0.0};
  for (int k = 0; k < tangents.count; ++k) {
    pi[k] = tangents.row[k]->pi;
    e[k] = tangents.row[k]->e;
    tangents.weight = std::max(tangents.weight, tangents.row[k]->weight);
    tangents.scale = std::max(tangents.scale, tangents.row[k]->scale);
  }
  tangents.load = std::hypot(pi[0], pi[1]);
  tangents.slip = std::hypot(e[0], e[1]);
  const bool loaded = tangents.load > 0.0;
  const double length = loaded ? tangents.load : -tangents.slip;
  if (length != 0.0) {
    for (int k = 0; k < 2; ++k) tangents.t[k] = (loaded ? pi[k] : e[k]) / length;
  }
  return tangents;
}

struct ContactLaw {
  ContactState state = ContactState::kOpen;
  LawTangents tangents;
};

class LawSystem {
 public:
  LawSystem(const CompliantProblem& problem, bool convex, double boundary, GradientRows& rows, GradientStates& states)
      : problem_(problem), convex_(convex), boundary_(boundary), rows_(rows), states_(states) {}

  std::optional<LinearResponse> solve() {
    decide();
    LinearResponse response(next_, rows_.data_size());
    add_momentum(problem_, response);
    for (GradientRow& row : rows_.bilateral) add_closed(row, response);
    for (GradientRow& row : rows_.unilateral) add_closed(row, response);
    for (std::size_t i = 0; i < laws_.size(); ++i) add_contact(i, response);
    if (!response.factor()) return std::nullopt;
    return response;
  }

 private:
  // Which rows carry a force that can change.
  void decide() {
    next_ = rows_.dof;
    for (GradientRow& row : rows_.bilateral) number(row, row.acts);
    for (GradientRow& row : rows_.unilateral) {
      const Sides sides = loaded_or_open(row, row.e);
      if (row.acts && sides.undecided) states_.undecided_unilateral.push_back(row.i);
      number(row, row.acts && sides.first);
    }
    laws_.resize(rows_.normal.size());
    for (std::size_t i = 0; i < laws_.size(); ++i) decide_contact(i);
  }

  void decide_contact(std::size_t i) {
    GradientRow& normal = rows_.normal[i];
    ContactLaw& law = laws_[i];
    if (normal.acts) {
      LawTangents& tangents = law.tangents;
      tangents = find_tangents(rows_, i);
      const double mu = problem_.mu(static_cast<Index>(i));
      const Sides load = loaded_or_open(normal, convex_ ? normal.e - mu * tangents.slip : normal.e);
      bool undecided = load.undecided;
      if (load.first) {
        law.state = ContactState::kSlide;
        const double radius = mu * std::max(normal.pi, 0.0);
        if (tangents.count > 0 && mu > 0.0) {
          const double scale = tangents.scale > 0.0 ? tangents.scale : 1.0;
          const double inside = tangents.weight * std::max(radius - tangents.load, 0.0) / scale;
          const Sides stick = compare_sides(inside, tangents.slip / scale, boundary_);
          undecided = undecided || stick.undecided;
          if (stick.first) law.state = ContactState::kStick;
        }
        number(normal, true);
        for (int k = 0; k < tangents.count; ++k) number(*tangents.row[k], true);
      }
      if (undecided) states_.undecided_contacts.push_back(static_cast<Index>(i));
    }
    states_.contacts.push_back(law.state);
  }

  Sides loaded_or_open(const GradientRow& row, double slack) const {
    const double scale = row.scale > 0.0 ? row.scale : 1.0;
    return compare_sides(row.weight * row.pi / scale, slack / scale, boundary_);
  }

  void number(GradientRow& row, bool moves) { row.unknown = moves ? next_++ : -1; }

  // (2): factor de into the equation.
  void add_change(const GradientRow& row, double factor, Index equation, LinearResponse& response) const {
    add_row(row, factor, equation, 0, response);
    response.add(equation, row.unknown, factor * row.R);
    drive_row(row, rows_.h, factor, equation, response);
  }
  void add_force(const GradientRow& row, LinearResponse& response) const {
    add_transposed(row, -1.0, 0, row.unknown, response);
  }
  void add_closed(const GradientRow& row, LinearResponse& response) const {
    if (row.unknown < 0) return;
    add_force(row, response);
    add_change(row, 1.0, row.unknown, response);
  }

  void add_contact(std::size_t i, LinearResponse& response) const {
    const GradientRow& normal = rows_.normal[i];
    const ContactLaw& law = laws_[i];
    if (normal.unknown < 0) return;
    const LawTangents& at = law.tangents;
    add_closed(normal, response);
    if (law.state == ContactState::kStick) {
      for (int k = 0; k < at.count; ++k) add_closed(*at.row[k], response);
    } else if (at.count > 0) {
      add_slide(normal, at, static_cast<Index>(i), response);
    }
  }

  void add_slide(const GradientRow& normal, const LawTangents& at, Index contact, LinearResponse& response) const {
    const double mu = problem_.mu(contact);
    const Index edge = at.row[0]->unknown;  // (3), first line
    for (int k = 0; k < at.count; ++k) {
      add_force(*at.row[k], response);
      response.add(edge, at.row[k]->unknown, at.t[k]);
    }
    response.add(edge, normal.unknown, -mu);
    // Without slip there is nothing that friction could oppose: at mu = 0 it stays zero.
    if (mu > 0.0 || at.slip > boundary_ * at.scale) response.drive(edge, rows_.mu(contact), normal.pi);
    if (at.count == 2) {  // (3), second line
      const double normal_t[2] = {-at.t[1], at.t[0]};
      const Index turn = at.row[1]->unknown;
      const double size = at.weight * at.load + at.slip;
      for (int k = 0; k < 2; ++k) {
        if (size > 0.0) add_change(*at.row[k], normal_t[k] * at.load / size, turn, response);
        response.add(turn, at.row[k]->unknown, normal_t[k] * (size > 0.0 ? at.slip / size : 1.0));
      }
    }
    if (!convex_) return;
    for (int k = 0; k < at.count; ++k) add_change(*at.row[k], mu * at.t[k], normal.unknown, response);
    response.drive(normal.unknown, rows_.mu(contact), at.slip);
  }

  const CompliantProblem& problem_;
  bool convex_;
  double boundary_;
  GradientRows& rows_;
  GradientStates& states_;
  std::vector<ContactLaw> laws_;
  Index next_ = 0;
};

}  // namespace

std::optional<LinearResponse> linearise_laws(const CompliantProblem& problem, bool convex, double boundary,
                                             GradientRows& rows, GradientStates& states) {
  return LawSystem(problem, convex, boundary, rows, states).solve();
}

}  // namespace tribo
