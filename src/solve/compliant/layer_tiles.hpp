// Which elements of an elastic layer touch and which are loaded, where both are said by the sign of a plane over the face, and
//     S = Σ A_i s_i s_iᵀ over the loaded elements,  s = (1, (x − x₀)/r, (y − y₀)/r)                              (1)
// and the same over those of them that touch. Elements are kept in tiles of 64 that lie close together, so that a tile well
// to one side of the line where a plane vanishes is not looked at; (1) is kept up by the elements that change. It is summed in whole
// numbers, 2⁻⁶⁰ of all area or less: these sums are exact, so that S depends on who is loaded and not on who was before. (x₀, y₀) is
// the middle of a face that lies far from its origin, otherwise the origin, where rows that vanish on an axis do so exactly.
// Cost      O(elements/64 + those in tiles that the lines of the planes cross).
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/foundation.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tribo::compliant {

// c + a x + b y.
using Plane = Vector3d;

// What an element presses with, per area: −k (φ + δ) − b/h δ, the last where it touches (φ ≤ 0). φ, the gap at the beginning, δ,
// what is added to it, and what corrects δ are apart, as stiff layers would show what one number for all leaves out.
struct LayerLaw {
  double stiffness = 0.0, damping = 0.0;  // k, b/h
  Plane gap, change, correction;          // over (1, x, y)
  bool corrected = false;                 // there is a correction
};

class LayerTiles {
 public:
  // Nothing touches, nothing is loaded. False: lengths or areas at the end of the range of numbers, of which (1) cannot be formed.
  [[nodiscard]] bool assign(const ElasticLayer& layer);
  void release();  // as after assign()

  // Elements with gap ≤ 0 touch.
  void find_touching(const Plane& gap);
  // Loaded is where `apart` is negative, and `touching` for elements that touch; within rounding of zero it is what it was. How many
  // have changed.
  Index find_loaded(const Plane& apart, const Plane& touching);
  // The forces of the elements in the order of the layer. Returns their sum over s.
  Vector3d write_forces(const LayerLaw& law, VectorXd& forces) const;

  // (1), of all loaded elements and of those that touch.
  Matrix3d moments() const { return to_matrix(moments_); }
  Matrix3d moments_touching() const { return to_matrix(touching_); }
  // From s of (1) to (1, x, y): a plane p·s is to_face(p)·(1, x, y).
  Plane to_face(const Plane& p) const;
  double x0() const { return x0_; }
  double y0() const { return y0_; }
  double reach() const { return reach_; }  // r: a power of two

 private:
  static constexpr int kTile = 64;
  using Column = Eigen::Array<double, kTile, 1>;
  using Bits = std::uint64_t;  // one per element of a tile
  struct Tile {
    double x = 0.0, y = 0.0, half_x = 0.0, half_y = 0.0;  // where it lies
    Bits loaded = 0, touching = 0;
  };
  struct alignas(64) Elements {  // of a tile
    Column x, y, area;
  };
  using Moments = std::array<std::int64_t, 6>;  // (1): of 1, x, y, x², x y, y²
  struct Sides {
    Bits below = 0, zero = 0;  // zero: within rounding
  };
  struct Range {
    double low = 0.0, high = 0.0;
  };

  static Range calc_range(const Tile& tile, const Plane& plane);
  double calc_rounding(const Plane& plane) const;  // of its values
  static Sides find_sides(const Elements& elements, const Plane& plane, double rounding);
  Matrix3d to_matrix(const Moments& S) const;
  void add_moments(const Elements& elements, Bits which, double sign, Moments& S) const;

  std::vector<Tile> tiles_;
  std::vector<Elements> elements_;  // tile by tile
  Index count_ = 0;
  padded::Vector x_, y_, area_;  // in the order of the layer, filled up with zeros
  Moments moments_ = {}, touching_ = {};
  double x0_ = 0.0, y0_ = 0.0, reach_ = 1.0, per_reach_ = 1.0;
  double largest_x_ = 0.0, largest_y_ = 0.0;
  double to_whole_ = 1.0, from_whole_ = 1.0;  // powers of two: times the first, (1) is in whole numbers
};

}  // namespace tribo::compliant
