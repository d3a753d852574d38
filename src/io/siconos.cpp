// Problems in Siconos text files. The text does not say which kind it holds; the layouts are tried in turn
// and their sizes must agree strictly:
//     LCP   n  M(n × n)  q(n)
//     FC    d  nc  W(d nc × d nc)  q(d nc)  mu(nc)
//     GFC   d  nc  M(n × n)  H(n × d nc)  q(n)  b(d nc)  mu(nc)
//     MLCP  type1  type2  n  m  …
//     GMP   M in block storage  q  one type per block row
// What follows the last number is ignored. A global file whose M is as large as its contact vector begins
// like a local one: the header of H reads as the first numbers of q. So GFC goes before FC, and a local
// reading is accepted only where no header of H stands.
#include "tribo/io/problem_file.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "io/siconos_matrix.hpp"
#include "io/text_reader.hpp"

namespace tribo {
namespace {

struct Attempt {
  std::optional<AnyProblem> problem;
  std::optional<Error> error;
  std::size_t offset = 0;      // how far the layout could be followed
  bool second_matrix = false;  // GFC: the header of H was there
};

// Rows marked free go first, in their order; rows and columns of M alike.
MixedLcpFile make_mixed(const MatrixXd& M, const VectorXd& q, const std::vector<bool>& free) {
  MixedLcpFile file;
  file.order.resize(free.size());
  std::iota(file.order.begin(), file.order.end(), Index{0});
  std::stable_partition(file.order.begin(), file.order.end(),
                        [&](Index row) { return free[static_cast<std::size_t>(row)]; });
  file.lcp.free = std::count(free.begin(), free.end(), true);
  file.lcp.M = M(file.order, file.order);
  file.lcp.q = q(file.order);
  return file;
}

std::optional<AnyProblem> read_lcp(TextReader& in) {
  const Index n = in.size("the number of unknowns");
  Lcp lcp;
  lcp.M = read_siconos_dense(in, "M", n);
  lcp.q = in.vector("q", n);
  return lcp;
}

Index read_flag(TextReader& in, const std::string& what) {
  const Index flag = in.integer(what);
  if (!in.failed() && flag != 0 && flag != 1) {
    in.refuse(what + " is " + std::to_string(flag) + ", expected 0 or 1", "is this a mixed LCP?");
  }
  return flag;
}

MixedLcpFile read_mlcp_blocks(TextReader& in, Index n, Index m) {
  std::vector<Index> bounds;
  do {
    bounds.push_back(in.integer("a block boundary"));
    const bool first = bounds.size() == 1;
    if (!in.failed() && (first ? bounds.back() != 0 : bounds.back() <= bounds[bounds.size() - 2])) {
      in.refuse("block boundaries do not increase from 0", "give 0 = k0 < k1 < ... = n + m");
    }
  } while (!in.failed() && bounds.back() < n + m);
  if (!in.failed() && bounds.back() != n + m) {
    in.refuse(
        "the last block boundary is " + std::to_string(bounds.back()) + ", expected n + m = " + std::to_string(n + m),
        "the blocks must cover all rows");
  }
  std::vector<bool> free;
  for (std::size_t k = 0; k + 1 < bounds.size() && !in.failed(); ++k) {
    const bool equality = read_flag(in, "the type of block " + std::to_string(k)) == 0;
    if (!in.failed()) free.insert(free.end(), static_cast<std::size_t>(bounds[k + 1] - bounds[k]), equality);
  }
  if (!in.failed() && std::count(free.begin(), free.end(), true) != n) {
    in.refuse("the equality blocks have " + std::to_string(std::count(free.begin(), free.end(), true)) +
                  " rows, expected n = " + std::to_string(n),
              "block types and sizes must agree");
  }
  const MatrixXd M = read_siconos_dense(in, "M", n + m);
  const VectorXd q = in.vector("q", n + m);
  return in.failed() ? MixedLcpFile() : make_mixed(M, q, free);
}

MixedLcpFile read_mlcp_parts(TextReader& in, Index n, Index m) {
  const Index size = n + m;
  if (!in.failed() && (size > PTRDIFF_MAX / std::max<Index>(size, 1) || !in.can_hold(size * size + size))) {
    in.refuse("A, B, C, D, a and b have more numbers than the rest of the text can hold",
              "n or m is wrong, or the file was cut short");
  }
  if (in.failed()) return {};
  MixedLcp lcp{MatrixXd(size, size), VectorXd(size), n};
  const auto fill = [&](const std::string& name, Index row, Index col, Index rows, Index cols) {
    for (Index i = row; i < row + rows; ++i) {
      for (Index j = col; j < col + cols; ++j) lcp.M(i, j) = in.number(name);
    }
  };
  fill("A", 0, 0, n, n);
  fill("B", n, n, m, m);
  fill("C", 0, n, n, m);
  fill("D", n, 0, m, n);
  for (Index i = 0; i < size; ++i) lcp.q(i) = in.number(i < n ? "a" : "b");
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), Index{0});
  return {std::move(lcp), std::move(order)};
}

