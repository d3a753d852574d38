// Start values: the impulses and states of an earlier answer, to start the solve of a problem like it. Contacts are found again
// by their keys, so contacts may come, go and change places in between; rows of J and D by their places.
//     ContactStart start(problem, answer.solution, answer.states);
//     pipeline.solve(next_problem, start);
// Impulses of contacts with a frame are kept in world axes, so that a frame may turn between two problems; of others along their
// rows. Start values never change an answer's correctness, only the work to find it.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tribo {

// A start in the order of one problem; what formulations translate into index sets, loaded contacts or impulses.
struct StartValues {
  ContactSolution impulses;          // v_next, y_n and y_e are not used; vectors that are empty: nothing known
  std::vector<ContactState> states;  // per contact; empty: judged by the impulses
  // Per contact, then per row of D: the impulse was found while nothing moved, before the step and after it. Empty: it was not.
  std::vector<std::uint8_t> at_rest;

  bool empty() const { return impulses.f_n.size() == 0 && impulses.f_j.size() == 0 && impulses.f_d.size() == 0; }
  // All impulses of a problem with so many contacts and rows of D were found at rest.
  bool was_found_at_rest(Index rows) const;
  void clear();
};

class ContactStart {
 public:
  struct AtContact {
    ContactKey key;                       // of contacts without a name: {-1, -1, place}
    Vector3d impulse = Vector3d::Zero();  // along s, t, n; N·s. With a frame: world axes
    Vector3d couple = Vector3d::Zero();   // about s, t, n; N·m·s. Likewise
    Vector3d held = Vector3d::Zero();     // N·s, of what stretched tangential springs give when the next step begins; likewise
    ContactState state = ContactState::kOpen;
    std::uint8_t at_rest = 0;  // see StartValues
    std::int32_t place = 0;    // in the problem
  };

  ContactStart() = default;
  // Of an answer to `problem`. States that are missing are judged by the impulses: open without load, else sticking. `at_rest` as
  // in StartValues.
  ContactStart(const ContactProblem& problem, const ContactSolution& solution,
               std::span<const ContactState> states = {}, std::span<const std::uint8_t> at_rest = {});
  // The same in place; nothing is allocated where there was one of this size.
  void assign(const ContactProblem& problem, const ContactSolution& solution,
              std::span<const ContactState> states = {}, std::span<const std::uint8_t> at_rest = {});
  // From what contacts(), bilateral(), dry() and dry_at_rest() gave.
  void assign(std::vector<AtContact> contacts, VectorXd bilateral, VectorXd dry, std::vector<std::uint8_t> dry_at_rest);
  void clear();
  bool empty() const { return contacts_.empty() && f_j_.size() == 0 && f_d_.size() == 0; }

  // In the order of a problem. Contacts that are not known start without load. Fastest where keys ascend. Rows of dry friction have
  // values only where as many of them are known as there are.
  void align(const ContactProblem& problem, StartValues& values) const;

  // Without the contacts and rows of `problem`, to which this start belongs, that touch a body (a block of M) outside of `blocks`;
  // rows of J and D keep their order among those that are left.
  ContactStart restricted(const ContactProblem& problem, std::span<const Index> blocks) const;
  // Contacts of both; where both know one, `other` counts. Rows of J and D are those of `other` where it has some.
  ContactStart joined(const ContactStart& other) const;

  const std::vector<AtContact>& contacts() const { return contacts_; }  // ascending keys
  std::vector<AtContact>& contacts() { return contacts_; }              // keys and places must stay
  const AtContact* find(const ContactKey& key) const;                   // null: not known
  const VectorXd& bilateral() const { return f_j_; }
  const VectorXd& dry() const { return f_d_; }
  const std::vector<std::uint8_t>& dry_at_rest() const { return dry_at_rest_; }

 private:
  void sort();

  std::vector<AtContact> contacts_;
  VectorXd f_j_, f_d_;
  std::vector<std::uint8_t> dry_at_rest_;  // per row of D
};

}  // namespace tribo
