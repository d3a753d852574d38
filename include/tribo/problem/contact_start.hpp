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

#include <span>
#include <vector>

namespace tribo {

// A start in the order of one problem; what formulations translate into index sets, loaded contacts or impulses.
struct StartValues {
  ContactSolution impulses;          // v_next, y_n and y_e are not used; vectors that are empty: nothing known
  std::vector<ContactState> states;  // per contact; empty: judged by the impulses
  bool found_at_rest = false;        // the impulses were found while nothing moved

  bool empty() const { return impulses.f_n.size() == 0 && impulses.f_j.size() == 0 && impulses.f_d.size() == 0; }
  void clear();
};

class ContactStart {
 public:
  struct AtContact {
    ContactKey key;                       // of contacts without a name: {-1, -1, place}
    Vector3d impulse = Vector3d::Zero();  // along s, t, n; N·s. With a frame: world axes
    Vector3d couple = Vector3d::Zero();   // about s, t, n; N·m·s. Likewise
    ContactState state = ContactState::kOpen;
    std::int32_t place = 0;  // among those of equal key
  };

  ContactStart() = default;
  // Of an answer to `problem`. States that are missing are judged by the impulses: open without load, else sticking.
  ContactStart(const ContactProblem& problem, const ContactSolution& solution,
               std::span<const ContactState> states = {});
  // The same in place; nothing is allocated where there was one of this size.
  void assign(const ContactProblem& problem, const ContactSolution& solution,
              std::span<const ContactState> states = {});
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
  const VectorXd& bilateral() const { return f_j_; }
  const VectorXd& dry() const { return f_d_; }

 private:
  void sort();

  std::vector<AtContact> contacts_;
  VectorXd f_j_, f_d_;
};

}  // namespace tribo
