// Start values: the impulses and states of an earlier answer, to start the solve of a problem like it. Contacts are found again
// by their keys, so contacts may come, go and change places in between; rows of J and D by their places. Numbers that are not finite
// count as not known.
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
    Vector3d held =
        Vector3d::Zero();  // N·s, of what stretched tangential springs give when the next step begins; likewise
    double speed = 0.0;    // m/s along n, after the step; kept for whoever makes the next problem
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
  void assign(const ContactProblem& problem, const ContactSolution& solution, std::span<const ContactState> states = {},
              std::span<const std::uint8_t> at_rest = {});
  // From what contacts(), bilateral(), dry() and dry_at_rest() gave.
  void assign(std::vector<AtContact> contacts, VectorXd bilateral, VectorXd dry, std::vector<std::uint8_t> dry_at_rest);
  void clear();
  bool empty() const { return contacts_.empty() && joints_.f.size() == 0 && dry_.f.size() == 0; }

  // In the order of a problem. Contacts that are not known start without load. Fastest where keys ascend. Rows of J and D: in their
  // order where as many are known as there are, else by their places in the problem of the answer. Rows of dry friction have values
  // only where all are known.
  void align(const ContactProblem& problem, StartValues& values) const;

  // Without the contacts and rows of `problem`, to which this start belongs, that touch a body (a block of M) outside of `blocks`;
  // rows of J and D keep their order among those that are left. ContractError: a block that the problem does not have.
  ContactStart restricted(const ContactProblem& problem, std::span<const Index> blocks) const;
  // Contacts and rows of both; where both know one, `other` counts. Parts of one start that are joined are that start again.
  ContactStart joined(const ContactStart& other) const;

  const std::vector<AtContact>& contacts() const { return contacts_; }  // ascending keys
  std::vector<AtContact>& contacts() { return contacts_; }              // keys and places must stay
  const AtContact* find(const ContactKey& key) const;                   // null: not known
  const VectorXd& bilateral() const { return joints_.f; }
  const VectorXd& dry() const { return dry_.f; }
  const std::vector<std::uint8_t>& dry_at_rest() const { return dry_.at_rest; }

 private:
  // Impulses along rows, whether they were found at rest, and the rows' places in the problem of the answer, ascending.
  struct Rows {
    VectorXd f;
    std::vector<std::uint8_t> at_rest;
    IndexList places;

    // No marks: none was found at rest.
    void assign(const VectorXd& impulses, std::span<const std::uint8_t> marks);
    // f of `count` rows, 0: not known; `marks`, where there are any, likewise.
    void align(Index count, VectorXd& out, std::span<std::uint8_t> marks) const;
    Rows restricted(const BlockRows& rows, const std::vector<char>& kept) const;
    Rows joined(const Rows& other) const;
  };
  void sort();

  std::vector<AtContact> contacts_;
  Rows joints_, dry_;
};

}  // namespace tribo
