#include "wavewright/core/random.h"

#include <cmath>

#include <boost/random/beta_distribution.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

namespace wavewright {

namespace {

// splitmix64's finaliser
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t hash_name(std::string_view name) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view name, std::uint64_t index)
    : engine_(mix(mix(seed ^ mix(hash_name(name))) + index)) {}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t rejected = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t value = engine_();
    if (value >= rejected) return value % bound;
  }
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? engine_() : below(span);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::unit() {
  return static_cast<double>(engine_() >> 11) * 0x1.0p-53;
}

double Random::normal(double mean, double deviation) {
  return mean + deviation * boost::random::normal_distribution<double>()(engine_);
}

double Random::lognormal(double mu, double sigma) {
  return std::exp(normal(mu, sigma));
}

double Random::exponential(double mean) {
  return mean * boost::random::exponential_distribution<double>()(engine_);
}

double Random::beta(double alpha, double beta) {
  return boost::random::beta_distribution<double>(alpha, beta)(engine_);
}

}  // namespace wavewright
