#include "multibody/tendons.hpp"

#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/wrap.hpp"

namespace tribo {

namespace {

constexpr double kTooShort = 1e-15;  // m: a straight part without direction

struct Anchor {
  Index body = 0;
  Vector3d p = Vector3d::Zero();  // world
};

class SpatialTendon {
 public:
  SpatialTendon(const Model& model, Data& data) : model_(model), data_(data) {}

  void place(const Tendon& tendon, TendonLength& out) {
    data_.tendon_row.setZero();
    out.length = 0.0;
    divisor_ = 1.0;
    const std::vector<Tendon::PathPoint>& path = tendon.path;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path[i].type == PathPointType::kPulley) {
        divisor_ = path[i].divisor;
        continue;
      }
      if (i + 1 == path.size() || path[i + 1].type == PathPointType::kPulley) continue;
      // From a site to the next one, round what stands in between.
      const bool round = path[i + 1].type != PathPointType::kSite;
      const Anchor from = place_site(path[i].index), to = place_site(path[round ? i + 2 : i + 1].index);
      if (round)
        add_round(path[++i], from, to, out);
      else
        add_straight(from, to, out);
    }
    out.arms.clear();
    for (Index dof = 0; dof < model_.nv(); ++dof) {
      if (data_.tendon_row(dof) != 0.0) out.arms.push_back({dof, data_.tendon_row(dof)});
    }
  }

 private:
  Anchor place_site(Index index) const {
    const Site& site = model_.description().sites[index];
    return {site.body, data_.p[site.body] + data_.R[site.body] * site.pose.p};
  }

  void add_straight(const Anchor& from, const Anchor& to, TendonLength& out) {
    const Vector3d way = to.p - from.p;
    const double length = way.norm();
    out.length += length / divisor_;
    if (length < kTooShort || from.body == to.body) return;
    const Vector3d direction = way / (length * divisor_);
    for (const auto& [anchor, sign] : {std::pair(&to, 1.0), std::pair(&from, -1.0)}) {
      const Index tree = model_.tree(anchor->body);
      if (tree < 0) continue;
      add_row(model_, data_, anchor->body, anchor->p, direction, Vector3d::Zero(), sign,
              data_.tendon_row.data() + model_.trees().start(tree));
    }
  }

  void add_round(const Tendon::PathPoint& object, const Anchor& from, const Anchor& to, TendonLength& out) {
    const Geom& geom = model_.description().geoms[object.index];
    const Vector3d centre = data_.p[geom.body] + data_.R[geom.body] * geom.pose.p;
    const Matrix3d R = data_.R[geom.body] * geom.pose.q.toRotationMatrix();
    const auto seen = [&](const Vector3d& p) -> Vector3d { return R.transpose() * (p - centre); };
    const bool sided = object.side_site >= 0;
    const Vector3d side = sided ? seen(place_site(object.side_site).p) : Vector3d(0.0, 0.0, 0.0);
    const auto wrap = object.type == PathPointType::kSphere ? wrap_sphere : wrap_cylinder;
    const Wrap way = wrap(seen(from.p), seen(to.p), geom.shape.size.x(), sided ? &side : nullptr);
    if (!way.touches) return add_straight(from, to, out);
    add_straight(from, {geom.body, centre + R * way.first}, out);
    out.length += way.arc / divisor_;
    add_straight({geom.body, centre + R * way.last}, to, out);
  }

  const Model& model_;
  Data& data_;
  double divisor_ = 1.0;
};

}  // namespace

std::vector<Index> find_tendon_bodies(const ModelDescription& d, const Tendon& tendon) {
  std::vector<Index> bodies;
  for (const Tendon::Term& term : tendon.terms) bodies.push_back(d.joints[term.joint].body);
  for (const Tendon::PathPoint& point : tendon.path) {
    if (point.type == PathPointType::kPulley) continue;
    bodies.push_back(point.type == PathPointType::kSite ? d.sites[point.index].body : d.geoms[point.index].body);
  }
  return bodies;
}

void prepare_tendons(const Model& model, Data& data) {
  const std::vector<Tendon>& tendons = model.description().tendons;
  data.tendons.resize(tendons.size());
  if (!tendons.empty()) data.tendon_row.setZero(model.nv());
  for (std::size_t t = 0; t < tendons.size(); ++t) {
    std::vector<TendonArm>& arms = data.tendons[t].arms;
    for (const Tendon::Term& term : tendons[t].terms) arms.push_back({model.v_start(term.joint), term.coefficient});
    if (!tendons[t].path.empty()) arms.reserve(static_cast<std::size_t>(model.nv()));
  }
}

void place_tendon(const Model& model, const State& state, Index t, Data& data) {
  const Tendon& tendon = model.description().tendons[t];
  TendonLength& out = data.tendons[t];
  if (!tendon.path.empty()) return SpatialTendon(model, data).place(tendon, out);
  out.length = 0.0;
  for (const Tendon::Term& term : tendon.terms) out.length += term.coefficient * state.q(model.q_start(term.joint));
}

void place_tendons(const Model& model, const State& state, Data& data) {
  for (Index t = 0; t < std::ssize(data.tendons); ++t) place_tendon(model, state, t, data);
}

double TendonLength::calc_speed(const VectorXd& v) const {
  double speed = 0.0;
  for (const TendonArm& arm : arms) speed += arm.value * v(arm.dof);
  return speed;
}

}  // namespace tribo
