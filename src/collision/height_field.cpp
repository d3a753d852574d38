// Height fields as triangle surfaces: two triangles per cell, split along the diagonal from the cell's first corner to its last.
#include <algorithm>
#include <cmath>

#include "collision/triangle_surface.hpp"

namespace tribo {
namespace {

// The cells lo … hi - 1 along one side that an interval covers.
struct Cells {
  Index low = 0, high = 0;
};
Cells cells_between(double low, double high, double half, Index points) {
  const double cells = static_cast<double>(points - 1);
  const double scale = cells / (2.0 * half);
  const double first = std::floor(std::clamp((low + half) * scale, -1.0, cells + 1.0));
  const double last = std::floor(std::clamp((high + half) * scale, -1.0, cells + 1.0));
  // One more on the border: a box that ends exactly on a grid line touches the cells on both sides.
  const double begin = (low + half) * scale <= first ? first - 1.0 : first;
  return {static_cast<Index>(std::clamp(begin, 0.0, cells)), static_cast<Index>(std::clamp(last + 1.0, 0.0, cells))};
}

}  // namespace

Expected<TriangleSurface> make_surface(const HeightField& field) {
  constexpr Index kMost = 1 << 13;  // points along a side
  if (field.rows < 2 || field.cols < 2 || field.rows > kMost || field.cols > kMost)
    return fail("the height field has " + std::to_string(field.rows) + " x " + std::to_string(field.cols) + " points",
                field.name, "give 2 to 8192 rows and columns");
  if (field.height.size() != static_cast<std::size_t>(field.rows * field.cols))
    return fail("the height field has " + std::to_string(field.height.size()) + " heights", field.name,
                "give one for each row and column");
  if (!(field.half_x > 0.0 && field.half_y > 0.0 && std::isfinite(field.half_x) && std::isfinite(field.half_y)))
    return fail("the height field's half lengths are not positive and finite", field.name, "give lengths > 0 in m");
  if (!(field.base >= 0.0 && std::isfinite(field.base)))
    return fail("the height field's base is negative or not finite", field.name, "give a thickness >= 0 in m");
  if (!std::all_of(field.height.begin(), field.height.end(), [](double z) { return std::isfinite(z); }))
    return fail("a height is not finite", field.name, "give finite heights");

  TriangleSurface surface;
  surface.rows = field.rows;
  surface.cols = field.cols;
  surface.half_x = field.half_x;
  surface.half_y = field.half_y;
  surface.bottom = std::min(0.0, *std::min_element(field.height.begin(), field.height.end())) - field.base;
  for (Index r = 0; r < field.rows; ++r) {
    for (Index c = 0; c < field.cols; ++c) {
      const double x = field.half_x * (2.0 * static_cast<double>(c) / static_cast<double>(field.cols - 1) - 1.0);
      const double y = field.half_y * (2.0 * static_cast<double>(r) / static_cast<double>(field.rows - 1) - 1.0);
      surface.vertices.emplace_back(x, y, field.height[static_cast<std::size_t>(r * field.cols + c)]);
    }
  }
  for (Index r = 0; r + 1 < field.rows; ++r) {
    for (Index c = 0; c + 1 < field.cols; ++c) {
      const std::int32_t v00 = static_cast<std::int32_t>(r * field.cols + c), v01 = v00 + 1;
      const std::int32_t v10 = v00 + static_cast<std::int32_t>(field.cols), v11 = v10 + 1;
      surface.faces.push_back({v00, v01, v11});
      surface.faces.push_back({v00, v11, v10});
    }
  }
  join_neighbours(surface);
  return surface;
}

void search_cells(const TriangleSurface& surface, const Vector3d& low, const Vector3d& high,
                  std::vector<std::int32_t>& found) {
  if (!(high(2) >= surface.bottom)) return;
  const Cells columns = cells_between(low(0), high(0), surface.half_x, surface.cols);
  const Cells rows = cells_between(low(1), high(1), surface.half_y, surface.rows);
  if (low(0) > surface.half_x || high(0) < -surface.half_x || low(1) > surface.half_y || high(1) < -surface.half_y)
    return;
  for (Index r = rows.low; r < rows.high; ++r) {
    for (Index c = columns.low; c < columns.high; ++c) {
      const std::int32_t first = static_cast<std::int32_t>(2 * (r * (surface.cols - 1) + c));
      for (std::int32_t t = first; t < first + 2; ++t) {
        const double top = std::max({surface.corner(t, 0)(2), surface.corner(t, 1)(2), surface.corner(t, 2)(2)});
        if (low(2) <= top) found.push_back(t);
      }
    }
  }
}

}  // namespace tribo
