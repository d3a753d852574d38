#include "io/siconos_matrix.hpp"

#include <charconv>

namespace tribo {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void add(Triplets& entries, Index row, Index col, double value) {
  entries.emplace_back(static_cast<int>(row), static_cast<int>(col), value);
}

void read_dense(TextReader& in, const std::string& name, Index rows, Index cols, Triplets& entries) {
  in.equal_size("the repeated rows of " + name, rows);
  in.equal_size("the repeated columns of " + name, cols);
  if (!in.failed() && cols > 0 && (rows > PTRDIFF_MAX / cols || !in.can_hold(rows * cols))) {
    in.refuse(name + " has " + std::to_string(rows) + " x " + std::to_string(cols) +
                  " entries, more than the rest of the text can hold",
              "the size is wrong, or the file was cut short");
  }
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows && !in.failed(); ++i) {
      const double value = in.number(name);
      if (value != 0.0) add(entries, i, j, value);
    }
  }
}

// Ends of the block rows (columns): strictly increasing, the last one is the matrix's size.
std::vector<Index> read_ends(TextReader& in, const std::string& what, Index count, Index size) {
  std::vector<Index> ends;
  Index previous = 0;
  for (Index k = 0; k < count && !in.failed(); ++k) {
    const Index end = in.integer(what);
    if (!in.failed() && (end <= previous || end > size)) {
      in.refuse(what + " " + std::to_string(k) + " is " + std::to_string(end) + ", expected " +
                    std::to_string(previous + 1) + " ... " + std::to_string(size),
                "block boundaries are cumulated counts and must increase");
    }
    ends.push_back(end);
    previous = end;
  }
  if (!in.failed() && previous != size) {
    in.refuse("the last of the " + what + "s is " + std::to_string(previous) + ", expected " + std::to_string(size),
              "the blocks must cover the whole matrix");
  }
  return ends;
}

void read_blocks(TextReader& in, const std::string& name, Index rows, Index cols, SiconosMatrix& matrix,
                 Triplets& entries) {
  const Index blocks = in.size("the number of blocks of " + name);
  const Index block_rows = in.size("the number of block rows of " + name);
  const Index block_cols = in.size("the number of block columns of " + name);
  matrix.row_ends = read_ends(in, name + " block row end", block_rows, rows);
  matrix.col_ends = read_ends(in, name + " block column end", block_cols, cols);
  const Index starts = in.size("filled1 of " + name);
  if (!in.failed() && starts > block_rows + 1) {
    in.refuse("filled1 of " + name + " is " + std::to_string(starts) +
                  ", more than block rows + 1 = " + std::to_string(block_rows + 1),
              "there is one start per block row and one end");
  }
  in.equal_size("filled2 of " + name, blocks);
  std::vector<Index> start;
  for (Index k = 0; k < starts && !in.failed(); ++k) {
    start.push_back(in.index(name + " block start", blocks + 1));
    const Index least = k == 0 ? 0 : start[static_cast<std::size_t>(k - 1)];
    if (!in.failed() && (start.back() < least || (k == 0 && start.back() != 0))) {
      in.refuse("block starts of " + name + " do not increase from 0", "start(k) ... start(k+1)-1 lie in block row k");
    }
  }
  if (!in.failed() && (start.empty() ? Index{0} : start.back()) != blocks) {
    in.refuse("the block rows of " + name + " hold " + std::to_string(start.empty() ? 0 : start.back()) +
                  " blocks, the matrix " + std::to_string(blocks),
              "the last block start must be the number of blocks");
  }
  std::vector<Index> column;
  for (Index b = 0; b < blocks && !in.failed(); ++b) {
    column.push_back(in.index(name + " block column", block_cols));
  }
  std::vector<Index> last_row(static_cast<std::size_t>(in.failed() ? 0 : block_cols),
                              -1);  // finds repeated blocks
  Index row = 0;
  for (Index b = 0; b < blocks && !in.failed(); ++b) {
    while (start[static_cast<std::size_t>(row + 1)] <= b) ++row;
    const auto r = static_cast<std::size_t>(row);
    const auto c = static_cast<std::size_t>(column[static_cast<std::size_t>(b)]);
    in.exact("the number of block " + std::to_string(b) + " of " + name, b);
    if (last_row[c] == row) {
      in.refuse("block (" + std::to_string(row) + ", " + std::to_string(c) + ") of " + name + " is there twice",
                "store each block once");
    }
    last_row[c] = row;
    const Index row_begin = r == 0 ? 0 : matrix.row_ends[r - 1];
    const Index col_begin = c == 0 ? 0 : matrix.col_ends[c - 1];
    for (Index j = col_begin; j < matrix.col_ends[c]; ++j) {
      for (Index i = row_begin; i < matrix.row_ends[r] && !in.failed(); ++i) add(entries, i, j, in.number(name));
    }
  }
}

