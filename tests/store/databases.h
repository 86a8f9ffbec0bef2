// Empty stores on every kind of database, on real servers that the test process starts and ends itself.
//
// A server whose program is missing fails the tests that want it, unless WAVEWRIGHT_TEST_DATABASES leaves it
// out: a list such as `sqlite,postgresql`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wavewright/store/store.h"
#include "wavewright/store/url.h"

namespace wavewright {

// Those that WAVEWRIGHT_TEST_DATABASES names; all where it is not set.
[[nodiscard]] std::vector<Backend> tested_backends();

// The URL of a database that holds nothing, in `folder` or on this process' server of that kind.
[[nodiscard]] std::string empty_database(Backend backend, const std::filesystem::path& folder);

// The server's process, for tests of its end. It is started again when an empty database is next asked for.
[[nodiscard]] int server_process(Backend backend);

// A test of each kind of database: INSTANTIATE_ON_EVERY_DATABASE(ItsName).
class DatabaseTest : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] Store store() const { return Store::open(url_, Store::Access::create); }
  // SQL behind the store's back.
  void execute(const std::string& sql) const;

  std::filesystem::path folder_;
  std::string url_;
};

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): as gtest's own
#define INSTANTIATE_ON_EVERY_DATABASE(Suite)           \
  INSTANTIATE_TEST_SUITE_P(                            \
      On, Suite, testing::ValuesIn(tested_backends()), \
      [](const testing::TestParamInfo<Backend>& backend) { return to_string(backend.param); })

}  // namespace wavewright
