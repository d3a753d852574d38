#include "sundials.hpp"

#include "tribo/core/clock.hpp"

#include <algorithm>

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace tribo {
namespace {

constexpr int kOdePieces = 256;  // of the time from 0 to the end, between which the clock is read

int evaluate_ode(realtype t, N_Vector y, N_Vector y_dot, void* user) {
  (*static_cast<const OdeRightHandSide*>(user))(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
  return 0;
}

// What both integrators need, and its end.
struct SundialsSession {
  SUNContext context = nullptr;
  N_Vector y = nullptr, absolute = nullptr;

  SundialsSession(const VectorXd& start, const OdeSettings& settings) {
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(start.size(), context);
    absolute = N_VNew_Serial(start.size(), context);
    std::copy_n(start.data(), start.size(), N_VGetArrayPointer(y));
    std::copy_n(settings.absolute.data(), start.size(), N_VGetArrayPointer(absolute));
  }
  ~SundialsSession() {
    N_VDestroy(absolute);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  SundialsSession(const SundialsSession&) = delete;
  SundialsSession& operator=(const SundialsSession&) = delete;
};

// `advance(t)` goes on to t, past it inside; false: it failed.
template <typename Advance>
void run_in_pieces(const Advance& advance, double end, const OdeSettings& settings, SundialsSession& session,
                   OdeResult& result) {
  const Stopwatch watch;
  result.finished = true;
  for (int piece = 1; piece <= kOdePieces && result.finished; ++piece) {
    result.finished = advance(end * piece / kOdePieces) && watch.seconds() < settings.max_seconds;
  }
  result.seconds = watch.seconds();
  result.y = Eigen::Map<const VectorXd>(N_VGetArrayPointer(session.y), N_VGetLength(session.y));
}

void keep_silent(int, const char*, const char*, char*, void*) {}

}  // namespace

bool has_sundials() { return true; }

OdeResult integrate_bdf(const OdeRightHandSide& f, const VectorXd& start, double end, const OdeSettings& settings) {
  SundialsSession session(start, settings);
  OdeResult result;
  void* memory = CVodeCreate(CV_BDF, session.context);
  SUNMatrix matrix = SUNDenseMatrix(start.size(), start.size(), session.context);
  SUNLinearSolver solver = SUNLinSol_Dense(session.y, matrix, session.context);
  OdeRightHandSide copy = f;
  CVodeInit(memory, evaluate_ode, 0.0, session.y);
  CVodeSetErrHandlerFn(memory, keep_silent, nullptr);
  CVodeSetUserData(memory, &copy);
  CVodeSVtolerances(memory, settings.relative, session.absolute);
  CVodeSetLinearSolver(memory, solver, matrix);
  CVodeSetMaxOrd(memory, settings.max_order);
  CVodeSetMaxNumSteps(memory, -1);
  CVodeSetMaxHnilWarns(memory, -1);
  if (settings.max_step > 0.0) CVodeSetMaxStep(memory, settings.max_step);
  CVodeSetStopTime(memory, end);
  const auto advance = [&](double t) {
    realtype reached = 0.0;
    return CVode(memory, t, session.y, &reached, CV_NORMAL) >= 0;
  };
  run_in_pieces(advance, end, settings, session, result);
  long jacobian = 0;
  CVodeGetNumSteps(memory, &result.steps);
  CVodeGetNumRhsEvals(memory, &result.evaluations);
  CVodeGetNumLinRhsEvals(memory, &jacobian);
  result.evaluations += jacobian;
  CVodeFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  return result;
}

OdeResult integrate_explicit(const OdeRightHandSide& f, const VectorXd& start, double end,
                             const OdeSettings& settings) {
  SundialsSession session(start, settings);
  OdeResult result;
  void* memory = ERKStepCreate(evaluate_ode, 0.0, session.y, session.context);
  OdeRightHandSide copy = f;
  ERKStepSetErrHandlerFn(memory, keep_silent, nullptr);
  ERKStepSetUserData(memory, &copy);
  ERKStepSVtolerances(memory, settings.relative, session.absolute);
  ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5);
  ERKStepSetMaxNumSteps(memory, -1);
  if (settings.max_step > 0.0) ERKStepSetMaxStep(memory, settings.max_step);
  ERKStepSetStopTime(memory, end);
  const auto advance = [&](double t) {
    realtype reached = 0.0;
    return ERKStepEvolve(memory, t, session.y, &reached, ARK_NORMAL) >= 0;
  };
  run_in_pieces(advance, end, settings, session, result);
  ERKStepGetNumSteps(memory, &result.steps);
  ERKStepGetNumRhsEvals(memory, &result.evaluations);
  ERKStepFree(&memory);
  return result;
}

}  // namespace tribo
