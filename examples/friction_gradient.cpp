// A block is pushed over a table for a tenth of a second and slides until friction stops it. How far does it go, and
// how does that change with the coefficient of friction and with the push? Derivatives are carried from step to step.
#include <tribo/contact/gradient.hpp>
#include <tribo/contact/solve.hpp>
#include <tribo/problem/contact_builder.hpp>

#include <cmath>
#include <cstdio>

int main() {
  constexpr double kMu = 0.3, kMass = 2.0, kGravity = 9.81, kPush = 20.0, kPushed = 0.1, kStep = 0.001;
  tribo::ContactBuilder builder;
  builder.set_step(kStep);
  const auto block = builder.add_body(kMass, tribo::box_inertia(kMass, {0.2, 0.2, 0.1}), {0.0, 0.0, 0.05});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) builder.add_contact(block, builder.kWorld, {x, y, 0}, {0, 0, 1}, {.mu = kMu});
  }
  builder.add_gravity({0.0, 0.0, -kGravity});
  tribo::ContactProblem problem = builder.build();

  double slid = 0.0, by_mu = 0.0, by_push = 0.0;  // m, m, m/N
  tribo::ContactChange mu, push;                  // how the data of the next step follow mu and the push
  mu.mu = tribo::VectorXd::Ones(4);
  mu.v = push.v = tribo::VectorXd::Zero(6);
  int set_valued = 0;
  for (int step = 0; step < 400; ++step) {
    const bool pushed = step < std::lround(kPushed / kStep);
    problem.f(0) = pushed ? kPush : 0.0;
    push.f = pushed ? tribo::VectorXd(tribo::VectorXd::Unit(6, 0)) : tribo::VectorXd();
    const auto answer = tribo::solve(problem, tribo::CoulombCone{}, {.tolerance = 1e-10});
    if (answer.status != tribo::Status::kSolved) return 1;
    const auto gradient = tribo::ContactGradient::make(problem, answer.solution);
    if (!gradient) return 2;
    set_valued += gradient->set_valued() ? 1 : 0;  // the step in which it stops
    mu.v = gradient->forward(mu);
    push.v = gradient->forward(push);
    problem.v = answer.v_next;
    slid += kStep * problem.v(0);
    by_mu += kStep * mu.v(0);
    by_push += kStep * push.v(0);
  }
  // Pushed for t with a = F/m − mu g, then stopped by mu g: s = a t²/2 (1 + a/(mu g)) = F t²/(2 m) (F/(mu m g) − 1).
  const double load = kMu * kMass * kGravity, half = kPushed * kPushed / (2.0 * kMass);
  const double expected = half * kPush * (kPush / load - 1.0), expected_mu = -half * kPush * kPush / (load * kMu),
               expected_push = half * (2.0 * kPush / load - 1.0);
  std::printf("slides %.4f m (%.4f); per mu %.4f m (%.4f), per newton %.5f m (%.5f); %d steps set-valued\n", slid,
              expected, by_mu, expected_mu, by_push, expected_push, set_valued);
  const auto close = [](double a, double b) { return std::abs(a - b) < 0.01 * std::abs(b); };
  return close(slid, expected) && close(by_mu, expected_mu) && close(by_push, expected_push) ? 0 : 1;
}
