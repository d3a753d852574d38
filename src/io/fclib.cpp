// FCLib's layout: a group fclib_local or fclib_global with matrices as groups of arrays. A matrix group has m
// rows, n columns, and nz says how the entries are stored: >= 0 triplet, -1 compressed columns, -2 compressed
// rows.
#include "io/fclib.hpp"

#include "tribo/io/problem_file.hpp"

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "io/hdf5_image.hpp"

namespace tribo {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
using Integers = std::vector<std::int64_t>;

// Reads fields one after the other; the first failure sticks and empties whatever is read later.
class Fields {
 public:
  Fields(const Hdf5Reader& file, std::string root) : file_(file), root_(std::move(root)) {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  bool has(const std::string& path) const { return file_.has(root_ + path); }

  void refuse(const std::string& path, const std::string& what, const std::string& remedy) {
    if (!failed()) error_ = Error{what, "/" + root_ + path, remedy};
  }

  Integers integers(const std::string& path) {
    if (failed()) return {};
    Expected<Integers> values = file_.integers(root_ + path);
    if (values) return std::move(*values);
    refuse(path, values.error().what, values.error().remedy);
    return {};
  }

  std::int64_t integer(const std::string& path) {
    const Integers values = integers(path);
    if (!failed() && values.size() != 1) {
      refuse(path, "has " + std::to_string(values.size()) + " entries, expected 1", "write an array of length 1");
    }
    return failed() ? 0 : values.front();
  }

  std::vector<double> numbers(const std::string& path) {
    if (failed()) return {};
    Expected<std::vector<double>> values = file_.numbers(root_ + path);
    if (!values) {
      refuse(path, values.error().what, values.error().remedy);
      return {};
    }
    for (std::size_t i = 0; i < values->size(); ++i) {
      if (!std::isfinite((*values)[i])) {
        refuse(path, "entry " + std::to_string(i) + " is not finite", "write finite numbers");
        return {};
      }
    }
    return std::move(*values);
  }

  // size -1: any.
  VectorXd vector(const std::string& path, Index size) {
    const std::vector<double> values = numbers(path);
    if (!failed() && size >= 0 && static_cast<Index>(values.size()) != size) {
      refuse(path, "has " + std::to_string(values.size()) + " entries, expected " + std::to_string(size),
             "the sizes in the file must agree");
    }
    if (failed()) return VectorXd();
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  }

  SparseMatrix matrix(const std::string& path, Index rows, Index cols);
  std::string text(const std::string& path) const { return file_.text(root_ + path); }

 private:
  void check_extent(const std::string& path, const char* name, std::int64_t value, Index expected) {
    if (failed() || value == expected) return;
    refuse(path + "/" + name, "is " + std::to_string(value) + ", expected " + std::to_string(expected),
           "the sizes in the file must agree");
  }
  void read_triplets(const std::string& path, std::int64_t count, Index rows, Index cols, Triplets& entries);
  void read_compressed(const std::string& path, bool by_rows, Index rows, Index cols, Triplets& entries);

  const Hdf5Reader& file_;
  std::string root_;
  std::optional<Error> error_;
};

std::string outside(std::size_t k, std::int64_t value, Index limit) {
  return "entry " + std::to_string(k) + " is " + std::to_string(value) + ", outside of 0 ... " +
         std::to_string(limit - 1);
}

void Fields::read_triplets(const std::string& path, std::int64_t count, Index rows, Index cols, Triplets& entries) {
  const Integers row = integers(path + "/i");
  const Integers col = integers(path + "/p");
  const std::vector<double> value = numbers(path + "/x");
  const auto size = static_cast<std::size_t>(count);
  if (!failed() && (row.size() < size || col.size() < size || value.size() < size)) {
    refuse(path, "i, p or x is shorter than nz = " + std::to_string(count), "write nz entries in each");
  }
  for (std::size_t k = 0; k < size && !failed(); ++k) {
    if (row[k] < 0 || row[k] >= rows) refuse(path + "/i", outside(k, row[k], rows), "indices start at 0");
    if (col[k] < 0 || col[k] >= cols) refuse(path + "/p", outside(k, col[k], cols), "indices start at 0");
    entries.emplace_back(static_cast<int>(row[k]), static_cast<int>(col[k]), value[k]);
  }
}

void Fields::read_compressed(const std::string& path, bool by_rows, Index rows, Index cols, Triplets& entries) {
  const Integers start = integers(path + "/p");
  const Integers inner = integers(path + "/i");
  const std::vector<double> value = numbers(path + "/x");
  const Index outer_size = by_rows ? rows : cols;
  const Index inner_size = by_rows ? cols : rows;
  if (!failed() && start.size() != static_cast<std::size_t>(outer_size) + 1) {
    refuse(path + "/p", "has " + std::to_string(start.size()) + " entries, expected " + std::to_string(outer_size + 1),
           "one start per column (row) and one end");
  }
  if (failed()) return;
  const auto stored = static_cast<std::int64_t>(std::min(inner.size(), value.size()));
  for (std::size_t j = 0; j < start.size(); ++j) {
    if (start[j] < (j == 0 ? 0 : start[j - 1]) || start[j] > stored || (j == 0 && start[j] != 0)) {
      refuse(path + "/p", "entry " + std::to_string(j) + " is " + std::to_string(start[j]),
             "starts increase from 0 to the length of i and x");
      return;
    }
  }
  for (std::size_t j = 0; j + 1 < start.size(); ++j) {
    for (auto k = static_cast<std::size_t>(start[j]); k < static_cast<std::size_t>(start[j + 1]); ++k) {
      if (inner[k] < 0 || inner[k] >= inner_size) {
        refuse(path + "/i", outside(k, inner[k], inner_size), "indices start at 0");
        return;
      }
      const int outer = static_cast<int>(j);
      const int other = static_cast<int>(inner[k]);
      entries.emplace_back(by_rows ? outer : other, by_rows ? other : outer, value[k]);
    }
  }
}

SparseMatrix Fields::matrix(const std::string& path, Index rows, Index cols) {
  check_extent(path, "m", integer(path + "/m"), rows);
  check_extent(path, "n", integer(path + "/n"), cols);
  const std::int64_t kind = integer(path + "/nz");
  if (!failed() && kind < -2) {
    refuse(path + "/nz", "is " + std::to_string(kind), ">= 0 is triplet, -1 compressed columns, -2 compressed rows");
  }
  Triplets entries;
  if (!failed() && kind >= 0) read_triplets(path, kind, rows, cols, entries);
  if (!failed() && kind < 0) read_compressed(path, kind == -2, rows, cols, entries);
  if (failed()) return SparseMatrix();
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

int read_dimension(Fields& in) {
  const std::int64_t dimension = in.integer("/spacedim");
  if (!in.failed() && dimension != 2 && dimension != 3) {
    in.refuse("/spacedim", "is " + std::to_string(dimension) + ", expected 2 or 3", "write 2 or 3");
  }
  return dimension == 2 ? 2 : 3;
}

LocalFriction read_local(Fields& in) {
  for (const char* part : {"/V", "/R", "/vectors/s"}) {
    if (in.has(part)) {
      in.refuse(part, "the problem has a bilateral part (V, R, s), which this version does not support",
                "eliminate the bilateral constraints, or write the problem in global form with G and b");
    }
  }
  LocalFriction problem;
  problem.dimension = read_dimension(in);
  problem.mu = in.vector("/vectors/mu", -1);
  const Index rows = problem.dimension * problem.mu.size();
  problem.q = in.vector("/vectors/q", rows);
  problem.W = in.matrix("/W", rows, rows);
  problem.title = in.text("/info/title");
  return problem;
}

GlobalFriction read_global(Fields& in) {
  GlobalFriction problem;
  problem.dimension = read_dimension(in);
  problem.mu = in.vector("/vectors/mu", -1);
  const Index rows = problem.dimension * problem.mu.size();
  problem.f = in.vector("/vectors/f", -1);
  const Index dof = problem.f.size();
  problem.w = in.vector("/vectors/w", rows);
  problem.M = in.matrix("/M", dof, dof);
  problem.H = in.matrix("/H", dof, rows);
  problem.G.resize(dof, 0);
  if (in.has("/G") != in.has("/vectors/b")) {
    in.refuse("", "has only one of G and vectors/b", "bilateral constraints need both");
  }
  if (in.has("/G")) {
    problem.b = in.vector("/vectors/b", -1);
    problem.G = in.matrix("/G", dof, problem.b.size());
  }
  problem.title = in.text("/info/title");
  return problem;
}

// Compressed columns. The caller has made sure that 32-bit indices suffice.
void write_matrix(Hdf5Writer& out, const std::string& path, SparseMatrix matrix) {
  matrix.makeCompressed();
  const auto count = static_cast<std::size_t>(matrix.nonZeros());
  const int* outer = matrix.outerIndexPtr();
  const int* inner = matrix.innerIndexPtr();
  out.group(path);
  out.integers(path + "/m", {static_cast<std::int32_t>(matrix.rows())});
  out.integers(path + "/n", {static_cast<std::int32_t>(matrix.cols())});
  out.integers(path + "/nzmax", {static_cast<std::int32_t>(count)});
  out.integers(path + "/nz", {-1});
  out.integers(path + "/p", std::vector<std::int32_t>(outer, outer + matrix.cols() + 1));
  out.integers(path + "/i", std::vector<std::int32_t>(inner, inner + count));
  out.numbers(path + "/x", matrix.valuePtr(), count);
}

void write_vector(Hdf5Writer& out, const std::string& path, const VectorXd& vector) {
  out.numbers(path, vector.data(), static_cast<std::size_t>(vector.size()));
}

void write_info(Hdf5Writer& out, const std::string& root, const std::string& title) {
  out.group(root + "/info");
  out.text(root + "/info/title", title);
  out.text(root + "/info/description", "");
  out.text(root + "/info/math_info", "");
}

}  // namespace

bool looks_like_hdf5(const std::string& bytes) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  // A user block may come first; its length is 0, 512 or a doubling of that.
  for (std::size_t at = 0; at + kSignature.size() <= bytes.size(); at = at == 0 ? 512 : 2 * at) {
    if (bytes.compare(at, kSignature.size(), kSignature) == 0) return true;
  }
  return false;
}

Expected<AnyProblem> parse_fclib(const std::string& bytes) {
  const Expected<Hdf5Reader> file = Hdf5Reader::open(bytes);
  if (!file) return Unexpected<Error>{file.error()};
  const bool local = file->has("fclib_local");
  if (local == file->has("fclib_global")) {
    return fail(local ? "holds both a local and a global problem" : "holds neither fclib_local nor fclib_global", "/",
                "an FCLib file has one of the two groups at its root");
  }
  Fields in(*file, local ? "fclib_local" : "fclib_global");
  AnyProblem problem;
  if (local) {
    problem = read_local(in);
  } else {
    problem = read_global(in);
  }
  if (in.failed()) return Unexpected<Error>{in.error()};
  const Checked valid = validate(problem);
  if (!valid) return Unexpected<Error>{valid.error()};
  return problem;
}

Expected<std::string> encode_fclib(const LocalFriction& problem) {
  const Checked valid = validate(problem);
  if (!valid) return Unexpected<Error>{valid.error()};
  Hdf5Writer out;
  out.group("fclib_local");
  out.integers("fclib_local/spacedim", {problem.dimension});
  write_matrix(out, "fclib_local/W", problem.W);
  out.group("fclib_local/vectors");
  write_vector(out, "fclib_local/vectors/q", problem.q);
  write_vector(out, "fclib_local/vectors/mu", problem.mu);
  write_info(out, "fclib_local", problem.title);
  return out.finish();
}

Expected<std::string> encode_fclib(const GlobalFriction& problem) {
  const Checked valid = validate(problem);
  if (!valid) return Unexpected<Error>{valid.error()};
  Hdf5Writer out;
  out.group("fclib_global");
  out.integers("fclib_global/spacedim", {problem.dimension});
  write_matrix(out, "fclib_global/M", problem.M);
  write_matrix(out, "fclib_global/H", problem.H);
  if (problem.G.cols() > 0) write_matrix(out, "fclib_global/G", problem.G);
  out.group("fclib_global/vectors");
  write_vector(out, "fclib_global/vectors/f", problem.f);
  write_vector(out, "fclib_global/vectors/w", problem.w);
  if (problem.G.cols() > 0) write_vector(out, "fclib_global/vectors/b", problem.b);
  write_vector(out, "fclib_global/vectors/mu", problem.mu);
  write_info(out, "fclib_global", problem.title);
  return out.finish();
}

}  // namespace tribo
