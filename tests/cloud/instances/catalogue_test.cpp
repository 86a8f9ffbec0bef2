#include "wavewright/cloud/instances/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/paths.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    (void)parse_catalogue(text, "types.toml");
  } catch (const InputError& error) {
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "it was read";
}

const std::string head = "date = \"2024-06-30\"\n";
const std::string type = "[[types]]\nname = \"a\"\nvcpus = 4\nmemory_mib = 4096\nusd_per_hour = 0.1\n";

TEST(Catalogue, ReadsTypes) {
  const Catalogue catalogue = parse_catalogue(head + type + "speed = 2\ndate = \"2014\"\n", "types.toml");
  ASSERT_EQ(catalogue.types.size(), 1u);
  EXPECT_EQ(catalogue.types[0].per_hour.micro_usd, 100'000);
  EXPECT_EQ(catalogue.types[0].memory.count, 4096LL << 20);
  EXPECT_EQ(catalogue.types[0].speed, 2);
  EXPECT_EQ(catalogue.types[0].date, "2014");
  EXPECT_THROW((void)catalogue.find("b"), UsageError);
}

// 80 % of 4 GiB hold three tasks of 1 GiB, six of 512 MiB; four processors allow four.
TEST(Catalogue, TasksAtOnceByProcessorsAndMemory) {
  const Catalogue catalogue = parse_catalogue(head + type, "types.toml");
  EXPECT_EQ(machine_slots(catalogue.types[0], {}), (SlotPool{3, 3}));
  EXPECT_EQ(machine_slots(catalogue.types[0], {.memory = Bytes{512LL << 20}}), (SlotPool{4, 4}));
  EXPECT_EQ(machine_slots(catalogue.types[0], {.memory = Bytes{8LL << 30}}), (SlotPool{0, 0}));
  const Catalogue slots = parse_catalogue(head + type + "map_slots = 2\nreduce_slots = 1\n", "types.toml");
  EXPECT_EQ(machine_slots(slots.types[0], {}), (SlotPool{2, 1}));
}

TEST(Catalogue, RefusesBadInput) {
  EXPECT_THAT(refusal(type), HasSubstr("no date"));
  EXPECT_THAT(refusal(head), HasSubstr("no types"));
  EXPECT_THAT(refusal(head + "currency = \"EUR\"\n" + type), HasSubstr("EUR"));
  EXPECT_THAT(refusal(head + type + type), HasSubstr("two types are named a"));
  EXPECT_THAT(refusal(head + type + "vcpu = 1\n"), HasSubstr("vcpus"));
  EXPECT_THAT(refusal(head + type + "map_slots = 1\n"), HasSubstr("one kind"));
  EXPECT_THAT(refusal(head + "[[types]]\nname = \"a\"\nmemory_mib = 1\n"), HasSubstr("no price"));
  EXPECT_THAT(refusal(head + "[[types]]\nname = \"a\"\nusd_per_hour = 1.0\n"), HasSubstr("no memory"));
  EXPECT_THAT(refusal(head + "[[types]]\nmemory_mib = 1\nusd_per_hour = 1.0\n"), HasSubstr("no name"));
  EXPECT_THAT(refusal(head + "[[types]]\nname = \"a\"\nmemory_mib = 1\nusd_per_hour = -1.0\n"),
              HasSubstr("types.toml:"));
  EXPECT_THAT(refusal("date ="), HasSubstr("types.toml"));
}

// The one that comes along: the paper's machine at the paper's price, and types that are enough for tasks.
TEST(Catalogue, TheOneThatComesAlong) {
  const Catalogue catalogue = read_catalogue(source_dir() + "/data/instances/ec2.toml");
  EXPECT_EQ(catalogue.find("m3.medium").per_hour, from_usd(0.07));
  EXPECT_GE(catalogue.types.size(), 12u);
  EXPECT_FALSE(catalogue.explanation.empty());
  for (const InstanceType& each : catalogue.types)
    EXPECT_GE(machine_slots(each, {}).map_slots, 1) << each.name;
}

}  // namespace
}  // namespace wavewright
