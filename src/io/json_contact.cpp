#include "io/json_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "io/contact_layout.hpp"
#include "io/text_reader.hpp"

namespace tribo {
namespace {

constexpr const char* kAligned = "_aligned";  // after st_d<k>

std::string_view without_aligned(std::string_view name) {
  return name.ends_with(kAligned) ? name.substr(0, name.size() - std::string_view(kAligned).size()) : name;
}

using nlohmann::json;

struct Sizes {
  NamedSize m, n, j, dry;
};

void read_model(JsonFields& in, ContactFile& file) {
  const std::string name = in.text("model");
  const bool acceleration = name == "viscous_acc";
  Level& level = file.problem.level;
  level = acceleration ? Level::kAcceleration : Level::kVelocity;
  if (name == "frictionless") {
    file.model = Frictionless{};
  } else if (name == "no_slip") {
    file.model = NoSlip{};
  } else if (acceleration || name == "viscous_vel_implicit") {
    file.model = Viscous{};
  } else if (name == "viscous_vel_explicit") {
    file.model = Viscous{.implicit = false};
  } else if (name == "viscous_impact") {
    file.model = Viscous{.impact = true};
  } else if (name == "friction_box") {
    file.model = FrictionBox{};
  } else if (name == "cone") {
    file.model = CoulombCone{};
  } else if (const std::string_view plain = without_aligned(name); plain.starts_with("st_d") && plain.size() < 10) {
    const auto sides = parse_number(plain.substr(4));
    const bool even = sides && *sides >= 4.0 && *sides <= 99998.0 && std::fmod(*sides, 2.0) == 0.0;
    if (!even) in.refuse("model", in_quotes(name) + " has no even number of sides >= 4", "write st_d4, st_d8, ...");
    file.model = CoulombPyramid{even ? static_cast<int>(*sides) : 4, plain.size() < name.size()};
    if (in.has("d") && even && in.size("d") != static_cast<Index>(*sides)) {
      in.refuse("d", "differs from the number in model " + in_quotes(name), "write the same number twice");
    }
  } else {
    in.refuse("model", in_quotes(name) + " is not a known model",
              "frictionless, no_slip, viscous_acc, viscous_vel_implicit, viscous_vel_explicit, viscous_impact, "
              "st_d<k>, st_d<k>_aligned, friction_box, cone");
  }
  in.mark("d");
  const std::string asked = in.optional_text("level");
  if (asked.empty()) return;
  if (asked != "velocity" && asked != "acceleration") {
    in.refuse("level", in_quotes(asked) + " is not a level", "write velocity or acceleration");
  } else if (acceleration && asked == "velocity") {
    in.refuse("level", "contradicts model viscous_acc", "write viscous_vel_implicit or viscous_vel_explicit");
  } else if (name == "viscous_impact" && asked == "acceleration") {
    in.refuse("level", "an impact has no accelerations", "write velocity, or the model viscous_acc");
  }
  level = asked == "acceleration" ? Level::kAcceleration : Level::kVelocity;
}

BlockLayout read_layout(JsonFields& in, const MatrixXd& M, const std::vector<MatrixXd>& rows) {
  if (!in.has("blocks")) return choose_layout(M, rows);
  const std::vector<Index> sizes = in.optional_indices("blocks");
  const std::vector<Index> ends = calc_block_ends(M);
  Index end = 0;
  for (std::size_t b = 0; b < sizes.size() && !in.failed(); ++b) {
    end += sizes[b];
    if (sizes[b] == 0) {
      in.refuse("blocks", "block " + std::to_string(b) + " is empty", "block sizes are > 0");
    } else if (end > M.rows()) {
      break;
    } else if (!std::binary_search(ends.begin(), ends.end(), end)) {
      in.refuse("blocks", "M couples block " + std::to_string(b) + " with the rows after it",
                "M must be zero outside of its blocks");
    }
  }
  if (!in.failed() && end != M.rows()) {
    in.refuse("blocks", "the sizes do not add up to m = " + std::to_string(M.rows()), "the blocks must cover M");
  }
  return in.failed() ? BlockLayout() : BlockLayout(sizes);
}

BlockRows make_rows(JsonFields& in, const std::string& key, const MatrixXd& dense, const BlockLayout& layout) {
  if (in.failed()) return BlockRows();
  Expected<BlockRows> rows = BlockRows::from_dense(dense, layout);
  if (rows) return std::move(*rows);
  const Error& error = rows.error();
  in.refuse(key, error.where.empty() ? error.what : error.where + ": " + error.what, error.remedy);
  return BlockRows();
}

// Rows of a tangent: one per contact or none. Models with friction must say so, if only with [].
MatrixXd read_tangents(JsonFields& in, const std::string& key, const Sizes& sizes, const ContactModel& model) {
  if (!std::holds_alternative<Frictionless>(model)) in.find(key);
  return in.matrix_or_empty(key, sizes.n, sizes.m);
}

void read_stiffness(JsonFields& in, std::vector<Contact>& contacts) {
  if (!in.has("stiffness") || in.length("stiffness") == 0) return;
  const json& list = *in.find("stiffness");
  if (list.size() != contacts.size()) {
    in.refuse("stiffness",
              "has " + std::to_string(list.size()) + " entries, expected n = " + std::to_string(contacts.size()),
              "the sizes in the file must agree");
    return;
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (list[i].is_null()) continue;  // rigid
    if (!list[i].is_number()) {
      in.refuse("stiffness", "entry " + std::to_string(i) + " is neither a number nor null", "null means rigid");
      return;
    }
    contacts[i].stiffness = list[i].get<double>();
  }
}

// One flag per contact: an integer in the place of a flag could be meant as the number of a contact.
template <typename Set>
void read_flags(JsonFields& in, const char* key, std::vector<Contact>& contacts, Set set) {
  if (!in.has(key) || in.length(key) == 0) return;
  const json& list = *in.find(key);
  if (list.size() != contacts.size()) {
    in.refuse(key, "has " + std::to_string(list.size()) + " entries, expected n = " + std::to_string(contacts.size()),
              "write true or false for every contact");
    return;
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!list[i].is_boolean()) {
      in.refuse(key, "entry " + std::to_string(i) + " is not true or false", "write true or false for every contact");
      return;
    }
    set(contacts[i], list[i].get<bool>());
  }
}

void read_geometry(JsonFields& in, const NamedSize& n, std::vector<Contact>& contacts) {
  const MatrixXd points = in.matrix_or_empty("points", n, {3, ""});
  for (Index i = 0; i < points.rows(); ++i) contacts[static_cast<std::size_t>(i)].point = points.row(i).transpose();
  in.mark("frames");
  if (!in.has("frames") || in.length("frames") == 0) return;
  const json& list = *in.find("frames");
  if (list.size() != contacts.size()) {
    in.refuse("frames", "has " + std::to_string(list.size()) + " entries, expected " + n.text(),
              "the sizes in the file must agree");
    return;
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (list[i].is_null()) continue;
    const bool good = list[i].is_array() && list[i].size() == 9 &&
                      std::all_of(list[i].begin(), list[i].end(), [](const json& x) { return x.is_number(); });
    if (!good) {
      in.refuse("frames", "entry " + std::to_string(i) + " is neither a list of 9 numbers nor null",
                "write the 3 x 3 frame row by row");
      return;
    }
    contacts[i].has_frame = true;
    for (std::size_t k = 0; k < 9; ++k) {
      contacts[i].frame(static_cast<Index>(k / 3), static_cast<Index>(k % 3)) = list[i][k].get<double>();
    }
  }
}

void read_contacts(JsonFields& in, const NamedSize& n, ContactFile& file) {
  const VectorXd mu = in.optional_vector("mu", n);
  const VectorXd mu_v = in.optional_vector("mu_v", n);
  const VectorXd gap = in.optional_vector("gap", n);
  const VectorXd restitution = in.optional_vector("restitution", n);
  const VectorXd damping = in.optional_vector("damping", n);
  const VectorXd impact_damping = in.optional_vector("impact_damping", n);
  const VectorXd mu_spin = in.optional_vector("mu_spin", n);
  const VectorXd mu_roll = in.optional_vector("mu_roll", n);
  const VectorXd compliance = in.optional_vector("compliance", n);
  const VectorXd tangential_compliance = in.optional_vector("tangential_compliance", n);
  const VectorXd held_s = in.optional_vector("held_s", n), held_t = in.optional_vector("held_t", n);
  const bool box = std::holds_alternative<FrictionBox>(file.model);
  const VectorXd bound = box ? in.vector("bound", n) : in.optional_vector("bound", n);
  in.mark("stiffness");
  in.mark("released");
  in.mark("limit");
  if (in.failed()) return;
  std::vector<Contact>& contacts = file.problem.contacts;
  contacts.resize(static_cast<std::size_t>(n.value));
  for (Index i = 0; i < n.value; ++i) {
    Contact& contact = contacts[static_cast<std::size_t>(i)];
    contact.mu = mu(i);
    contact.mu_v = mu_v(i);
    contact.gap = gap(i);
    contact.restitution = restitution(i);
    contact.damping = damping(i);
    contact.friction_bound = bound(i);
    contact.impact_damping = impact_damping(i);
    contact.mu_spin = mu_spin(i);
    contact.mu_roll = mu_roll(i);
    contact.compliance = compliance(i);
    contact.tangential_compliance = tangential_compliance(i);
    contact.held_s = held_s(i);
    contact.held_t = held_t(i);
  }
  read_stiffness(in, contacts);
  read_flags(in, "released", contacts, [](Contact& contact, bool flag) { contact.released = flag; });
  read_flags(in, "limit", contacts,
             [](Contact& contact, bool flag) { contact.kind = flag ? RowKind::kLimit : RowKind::kContact; });
  read_geometry(in, n, contacts);
}

ExpectedAnswer read_expected(JsonFields& in, const Sizes& sizes, const ContactModel& model) {
  ExpectedAnswer answer;
  answer.status = in.text("status");
  answer.velocity_unique = in.optional_flag("velocity_unique", true);
  answer.forces_unique = in.optional_flag("f_n_unique", true);
  ContactSolution& solution = answer.solution;
  solution.v_next = in.vector_or_empty(in.has("a") ? "a" : "v_plus", sizes.m);
  solution.f_n = in.vector_or_empty("f_n", sizes.n);
  solution.f_s = in.vector_or_empty("f_s", sizes.n);
  solution.f_t = in.vector_or_empty("f_t", sizes.n);
  solution.f_spin = in.vector_or_empty("f_spin", sizes.n);
  solution.f_roll_s = in.vector_or_empty("f_roll_s", sizes.n);
  solution.f_roll_t = in.vector_or_empty("f_roll_t", sizes.n);
  solution.f_j = in.vector_or_empty("f_j", sizes.j);
  solution.f_d = in.vector_or_empty("f_d", sizes.dry);
  answer.w = in.vector_or_empty("w", sizes.n);
  answer.lambda_cone = in.vector_or_empty("lambda_cone", sizes.n);
  answer.farkas_y = in.vector_or_empty("farkas_y", sizes.n);
  const auto* pyramid = std::get_if<CoulombPyramid>(&model);
  if (pyramid == nullptr) return answer;
  const Index d = pyramid->sides;
  const Index n = sizes.n.value;
  answer.beta = in.vector_or_empty("beta", {n * d, "n d"});
  if (in.failed() || answer.beta.size() == 0 || solution.f_s.size() != 0 || pyramid->aligned) return answer;
  solution.f_s = VectorXd::Zero(n);
  solution.f_t = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(d);
      solution.f_s(i) += std::cos(angle) * answer.beta(i * d + k);
      solution.f_t(i) += std::sin(angle) * answer.beta(i * d + k);
    }
  }
  return answer;
}

}  // namespace

