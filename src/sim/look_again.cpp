#include <algorithm>
#include <iterator>
#include <tuple>

#include "sim/detect.hpp"

namespace tribo {

namespace {

bool is_before(const FoundContact& x, const FoundContact& y) {
  return std::tie(x.shape_a, x.shape_b, x.feature) < std::tie(y.shape_a, y.shape_b, y.feature);
}

}  // namespace

bool Detector::look_again(const LookAgainInput& input, Detection& out) {
  out.counts = {};
  const Model& model = setup_.model;
  const Data& data = input.data;
  for (Index b = 0; b < model.nb(); ++b) {  // the motions of a tree add up about its origin
    next_V_[b] = data.V[b];
    if (setup_.fixed[b] != 0) continue;
    const Index parent = model.bodies()[b].parent;
    next_V_[b] += next_V_[parent] - data.V[parent];
    for (Index dof = model.last_dof(b); dof >= 0 && model.dof_body(dof) == b; dof = model.parent_dof(dof))
      next_V_[b] += data.S[dof] * (input.v_next(dof) - input.v(dof));
  }
  const double allowed = setup_.options.allowed_overlap;
  bool farther = false;
  for (std::size_t s = 0; s < reach_.size(); ++s) {
    const auto shape = static_cast<Index>(s);
    if (setup_.is_fixed(shape)) continue;
    const SpatialVector& V = next_V_[setup_.geom(shape).body];
    const double way = calc_reach(calc_linear(shape, V).norm() + calc_turning(shape, V));
    // Half of the margin is the shape's, the other half its partner's.
    if (!(way > reach_[s] + std::max(allowed, 0.5 * least_margin_ - shared_margin_))) continue;
    reach_[s] = way;
    farther = true;
  }
  const auto gap_after = [&](const FoundContact& contact) {
    return contact.gap - time_ * calc_approach(data, contact, next_V_);
  };
  const auto is_passed = [&](const FoundContact& contact) { return gap_after(contact) < -allowed; };
  // A body that a contact turns aside is no faster, but it goes where no contact was closing.
  const auto is_passing = [&](const PassingPair& pair) { return this->is_passed(pair, next_V_); };
  if (!farther && std::none_of(out.idle.begin(), out.idle.end(), is_passed) &&
      std::none_of(out.passing.begin(), out.passing.end(), is_passing))
    return false;
  collider_.find(poses_, setup_.most_margin, found_again_, reach_, setup_.margins);
  out.counts = collider_.counts();
  // Only pairs that are passed are added: a fast body far away must not add rows here.
  std::vector<FoundContact>& listed = out.contacts;
  const auto count = std::ssize(listed);
  const auto is_new = [&](const FoundContact& contact) {
    return !std::binary_search(listed.begin(), listed.begin() + count, contact, is_before);
  };
  for (auto first = found_again_.begin(), last = first; first != found_again_.end(); first = last) {
    last = std::find_if(first, found_again_.end(), [&](const FoundContact& contact) {
      return contact.shape_a != first->shape_a || contact.shape_b != first->shape_b;
    });
    const bool passed =
        std::any_of(first, last, [&](const FoundContact& contact) { return is_passed(contact) && is_new(contact); });
    if (!passed) continue;
    const double margin = setup_.calc_margin(first->shape_a, first->shape_b);
    std::copy_if(first, last, std::back_inserter(listed), [&](const FoundContact& contact) {
      return is_new(contact) && (gap_after(contact) <= margin || !is_idle(data, contact));
    });
  }
  std::sort(listed.begin(), listed.end(), is_before);
  return std::ssize(listed) > count;
}

}  // namespace tribo
