// Coulomb friction on a polygon, without its LCP matrix (spec C.1): the frictionless problem of the normals and, for each
// contact, two tangents that are whitened when they are asked for. With u in coordinates where M = I,
//     u = u₀ + (I − Q Qᵀ)(N̂ᵀ θ + D̂ᵀ φ),   D_ik = cos_k S_i + sin_k T_i
//     0 ≤ θ ⟂ ν = N̂ u + b ≥ 0,   0 ≤ φ ⟂ σ = D̂ u + E λ ≥ 0,   0 ≤ λ ⟂ γ = μ θ − Eᵀ φ ≥ 0                      (1)
// Contacts with mu = 0 have no φ, λ, σ, γ. Rows are never projected: u is, and b_s of the spec with it.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/least_distance.hpp"

#include <array>
#include <vector>

namespace tribo {

struct PyramidProblem {
  const LeastDistance* normals = nullptr;  // N̂, b, u₀, Q
  const BlockRows* S = nullptr;            // as they are in the contact problem
  const BlockRows* T = nullptr;            // planar: no rows
  const BlockCholesky* factor = nullptr;   // of M, for the tangents
  Index directions = 0;                    // d; 2 when planar
  std::vector<double> cosine, sine;        // of direction k
  std::vector<double> mu;                  // per contact
  std::vector<double> turn;                // per contact (cos, sin) by which its directions are turned; empty: none

  Index size() const { return normals->size(); }  // contacts
  Index dof() const { return normals->dof(); }
  bool spatial() const { return T->rows() > 0; }
  // ŝ and t̂ of contact i, turned, into vectors of zeros.
  void whiten_tangents(Index i, double* s, double* t) const;
};

// A contact that carries load, as the basis of an answer knows it: the directions of its friction, and whether it slides. The
// impulses may be left at zero where only the basis is known.
struct LoadedContact {
  Index contact = -1;
  std::array<std::int32_t, 3> directions{-1, -1, -1};  // φ basic; never more than three are independent
  bool slides = false;                                 // λ basic, γ = 0; otherwise λ = 0
  double theta = 0.0;                                  // along N
  std::array<double, 3> phi{};                         // along the directions
};

struct PyramidSolution {
  VectorXd theta;         // along N
  VectorXd phi_s, phi_t;  // friction along S and T
  std::vector<LoadedContact> loaded;
};

// (1) as one LCP in (θ, φ, λ) over all contacts, with rows divided by their norms ρ and impulses multiplied by them, so that
// it is free of units:   ν/ρ_N, σ/ρ_D, γ ρ_D   in   θ ρ_N, φ ρ_D, λ/ρ_D.  φ contact by contact, then λ.
class PyramidLcp {
 public:
  explicit PyramidLcp(const PyramidProblem& problem);
  const Lcp& lcp() const { return lcp_; }
  // Zero forces with the multipliers they imply: the answer when every contact opens.
  const VectorXd& guess() const { return guess_; }
  void lift(const VectorXd& z, PyramidSolution& solution) const;
  // θ of a vector over the rows of the LCP; empty when φ takes part.
  VectorXd normals_of(const VectorXd& y) const;

 private:
  const PyramidProblem* problem_;
  Lcp lcp_;
  VectorXd guess_, rho_N_, rho_D_;
  IndexList with_friction_;
};

}  // namespace tribo
