// to_json: every kind of problem as text that parse_json_problem reads back number by number.
#include "tribo/io/problem_file.hpp"

#include <algorithm>
#include <cmath>

#include "io/json_compliant.hpp"
#include "io/json_contact.hpp"
#include "io/json_writer.hpp"

namespace tribo {
namespace {

JsonObjectWriter start(const std::string& kind) {
  JsonObjectWriter out;
  out.text("schema", "tribo-problem/1");
  out.text("kind", kind);
  return out;
}

std::string write(const Lcp& lcp) {
  JsonObjectWriter out = start("lcp");
  out.matrix("M", lcp.M);
  out.vector("q", lcp.q);
  return out.finish();
}

std::string list_text(const std::vector<Index>& values) {
  std::string list = "[";
  for (std::size_t i = 0; i < values.size(); ++i) list += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return list + "]";
}

std::string write(const MixedLcpFile& file) {
  JsonObjectWriter out = start("mlcp");
  out.integer("free", file.lcp.free);
  if (!std::is_sorted(file.order.begin(), file.order.end())) out.raw("order", list_text(file.order));
  out.matrix("M", file.lcp.M);
  out.vector("q", file.lcp.q);
  return out.finish();
}

std::string write(const BoxLcp& lcp) {
  JsonObjectWriter out = start("box-lcp");
  out.matrix("M", lcp.M);
  out.vector("q", lcp.q);
  out.vector("lo", lcp.lo);
  out.vector("hi", lcp.hi);
  return out.finish();
}

std::string write(const Qp& qp) {
  JsonObjectWriter out = start("qp");
  out.matrix("H", qp.H);
  out.vector("g", qp.g);
  out.matrix("E", qp.E);
  out.vector("b", qp.b);
  out.matrix("G", qp.G);
  out.vector("d", qp.d);
  return out.finish();
}

std::string write(const LocalFriction& problem) {
  JsonObjectWriter out = start("fc");
  if (!problem.title.empty()) out.text("title", problem.title);
  out.integer("dimension", problem.dimension);
  out.vector("mu", problem.mu);
  out.vector("q", problem.q);
  out.sparse("W", problem.W);
  return out.finish();
}

std::string write(const GlobalFriction& problem) {
  JsonObjectWriter out = start("gfc");
  if (!problem.title.empty()) out.text("title", problem.title);
  out.integer("dimension", problem.dimension);
  out.vector("mu", problem.mu);
  out.vector("f", problem.f);
  out.vector("w", problem.w);
  out.sparse("M", problem.M);
  out.sparse("H", problem.H);
  if (problem.G.cols() > 0) {
    out.sparse("G", problem.G);
    out.vector("b", problem.b);
  }
  return out.finish();
}

// One number per contact; left out where all have the value that the reader assumes.
template <typename Member>
void write_column(JsonObjectWriter& out, const std::string& key, const std::vector<Contact>& contacts, Member member,
                  bool always) {
  VectorXd values(static_cast<Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) values(static_cast<Index>(i)) = contacts[i].*member;
  if (always || (values.array() != 0.0).any()) out.vector(key, values);
}

// Files that need no rows against turning stay as others know them.
void write_optional_rows(JsonObjectWriter& out, const std::string& key, const BlockRows& rows) {
  if (rows.rows() > 0) out.matrix(key, rows.to_dense());
}

void write_stiffness(JsonObjectWriter& out, const std::vector<Contact>& contacts) {
  const auto soft = [](const Contact& contact) { return std::isfinite(contact.stiffness); };
  if (std::none_of(contacts.begin(), contacts.end(), soft)) return;
  std::string list;
  for (const Contact& contact : contacts) {
    list += (list.empty() ? "" : ", ") + (soft(contact) ? json_number(contact.stiffness) : "null");
  }
  out.raw("stiffness", "[" + list + "]");
}

template <typename Flag>
void write_flags(JsonObjectWriter& out, const std::string& key, const std::vector<Contact>& contacts, Flag flag) {
  if (std::none_of(contacts.begin(), contacts.end(), flag)) return;
  std::string list;
  for (const Contact& contact : contacts)
    list += std::string(list.empty() ? "" : ", ") + (flag(contact) ? "true" : "false");
  out.raw(key, "[" + list + "]");
}

void write_geometry(JsonObjectWriter& out, const std::vector<Contact>& contacts) {
  const auto placed = [](const Contact& contact) { return contact.has_frame || contact.point != Vector3d::Zero(); };
  if (std::none_of(contacts.begin(), contacts.end(), placed)) return;
  std::string points;
  std::string frames;
  for (const Contact& contact : contacts) {
    const Matrix3d by_rows = contact.frame.transpose();  // Eigen stores columns; the file wants rows
    const VectorXd frame = Eigen::Map<const VectorXd>(by_rows.data(), 9);
    points += (points.empty() ? "\n  " : ",\n  ") + json_list(contact.point);
    frames += (frames.empty() ? "\n  " : ",\n  ") + (contact.has_frame ? json_list(frame) : "null");
  }
  out.raw("points", "[" + points + "]");
  out.raw("frames", "[" + frames + "]");
}

std::string write_expected(const ExpectedAnswer& answer, Level level) {
  JsonObjectWriter out(2);
  const auto vector = [&](const std::string& key, const VectorXd& values) {
    if (values.size() > 0) out.vector(key, values);
  };
  out.text("status", answer.status);
  out.flag("velocity_unique", answer.velocity_unique);
  out.flag("f_n_unique", answer.forces_unique);
  vector(level == Level::kAcceleration ? "a" : "v_plus", answer.solution.v_next);
  vector("f_n", answer.solution.f_n);
  vector("f_s", answer.solution.f_s);
  vector("f_t", answer.solution.f_t);
  vector("f_spin", answer.solution.f_spin);
  vector("f_roll_s", answer.solution.f_roll_s);
  vector("f_roll_t", answer.solution.f_roll_t);
  vector("f_j", answer.solution.f_j);
  vector("f_d", answer.solution.f_d);
  vector("w", answer.w);
  vector("beta", answer.beta);
  vector("lambda_cone", answer.lambda_cone);
  vector("farkas_y", answer.farkas_y);
  return out.finish();
}

std::string write(const ContactFile& file) {
  const ContactProblem& problem = file.problem;
  const std::string model = contact_model_name(file.model, problem.level);
  JsonObjectWriter out;
  out.text("schema", kContactSchema);
  out.text("name", problem.name);
  out.text("model", model);
  if (!file.description.empty()) out.text("description", file.description);
  if (problem.level == Level::kAcceleration && model != "viscous_acc") out.text("level", "acceleration");
  if (const auto* pyramid = std::get_if<CoulombPyramid>(&file.model)) out.integer("d", pyramid->sides);
  out.integer("m", problem.dof());
  out.integer("n", problem.size());
  out.integer("j", problem.bilateral());
  out.number("h", problem.h);
  out.raw("blocks", list_text(problem.mass.layout().sizes()));
  out.matrix("M", problem.mass.to_dense());
  out.matrix("N", problem.N.to_dense());
  out.matrix("S", problem.S.to_dense());
  out.matrix("T", problem.T.to_dense());
  write_optional_rows(out, "spin", problem.spin);
  write_optional_rows(out, "roll_s", problem.roll_s);
  write_optional_rows(out, "roll_t", problem.roll_t);
  out.matrix("J", problem.J.to_dense());
  if (problem.dry() > 0) {
    out.integer("dry", problem.dry());
    out.matrix("D", problem.D.to_dense());
    out.vector("D_bound", problem.bound);
  }
  write_column(out, "mu", problem.contacts, &Contact::mu, true);
  write_column(out, "mu_v", problem.contacts, &Contact::mu_v, true);
  write_column(out, "bound", problem.contacts, &Contact::friction_bound,
               std::holds_alternative<FrictionBox>(file.model));
  write_column(out, "impact_damping", problem.contacts, &Contact::impact_damping, false);
  write_column(out, "mu_spin", problem.contacts, &Contact::mu_spin, false);
  write_column(out, "mu_roll", problem.contacts, &Contact::mu_roll, false);
  write_column(out, "compliance", problem.contacts, &Contact::compliance, false);
  write_column(out, "tangential_compliance", problem.contacts, &Contact::tangential_compliance, false);
  write_column(out, "held_s", problem.contacts, &Contact::held_s, false);
  write_column(out, "held_t", problem.contacts, &Contact::held_t, false);
  write_flags(out, "released", problem.contacts, [](const Contact& contact) { return contact.released; });
  write_flags(out, "limit", problem.contacts, [](const Contact& contact) { return contact.kind == RowKind::kLimit; });
  out.vector("v", problem.v);
  out.vector("f", problem.f);
  out.vector("b_N", problem.b_N);
  out.vector("b_J", problem.b_J);
  out.vector("a_N", problem.a_N);
  out.vector("a_J", problem.a_J);
  write_column(out, "gap", problem.contacts, &Contact::gap, false);
  write_column(out, "restitution", problem.contacts, &Contact::restitution, false);
  write_stiffness(out, problem.contacts);
  write_column(out, "damping", problem.contacts, &Contact::damping, false);
  write_geometry(out, problem.contacts);
  if (file.expected) out.raw("expected", write_expected(*file.expected, problem.level));
  return out.finish();
}

std::string write(const CompliantFile& file) { return write_compliant(file); }

}  // namespace

std::string to_json(const AnyProblem& problem) {
  return std::visit([](const auto& value) { return write(value); }, problem) + "\n";
}

}  // namespace tribo