// "900-by-138," of a CSparse header.
void check_extent(TextReader& in, const std::string& name, std::string_view word, Index rows, Index cols) {
  const std::string expected = std::to_string(rows) + "-by-" + std::to_string(cols) + ",";
  if (in.failed() || word == expected) return;
  in.refuse("the sparse header of " + name + " says " + in_quotes(word) + ", expected " + in_quotes(expected),
            "the sizes in the file must agree");
}

void read_sparse(TextReader& in, const std::string& name, Index rows, Index cols, Triplets& entries) {
  const Index origin = in.integer("the origin of " + name);
  if (!in.failed() && origin != 1 && origin != 2) {
    in.refuse("the origin of " + name + " is " + std::to_string(origin), "1 is triplet, 2 compressed columns");
  }
  in.rest_of_line();
  in.expect("CSparse");
  in.rest_of_line();
  if (origin == 1) in.expect("triplet:");
  check_extent(in, name, in.word("the extent of " + name), rows, cols);
  in.expect("nzmax:");
  in.word("nzmax of " + name);
  in.expect("nnz:");
  std::string_view count_word = in.word("nnz of " + name);
  if (!count_word.empty() && count_word.back() == ',') count_word.remove_suffix(1);
  Index count = 0;
  const auto [end, code] = std::from_chars(count_word.data(), count_word.data() + count_word.size(), count);
  if (!in.failed() && (code != std::errc() || end != count_word.data() + count_word.size() || !in.can_hold(count))) {
    in.refuse("nnz of " + name + " is " + in_quotes(count_word) + ", more than the text can hold",
              "the number of entries that follow");
  }
  in.rest_of_line();
  if (origin == 1) {
    for (Index k = 0; k < count && !in.failed(); ++k) {
      const Index i = in.index(name + " row index", rows);
      const Index j = in.index(name + " column index", cols);
      in.expect(":");
      add(entries, i, j, in.number(name));
    }
    return;
  }
  Index seen = 0;
  for (Index j = 0; j < cols && !in.failed(); ++j) {
    in.expect("col");
    in.exact(name + " column", j);
    in.expect(":");
    in.expect("locations");
    in.exact("the first location of column " + std::to_string(j) + " of " + name, seen);
    in.expect("to");
    const Index last = in.integer("the last location of column " + std::to_string(j) + " of " + name);
    if (!in.failed() && (last < seen - 1 || last >= count)) {
      in.refuse("column " + std::to_string(j) + " of " + name + " ends at location " + std::to_string(last) +
                    ", expected " + std::to_string(seen - 1) + " ... " + std::to_string(count - 1),
                "locations run from 0 to nnz - 1 over all columns");
    }
    for (; seen <= last && !in.failed(); ++seen) {
      const Index i = in.index(name + " row index", rows);
      in.expect(":");
      add(entries, i, j, in.number(name));
    }
  }
  if (!in.failed() && seen != count) {
    in.refuse("the columns of " + name + " hold " + std::to_string(seen) + " entries, the header says " +
                  std::to_string(count),
              "the number of entries must agree");
  }
}

}  // namespace

SiconosMatrix read_siconos_matrix(TextReader& in, const std::string& name, Index rows, Index cols) {
  SiconosMatrix matrix;
  const Index storage = in.integer("the storage of " + name);
  if (!in.failed() && (storage < 0 || storage > 2)) {
    in.refuse("the storage of " + name + " is " + std::to_string(storage), "0 is dense, 1 sparse blocks, 2 sparse");
  }
  const bool square = rows < 0 && cols < 0;
  rows = in.equal_size("rows of " + name, rows);
  cols = in.equal_size("columns of " + name, square ? rows : cols);
  if (in.failed()) return matrix;
  Triplets entries;
  if (storage == 0) read_dense(in, name, rows, cols, entries);
  if (storage == 1) read_blocks(in, name, rows, cols, matrix, entries);
  if (storage == 2) read_sparse(in, name, rows, cols, entries);
  if (in.failed()) return SiconosMatrix();
  matrix.values.resize(rows, cols);
  matrix.values.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

MatrixXd make_dense(TextReader& in, const SiconosMatrix& matrix, const std::string& name) {
  if (!in.failed() && matrix.values.rows() > kMaxDenseRows) {
    in.refuse(name + " has " + std::to_string(matrix.values.rows()) + " rows, more than the limit of " +
                  std::to_string(kMaxDenseRows) + " for a dense problem",
              "split the problem into its islands");
  }
  return in.failed() ? MatrixXd() : MatrixXd(matrix.values);
}

MatrixXd read_siconos_dense(TextReader& in, const std::string& name, Index size) {
  const SiconosMatrix matrix = read_siconos_matrix(in, name, size, size);
  return make_dense(in, matrix, name);
}

}  // namespace tribo