ContactFile read_contact(JsonFields& in) {
  ContactFile file;
  ContactProblem& problem = file.problem;
  in.mark("schema");
  problem.name = in.optional_text("name");
  file.description = in.optional_text("description");
  read_model(in, file);
  const Sizes sizes{{in.size("m"), "m"},
                    {in.size("n"), "n"},
                    {in.has("j") ? in.size("j") : 0, "j"},
                    {in.has("dry") ? in.size("dry") : 0, "dry"}};
  in.mark("j");
  in.mark("dry");
  in.mark("h");
  if (in.has("h") || problem.level == Level::kVelocity) problem.h = in.number("h");

  const MatrixXd M = in.matrix("M", sizes.m, sizes.m);
  const MatrixXd N = in.matrix("N", sizes.n, sizes.m);
  const MatrixXd S = read_tangents(in, "S", sizes, file.model);
  const MatrixXd T = read_tangents(in, "T", sizes, file.model);
  const MatrixXd spin = in.matrix_or_empty("spin", sizes.n, sizes.m);
  const MatrixXd roll_s = in.matrix_or_empty("roll_s", sizes.n, sizes.m);
  const MatrixXd roll_t = in.matrix_or_empty("roll_t", sizes.n, sizes.m);
  if (sizes.j.value > 0) in.find("J");
  in.mark("J");
  const MatrixXd J = in.has("J") ? in.matrix("J", sizes.j, sizes.m) : MatrixXd(0, in.failed() ? 0 : sizes.m.value);
  if (sizes.dry.value > 0) in.find("D");
  in.mark("D");
  in.mark("D_bound");
  const MatrixXd D = in.has("D") ? in.matrix("D", sizes.dry, sizes.m) : MatrixXd(0, in.failed() ? 0 : sizes.m.value);
  if (in.failed()) return file;

  const BlockLayout layout = read_layout(in, M, {N, S, T, spin, roll_s, roll_t, J, D});
  in.mark("blocks");
  if (in.failed()) return file;
  problem.mass = BlockDiagonal::from_dense(M, layout);
  problem.N = make_rows(in, "N", N, layout);
  problem.S = make_rows(in, "S", S, layout);
  problem.T = make_rows(in, "T", T, layout);
  problem.spin = make_rows(in, "spin", spin, layout);
  problem.roll_s = make_rows(in, "roll_s", roll_s, layout);
  problem.roll_t = make_rows(in, "roll_t", roll_t, layout);
  problem.J = make_rows(in, "J", J, layout);
  problem.D = make_rows(in, "D", D, layout);
  if (sizes.dry.value > 0) problem.bound = in.vector("D_bound", sizes.dry);  // without rows: none, as in most files
  problem.v = in.vector("v", sizes.m);
  problem.f = in.vector("f", sizes.m);
  const bool has_offset = in.has("b_N");
  problem.b_N = in.optional_vector("b_N", sizes.n);
  problem.a_N = in.optional_vector("a_N", sizes.n);
  problem.b_J = in.optional_vector("b_J", sizes.j);
  problem.a_J = in.optional_vector("a_J", sizes.j);
  read_contacts(in, sizes.n, file);
  // Without b_N the offsets follow from gap and restitution (spec A.2).
  const bool moves = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                 [](const Contact& c) { return c.gap != 0.0 || c.restitution != 0.0; });
  if (!in.failed() && !has_offset && moves && problem.h > 0.0) problem.b_N = calc_normal_offset(problem, {});

  in.mark("expected");
  const json* expected = in.has("expected") ? in.find("expected") : nullptr;
  if (expected == nullptr || expected->is_null()) return file;
  if (!expected->is_object()) {
    in.refuse("expected", "is not an object", "write { ... } or leave it out");
    return file;
  }
  JsonFields inner(*expected);
  file.expected = read_expected(inner, sizes, file.model);
  if (inner.failed()) in.refuse("expected." + inner.error().where, inner.error().what, inner.error().remedy);
  return file;
}

std::string contact_model_name(const ContactModel& model, Level level) {
  struct Name {
    Level level;
    std::string operator()(const Frictionless&) const { return "frictionless"; }
    std::string operator()(const NoSlip&) const { return "no_slip"; }
    std::string operator()(const Viscous& viscous) const {
      if (viscous.impact) return "viscous_impact";
      if (level == Level::kAcceleration) return "viscous_acc";
      return viscous.implicit ? "viscous_vel_implicit" : "viscous_vel_explicit";
    }
    std::string operator()(const CoulombPyramid& pyramid) const {
      return "st_d" + std::to_string(pyramid.sides) + (pyramid.aligned ? kAligned : "");
    }
    std::string operator()(const FrictionBox&) const { return "friction_box"; }
    std::string operator()(const CoulombCone&) const { return "cone"; }
  };
  return std::visit(Name{level}, model);
}

}  // namespace tribo
