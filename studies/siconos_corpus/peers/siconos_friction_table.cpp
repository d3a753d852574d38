#include "siconos_friction_table.hpp"

#include <array>

#include <Friction_cst.h>
#include <SolverOptions.h>

namespace tribo {
namespace {

constexpr int kSweeps = 1000000;    // of methods whose step is cheap: time is what ends them
constexpr int kNewton = 1000;       // of methods that factor a matrix in every step
constexpr long kAny = 1000000;      // rows
constexpr long kDenseNewton = 900;  // rows of dense factorizations that end within seconds

void use_jean_moreau(SolverOptions* options) {
  options->iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] = SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED;
}
void use_balanced_rho(SolverOptions* options) {
  options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
      SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
}
void use_scaled_rho(SolverOptions* options) {
  options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
      SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING;
}

}  // namespace

const char* to_string(PeerStorage storage) {
  switch (storage) {
    case PeerStorage::kDense:
      return "dense";
    case PeerStorage::kBlocks:
      return "blocks";
    case PeerStorage::kSparse:
      break;
  }
  return "sparse";
}

std::span<const PeerChoice> peers_local_3d() {
  static const std::array table = {
      PeerChoice{"nsgs", SICONOS_FRICTION_3D_NSGS, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"nsgs/quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, kSweeps, kAny, true,
                 true, false, false, nullptr},
      PeerChoice{"nsgs/quartic-nu", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU, kSweeps, kAny,
                 true, true, false, false, nullptr},
      PeerChoice{"nsgs/nsn", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, kSweeps, kAny, true, true,
                 false, false, nullptr},
      PeerChoice{"nsgs/nsn-gp", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, kSweeps, kAny, true,
                 true, false, false, nullptr},
      PeerChoice{"nsgs/projection", SICONOS_FRICTION_3D_NSGS,
                 SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, kSweeps, kAny, true, true, false,
                 false, nullptr},
      PeerChoice{"nsgsv", SICONOS_FRICTION_3D_NSGSV, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"prox", SICONOS_FRICTION_3D_PROX, 0, kNewton, kAny, true, true, false, true, nullptr},
      PeerChoice{"prox/nsgs", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS, kNewton, kAny, true, true, false,
                 false, nullptr},
      PeerChoice{"tfp", SICONOS_FRICTION_3D_TFP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"pfp", SICONOS_FRICTION_3D_PFP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"nsn_ac", SICONOS_FRICTION_3D_NSN_AC, 0, kNewton, kAny, true, true, true, true, nullptr},
      PeerChoice{"nsn_ac/jean-moreau", SICONOS_FRICTION_3D_NSN_AC, 0, kNewton, kAny, true, true, false, true,
                 use_jean_moreau},
      PeerChoice{"nsn_ac_test", SICONOS_FRICTION_3D_NSN_AC_TEST, 0, kNewton, kAny, true, true, false, true, nullptr},
      PeerChoice{"nsn_fb", SICONOS_FRICTION_3D_NSN_FB, 0, kNewton, kAny, true, true, false, true, nullptr},
      PeerChoice{"nsn_nm", SICONOS_FRICTION_3D_NSN_NM, 0, kNewton, kAny, true, true, false, true, nullptr},
      PeerChoice{"dsfp", SICONOS_FRICTION_3D_DSFP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"fpp", SICONOS_FRICTION_3D_FPP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"eg", SICONOS_FRICTION_3D_EG, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"vi_fpp", SICONOS_FRICTION_3D_VI_FPP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"vi_eg", SICONOS_FRICTION_3D_VI_EG, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"hp", SICONOS_FRICTION_3D_HP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"aclmfp", SICONOS_FRICTION_3D_ACLMFP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"soclcp", SICONOS_FRICTION_3D_SOCLCP, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"admm", SICONOS_FRICTION_3D_ADMM, 0, kSweeps, kAny, true, true, true, true, nullptr},
      PeerChoice{"admm/balanced", SICONOS_FRICTION_3D_ADMM, 0, kSweeps, kAny, true, true, true, true, use_balanced_rho},
      PeerChoice{"admm/scaled", SICONOS_FRICTION_3D_ADMM, 0, kSweeps, kAny, true, true, true, true, use_scaled_rho},
  };
  return table;
}

std::span<const PeerChoice> peers_local_2d() {
  static const std::array table = {
      PeerChoice{"nsgs", SICONOS_FRICTION_2D_NSGS, 0, kSweeps, kAny, true, true, false, false, nullptr},
      PeerChoice{"cpg", SICONOS_FRICTION_2D_CPG, 0, kSweeps, 4100, true, false, false, false, nullptr},
      PeerChoice{"lemke", SICONOS_FRICTION_2D_LEMKE, 0, kSweeps, kDenseNewton, true, false, false, false, nullptr},
      PeerChoice{"enum", SICONOS_FRICTION_2D_ENUM, 0, kSweeps, 20, true, false, false, false, nullptr},
  };
  return table;
}

std::span<const PeerChoice> peers_global_3d() {
  static const std::array table = {
      PeerChoice{"g/nsgs_wr", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/nsgsv_wr", SICONOS_GLOBAL_FRICTION_3D_NSGSV_WR, 0, kSweeps, kAny, true, false, true, false,
                 nullptr},
      PeerChoice{"g/prox_wr", SICONOS_GLOBAL_FRICTION_3D_PROX_WR, 0, kNewton, kAny, true, false, true, true, nullptr},
      PeerChoice{"g/dsfp_wr", SICONOS_GLOBAL_FRICTION_3D_DSFP_WR, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/tfp_wr", SICONOS_GLOBAL_FRICTION_3D_TFP_WR, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/nsn_ac_wr", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, 0, kNewton, kAny, true, false, true, true,
                 nullptr},
      PeerChoice{"g/admm_wr", SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, 0, kSweeps, kAny, true, false, true, true, nullptr},
      PeerChoice{"g/nsgs", SICONOS_GLOBAL_FRICTION_3D_NSGS, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/nsn_ac", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, 0, kNewton, kAny, false, false, true, true, nullptr},
      PeerChoice{"g/vi_fpp", SICONOS_GLOBAL_FRICTION_3D_VI_FPP, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/vi_eg", SICONOS_GLOBAL_FRICTION_3D_VI_EG, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/aclmfp", SICONOS_GLOBAL_FRICTION_3D_ACLMFP, 0, kSweeps, kAny, true, false, true, false, nullptr},
      PeerChoice{"g/admm", SICONOS_GLOBAL_FRICTION_3D_ADMM, 0, kSweeps, kAny, true, false, true, true, nullptr},
      PeerChoice{"g/ipm", SICONOS_GLOBAL_FRICTION_3D_IPM, 0, kNewton, kAny, false, false, true, true, nullptr},
  };
  return table;
}

}  // namespace tribo
