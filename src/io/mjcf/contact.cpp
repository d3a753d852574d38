// <contact>: pairs of geoms that touch by numbers of their own, pairs of bodies that never do.
#include <algorithm>

#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

// What two geoms would do together where the pair does not say: the one of higher priority decides, else the larger numbers,
// and softness by the share of solmix.
ContactPair combine(const Geom& a, const Geom& b) {
  ContactPair pair;
  pair.margin = std::max(a.margin, b.margin);
  pair.gap = std::max(a.gap, b.gap);
  Vector3d friction = a.friction.cwiseMax(b.friction);
  pair.condim = std::max(a.condim, b.condim);
  double share = a.solmix + b.solmix > 0.0 ? a.solmix / (a.solmix + b.solmix) : 0.5;
  if (a.priority != b.priority) {
    const Geom& first = a.priority > b.priority ? a : b;
    friction = first.friction;
    pair.condim = first.condim;
    share = a.priority > b.priority ? 1.0 : 0.0;
  }
  pair.friction = {friction.x(), friction.x(), friction.y(), friction.z(), friction.z()};
  const bool times = a.solref[0] > 0.0 && b.solref[0] > 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double mixed = share * a.solref[i] + (1.0 - share) * b.solref[i];
    pair.solref[i] = times || share == 0.0 || share == 1.0 ? mixed : std::min(a.solref[i], b.solref[i]);
  }
  for (std::size_t i = 0; i < 5; ++i) pair.solimp[i] = share * a.solimp[i] + (1.0 - share) * b.solimp[i];
  return pair;
}

void read_pair(MjcfContext& context, const XmlElement& item) {
  const XmlFields fields = context.fields(item, "pair");
  const Index a = context.look_up("geom", fields, "geom1"), b = context.look_up("geom", fields, "geom2");
  if (a < 0 || b < 0) return;
  ContactPair pair =
      combine(context.model.geoms[static_cast<std::size_t>(a)], context.model.geoms[static_cast<std::size_t>(b)]);
  pair.geom_a = a;
  pair.geom_b = b;
  fields.text("name", pair.name);
  context.declare("pair", item, pair.name, static_cast<Index>(context.model.pairs.size()));
  fields.integer("condim", pair.condim);
  fields.numbers("friction", pair.friction, 1);
  if (pair.friction[0] != pair.friction[1] || pair.friction[3] != pair.friction[4])
    context.notices.add("pair@friction", true,
                        "friction is the same in all directions: the first number of each kind is used");
  fields.number("margin", pair.margin);
  fields.number("gap", pair.gap);
  read_softness(fields, "solref", pair.solref, "solimp", pair.solimp);
  note_contact_numbers(context, "pair", pair.margin, pair.gap, pair.solref);
  context.note(fields, "pair", {"solreffriction"}, false, "softness of dry friction");
  context.note(fields, "pair", {"adhesion"}, true, "the surface does not stick");
  context.model.pairs.push_back(std::move(pair));
}

}  // namespace

void read_contacts(MjcfContext& context) {
  context.for_each("contact", [&](const XmlElement& item) {
    if (item.name == "pair") {
      read_pair(context, item);
      return;
    }
    const XmlFields fields(item, context.errors);
    const Index a = context.look_up("body", fields, "body1"), b = context.look_up("body", fields, "body2");
    if (a >= 0 && b >= 0) context.model.excludes.push_back({a, b});
  });
}

}  // namespace tribo
