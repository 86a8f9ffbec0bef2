#include "wavewright/sched/policy_library.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// tests/sched/libraries/NAME.cpp, as tests/CMakeLists.txt builds it.
fs::path library(const std::string& name) {
  return fs::read_symlink("/proc/self/exe").parent_path() / "policy_libraries" / (name + ".so");
}

std::string complaint(const fs::path& file) {
  PolicyRegistry registry = standard_policies();
  try {
    load_policies(file, registry);
  } catch (const Error& error) {
    EXPECT_EQ(registry.entries().size(), standard_policies().entries().size());
    EXPECT_THAT(error.what(), HasSubstr(file.filename().string()));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "none";
}

TEST(PolicyLibrary, AddsItsPolicies) {
  PolicyRegistry registry = standard_policies();
  load_policies(library("good"), registry);
  EXPECT_EQ(make_policy("mine(x=3)", {}, registry).name(), "mine 3");
  EXPECT_EQ(make_policy("mine(x=3)+mine-placer", {}, registry).name(), "mine 3+mine-placer");
  EXPECT_EQ(make_policy("fair", {}, registry).name(), "fair");
  EXPECT_THAT(registry.entries().back().usage(), "+mine-placer");
}

TEST(PolicyLibrary, ItsPoliciesOutliveTheRegistry) {
  Policy policy;
  {
    PolicyRegistry registry;
    load_policies(library("good"), registry);
    policy = make_policy("mine(x=4)", {}, registry);
  }
  EXPECT_EQ(policy.name(), "mine 4");
}

TEST(PolicyLibrary, ItsFactorysErrorsAreTold) {
  PolicyRegistry registry;
  load_policies(library("good"), registry);
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      (void)make_policy(text, {}, registry);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint("mine(x=13)"), "policy 'mine' cannot be made: thirteen");
  EXPECT_EQ(complaint("mine(x=-1)"),
            "policy 'mine': x is '-1', not a whole number from 0; give a whole number from 0");
  EXPECT_EQ(complaint("mine"), "policy 'mine' needs x; write mine(x=COUNT)");
  EXPECT_EQ(complaint("mime"), "unknown policy 'mime'; did you mean 'mine'?");
}

TEST(PolicyLibrary, IsRefusedWhereItCannotBeUsed) {
  EXPECT_THAT(complaint("nowhere.so"), HasSubstr("cannot read: No such file or directory"));
  EXPECT_THAT(complaint(fs::temp_directory_path()), HasSubstr("cannot read: it is a folder"));
  EXPECT_THAT(complaint(library("no_tag")), HasSubstr("has no function wavewright_abi; write WAVEWRIGHT_"));
  EXPECT_THAT(complaint(library("no_register")), HasSubstr("has no function wavewright_register; define"));
  EXPECT_THAT(complaint(library("other_version")),
              HasSubstr(std::string("was built for Wavewright 0.0.1, gcc 3, this is ") + WAVEWRIGHT_ABI));
  EXPECT_THAT(complaint(library("unresolved")), HasSubstr("cannot be loaded: undefined symbol"));
  EXPECT_THAT(complaint(library("taken_name")), HasSubstr("there is a policy 'fair' already"));
  EXPECT_THAT(complaint(library("throws")), HasSubstr("its wavewright_register failed: not today"));
}

TEST(PolicyLibrary, IsASharedObject) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "text.so";
  for (const char* content : {"", "hello",
                              "\x7f"
                              "ELF",
                              "\x7f"
                              "ELF and then nothing of the kind"}) {
    std::ofstream(file) << content;
    EXPECT_THAT(complaint(file),
                testing::AnyOf(HasSubstr("not a shared object"), HasSubstr("cannot be loaded")));
  }
  EXPECT_THAT(complaint(fs::read_symlink("/proc/self/exe")), HasSubstr("cannot be loaded"));
}

}  // namespace
}  // namespace wavewright
