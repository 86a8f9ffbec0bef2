// Fits a mixture of Gaussians by expectation and maximisation (EM) [Dempster, Laird and Rubin 1977], as
// Javadi, Thulasiram and Buyya do for spot prices [CLOUD, reference 13].
//
// A component on a value that repeats would shrink to deviation 0 and make the likelihood infinite. No
// deviation falls below `least_deviation`, a part of the step to which the data are rounded: each step
// maximises the expected likelihood under that limit, so the likelihood still never falls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cloud/prices/mixture.h"

namespace wavewright {

struct MixtureFitOptions {
  std::uint64_t seed = 1;
  double least_deviation = 1e-9;  // above 0
  int restarts = 6;               // the first from quantiles, the others from seeded centres
  int most_iterations = 400;
  double tolerance = 1e-7;  // ends when a step gains less log-likelihood an observation
};

struct MixtureFit {
  Mixture mixture;            // components of no weight are left out
  double log_likelihood = 0;  // of all observations
  double bic = 0;             // parameters · log observations − 2 · log-likelihood; less is better
  std::vector<double> climb;  // log-likelihood before each step and after the last
  bool converged = false;     // within `most_iterations`
};

// EM from a given mixture. Throws UsageError without observations or if one is not finite. O(iterations ·
// components · distinct observations).
[[nodiscard]] MixtureFit improve_mixture(std::span<const double> observations, const Mixture& start,
                                         const MixtureFitOptions& options);

// The best of the restarts. `components` from 1; never more than there are distinct observations.
[[nodiscard]] MixtureFit fit_mixture(std::span<const double> observations, std::size_t components,
                                     const MixtureFitOptions& options);

struct MixtureChoice {
  MixtureFit best;  // the one of least BIC
  struct Tried {
    std::size_t components = 0;
    double log_likelihood = 0;
    double bic = 0;
  };
  std::vector<Tried> tried;  // by components
};

// Chooses from 1 to `most_components` by the Bayesian information criterion [Schwarz 1978]. It takes
// observations as independent: with neighbours that resemble each other it allows rather too many.
[[nodiscard]] MixtureChoice choose_mixture(std::span<const double> observations, std::size_t most_components,
                                           const MixtureFitOptions& options);

}  // namespace wavewright