std::optional<AnyProblem> read_mlcp(TextReader& in) {
  const Index blocks = read_flag(in, "type1");
  const Index parts = read_flag(in, "type2");
  if (!in.failed() && blocks == 0 && parts == 0) {
    in.refuse("neither form of the mixed LCP is announced", "set type1 or type2 to 1");
  }
  const Index n = in.size("the number of equality rows");
  const Index m = in.size("the number of complementarity rows");
  if (in.failed()) return std::nullopt;
  return blocks == 1 ? read_mlcp_blocks(in, n, m) : read_mlcp_parts(in, n, m);
}

// d and nc, as they begin both friction layouts; returns d nc.
Index read_contacts(TextReader& in, int& dimension, Index& contacts) {
  const Index d = in.integer("the dimension");
  if (!in.failed() && d != 2 && d != 3) {
    in.refuse("the dimension is " + std::to_string(d) + ", expected 2 or 3", "is this a friction problem?");
  }
  contacts = in.size("the number of contacts");
  dimension = in.failed() ? 3 : static_cast<int>(d);
  return dimension * contacts;  // no overflow: contacts is at most the length of the text
}

std::optional<AnyProblem> read_local(TextReader& in) {
  LocalFriction problem;
  Index contacts = 0;
  const Index rows = read_contacts(in, problem.dimension, contacts);
  problem.W = read_siconos_matrix(in, "W", rows, rows).values;
  problem.q = in.vector("q", rows);
  problem.mu = in.vector("mu", contacts);
  return problem;
}

std::optional<AnyProblem> read_global(TextReader& in, bool& second_matrix) {
  GlobalFriction problem;
  Index contacts = 0;
  const Index rows = read_contacts(in, problem.dimension, contacts);
  problem.M = read_siconos_matrix(in, "M", -1, -1).values;
  const Index dof = problem.M.rows();
  if (!in.failed()) {
    TextReader ahead = in;
    const Index storage = ahead.integer("the storage of H");
    ahead.exact("rows of H", dof);
    ahead.exact("columns of H", rows);
    second_matrix = !ahead.failed() && storage >= 0 && storage <= 2;
  }
  problem.H = read_siconos_matrix(in, "H", dof, rows).values;
  problem.f = in.vector("q", dof);
  problem.w = in.vector("b", rows);
  problem.mu = in.vector("mu", contacts);
  problem.G.resize(dof, 0);
  return problem;
}

// Joints and contacts together. A problem of contacts alone is a local friction problem; without them a mixed
// LCP.
std::optional<AnyProblem> read_gmp(TextReader& in) {
  TextReader ahead = in;
  ahead.exact("the storage of M", 1);
  if (ahead.failed()) {
    in = ahead;
    return std::nullopt;
  }
  const SiconosMatrix M = read_siconos_matrix(in, "M", -1, -1);
  if (!in.failed() && (M.row_ends.empty() || M.row_ends != M.col_ends)) {
    in.refuse("M is not stored in square blocks", "store M in blocks with equal row and column boundaries");
  }
  const VectorXd q = in.vector("q", M.values.rows());
  std::vector<bool> free;
  std::vector<double> mu;
  Index begin = 0;
  for (std::size_t k = 0; k < M.row_ends.size() && !in.failed(); ++k) {
    const Index rows = M.row_ends[k] - begin;
    begin = M.row_ends[k];
    const Index type = in.integer("the type of block " + std::to_string(k));
    if (in.failed()) break;
    if (type == 4) {
      if (rows != 3) {
        in.refuse("contact block " + std::to_string(k) + " has " + std::to_string(rows) + " rows, expected 3",
                  "a 3D contact has three rows");
      }
      mu.push_back(in.number("mu of block " + std::to_string(k)));
    } else if (type == 0 || type == 2) {
      free.insert(free.end(), static_cast<std::size_t>(rows), type == 2);
    } else {
      in.refuse("block " + std::to_string(k) + " has type " + std::to_string(type) + ", which is not supported",
                "types are 0 (LCP), 2 (equality) and 4 (3D contact)");
    }
  }
  if (in.failed()) return std::nullopt;
  if (mu.empty()) {
    const MatrixXd dense = make_dense(in, M, "M");
    if (in.failed()) return std::nullopt;
    return make_mixed(dense, q, free);
  }
  if (!free.empty()) {
    in.refuse("the problem mixes 3D contacts with joints or LCP rows, which this version does not support",
              "eliminate the joints first, or write a global friction problem with G and b");
    return std::nullopt;
  }
  LocalFriction problem;
  problem.W = M.values;
  problem.q = q;
  problem.mu = Eigen::Map<const VectorXd>(mu.data(), static_cast<Index>(mu.size()));
  return problem;
}

