// ConeFormulation of a ContactProblem: rows whitened body by body, cones made round, and the way back.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "formulation/cone_bodies.hpp"

namespace tribo {

class ContactCone {
 public:
  Checked update(const ContactProblem& problem, ConeForm form, ConeProblem& cone);
  bool consistent() const { return !judged_ || normal_.consistent(); }
  ContactSolution inconsistency() const { return normal_.inconsistency(); }
  void lift(const VectorXd& r, ContactSolution& out);
  void warm_start(const ContactSolution& known, ConeWarmStart& warm) const;
  ConeComponent component(Index place) const;
  double calc_spring(Index row) const;  // R of (3) in cone.hpp
  // Blocks: limits that come first, dry friction, the other contacts, groups of J. −1: not one.
  Index contact_of(Index k) const {
    if (k < limits_) return k;
    return k < dry_end() || k >= first_group() ? -1 : k - problem_->dry();
  }

 private:
  static constexpr int kMost = 6;  // rows of a block
  // The rows of one block of the cone problem; null: filled up.
  struct Block {
    std::array<const BlockRows*, kMost> rows{};
    std::array<Index, kMost> row{};
  };

  Block contact_block(Index i) const;
  Block dry_block(Index i) const;
  Block bilateral_block(Index g) const;
  Block block_of(Index k) const {
    if (const Index i = contact_of(k); i >= 0) return contact_block(i);
    return is_dry(k) ? dry_block(k - limits_) : bilateral_block(k - first_group());
  }
  Index dry_end() const { return limits_ + problem_->dry(); }
  Index first_group() const { return problem_->size() + problem_->dry(); }
  bool is_dry(Index k) const { return k >= limits_ && k < dry_end(); }
  bool is_bilateral(Index k) const { return k >= first_group(); }
  Index blocks() const { return first_group() + static_cast<Index>(groups_.size()) - 1; }
  void choose_dimension();
  void group_bilateral();
  // Marks the bodies that take part and gives each its columns; true: W pays.
  bool plan_columns();
  void collect_bodies(const Block& block);
  void fill_block(Index k, BlockSparse& H, ConeProblem& cone);
  void set_scale(Index k, const double* norms, ConeProblem& cone);
  void make_round(Index k, const double* norms, ConeProblem& cone);

  const ContactProblem* problem_ = nullptr;
  Index limits_ = 0;          // that come first among the contacts
  int d_ = 3, b_ = 6;         // numbers of a block, of a body
  NormalFormulation normal_;  // whether the rows J agree
  bool judged_ = false;       // it was asked
  BlockCholesky factor_;
  VectorXd u0_, push_;
  std::vector<double> body_speed_;     // |v|_M or |u0|_M of each body, the larger
  std::vector<double> sigma_;          // (2) of cone.hpp, d_ per block; 0: filled up
  std::vector<double> diagonal_;       // R, d_ per block
  std::vector<std::int32_t> column_;   // of each body, its first; -1: takes no part
  std::vector<Index> count_;           // contacts of each body
  std::vector<std::int32_t> bodies_;   // of the block at hand, ascending
  std::vector<std::int32_t> columns_;  // the same as columns
  std::vector<Index> grouped_;         // rows of J, those of the same bodies together
  std::vector<Index> groups_;          // where each block of them begins; one more than there are
  std::vector<double> row_;            // one whitened part of a row
  BlockSparse rows_;                   // Ĥ where W is formed
  BodyProduct product_;
};

}  // namespace tribo