Attempt attempt(const std::string& text, const std::string& layout) {
  TextReader in(text);
  Attempt result;
  std::optional<AnyProblem> problem;
  if (layout == "lcp") problem = read_lcp(in);
  if (layout == "mlcp") problem = read_mlcp(in);
  if (layout == "fc") problem = read_local(in);
  if (layout == "gfc") problem = read_global(in, result.second_matrix);
  if (layout == "gmp") problem = read_gmp(in);
  result.offset = in.offset();
  if (in.failed()) {
    result.error = Error{"as " + layout + ": " + in.error().what, in.error().where, in.error().remedy};
  } else {
    result.problem = std::move(problem);
  }
  return result;
}

Expected<AnyProblem> validated(AnyProblem problem) {
  const Checked valid = validate(problem);
  if (!valid) return Unexpected<Error>{valid.error()};
  return problem;
}

Expected<AnyProblem> parse_named(const std::string& text, const std::string& kind) {
  static const std::array<std::pair<const char*, const char*>, 7> kLayouts = {{{"lcp", "lcp"},
                                                                               {"mlcp", "mlcp"},
                                                                               {"gmp", "gmp"},
                                                                               {"fc3d", "fc"},
                                                                               {"fc2d", "fc"},
                                                                               {"gfc3d", "gfc"},
                                                                               {"gfc2d", "gfc"}}};
  for (const auto& [name, layout] : kLayouts) {
    if (kind != name) continue;
    Attempt result = attempt(text, layout);
    if (!result.problem) return Unexpected<Error>{*result.error};
    const std::string found = kind_of(*result.problem);
    if (kind != "gmp" && found != kind) {
      return fail("this is a problem of kind " + found + ", not " + kind, "line 1", "name the right kind");
    }
    return validated(std::move(*result.problem));
  }
  return fail("unknown kind " + in_quotes(kind), "", "kinds are lcp, mlcp, fc3d, fc2d, gfc3d, gfc2d and gmp");
}

}  // namespace

Expected<AnyProblem> parse_siconos(const std::string& text, const std::string& kind) {
  if (!kind.empty()) return parse_named(text, kind);
  Attempt global = attempt(text, "gfc");
  if (global.problem) return validated(std::move(*global.problem));
  std::vector<Attempt> fits;
  std::string names;
  Attempt furthest = global;
  for (const char* layout : {"lcp", "mlcp", "fc", "gmp"}) {
    Attempt result = attempt(text, layout);
    if (result.problem) {
      names += (names.empty() ? "" : " and ") + kind_of(*result.problem);
      fits.push_back(std::move(result));
    } else if (result.offset >= furthest.offset) {  // a tie goes to the plainer layout
      furthest = std::move(result);
    }
  }
  if (fits.empty()) return Unexpected<Error>{*furthest.error};
  if (fits.size() > 1) {
    return fail("the text can be read as " + names, "line 1", "say which kind it is");
  }
  if (global.second_matrix && std::holds_alternative<LocalFriction>(*fits.front().problem)) {
    return fail("the text can be read as " + names + ", but a second matrix seems to follow the first (" +
                    global.error->what + ")",
                global.error->where, "say which kind it is, or mend the global problem");
  }
  return validated(std::move(*fits.front().problem));
}

}  // namespace tribo
