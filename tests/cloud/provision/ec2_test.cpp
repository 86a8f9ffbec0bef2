// What is sent to EC2 and what its answers say; errors in one line without secrets; pauses; credentials.
#include "wavewright/cloud/provision/ec2.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "tests/property.h"
#include "tests/temporary_folder.h"
#include "wavewright/cloud/provision/aws_credentials.h"
#include "wavewright/cloud/provision/cloud_error.h"
#include "wavewright/cloud/provision/user_data.h"

namespace wavewright {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Ec2, AsksForAllOrNoneWithItsToken) {
  const LaunchRequest request{"token", "ledger",
                              "night", {"m5.large", "ami-1", "subnet-1", "key", "", Money{31'500}},
                              3,       ms(7'200'000)};
  const auto form = launch_form(request);
  const std::map<std::string, std::string> asked(form.begin(), form.end());
  EXPECT_EQ(asked.at("ClientToken"), "token");
  EXPECT_EQ(asked.at("MinCount"), "3");
  EXPECT_EQ(asked.at("MaxCount"), "3");
  EXPECT_EQ(asked.at("InstanceMarketOptions.SpotOptions.MaxPrice"), "0.0315");
  EXPECT_EQ(asked.at("InstanceInitiatedShutdownBehavior"), "terminate");
  EXPECT_EQ(asked.at("TagSpecification.1.Tag.3.Value"), "token");
  EXPECT_EQ(form, launch_form(request)) << "each time the same";
  LaunchRequest on_demand = request;
  on_demand.terms.bid.reset();
  for (const auto& [name, value] : launch_form(on_demand)) EXPECT_THAT(name, Not(HasSubstr("MarketOptions")));
}

TEST(Ec2, ReadsAPage) {
  const std::string page = R"(<?xml version="1.0"?><DescribeInstancesResponse><reservationSet>
    <item><instancesSet><item><instanceId>i-1</instanceId><instanceState><name>running</name></instanceState>
      <privateDnsName>ip-1</privateDnsName><launchTime>2023-11-14T22:13:20.000Z</launchTime>
      <tagSet><item><key>wavewright:lease</key><value>t1</value></item></tagSet></item></instancesSet></item>
    <item><instancesSet><item><instanceId>i-2</instanceId><instanceState><name>terminated</name></instanceState>
      <stateReason><message>Server.SpotInstanceTermination</message></stateReason></item></instancesSet></item>
    </reservationSet><nextToken>more</nextToken></DescribeInstancesResponse>)";
  std::string next;
  const std::vector<Instance> found = parse_instances(page, "https://e", next);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(next, "more");
  EXPECT_EQ(found[0].token, "t1");
  EXPECT_EQ(found[0].state, InstanceState::running);
  EXPECT_EQ(found[0].launched, at_ms(1'700'000'000'000));
  EXPECT_EQ(found[0].host, "ip-1");
  EXPECT_EQ(found[1].state, InstanceState::gone);
  EXPECT_EQ(found[1].reason, "Server.SpotInstanceTermination");
}

// A page of another server is no list without machines: nothing may be concluded from it.
TEST(Ec2, TakesNoOtherAnswer) {
  std::string next;
  for (const char* text :
       {"", "<html><body>proxy</body></html>", "{}", "<DescribeInstancesResponse>", "<a/>"})
    try {
      (void)parse_instances(text, "https://e", next);
      ADD_FAILURE() << text;
    } catch (const CloudError& error) {
      EXPECT_EQ(error.failure(), CloudFailure::unsure);
    }
  // As deep as it may be: the parser does not recurse.
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i) deep += "<a>";
  EXPECT_THROW((void)parse_instances(deep, "https://e", next), CloudError);
}

TEST(CloudErrors, MeanWhatTheyAre) {
  const auto failure = [](int status, const char* code) {
    return cloud_error("https://e", status, code, "m").failure();
  };
  EXPECT_EQ(failure(503, "RequestLimitExceeded"), CloudFailure::throttled);
  EXPECT_EQ(failure(500, "InsufficientInstanceCapacity"), CloudFailure::refused) << "EC2 says 500";
  EXPECT_EQ(failure(400, "VcpuLimitExceeded"), CloudFailure::refused);
  EXPECT_EQ(failure(400, "SomethingNew"), CloudFailure::refused);
  EXPECT_EQ(failure(500, "InternalError"), CloudFailure::unsure);
  EXPECT_EQ(failure(502, ""), CloudFailure::unsure);
  EXPECT_EQ(failure(429, ""), CloudFailure::throttled);
  EXPECT_EQ(failure(403, "SignatureDoesNotMatch"), CloudFailure::denied);
}

TEST(CloudErrors, AreOneLineWithoutSecrets) {
  const CloudError wrong =
      cloud_error("https://e", 403, "SignatureDoesNotMatch", "canonical\nx-amz-security-token:SECRET");
  EXPECT_THAT(wrong.what(), Not(HasSubstr("SECRET")));
  EXPECT_THAT(wrong.what(),
              HasSubstr("https://e: the signature is wrong (SignatureDoesNotMatch); check the secret key"));
  const CloudError quota =
      cloud_error("https://e", 400, "VcpuLimitExceeded", "more\nthan " + std::string(1'000, 'x'));
  EXPECT_THAT(quota.what(), Not(HasSubstr("\n")));
  EXPECT_LT(std::string(quota.what()).size(), 500U);
}

TEST(Backoff, DoublesUpToTwentySeconds) {
  for (const auto& [attempt, most] :
       {std::pair{1, 500}, {2, 1'000}, {5, 8'000}, {7, 20'000}, {100, 20'000}}) {
    EXPECT_EQ(backoff(attempt, 1), ms(most));
    EXPECT_EQ(backoff(attempt, 0.5), ms(most / 2));
    EXPECT_EQ(backoff(attempt, 0), ms(0));
  }
}

TEST(FormText, EncodesAllButWhatSigningKeeps) {
  EXPECT_EQ(form_text({{"a b", "x+y/z=~_.-"}, {"t", "ä"}}), "a%20b=x%2By%2Fz%3D~_.-&t=%C3%A4");
}

TEST(UserData, SetsTheClockBeforeAllElse) {
  EXPECT_EQ(self_ending_script(ms(7'200'001), ""), "#!/bin/sh\nshutdown -P +121\n");
  EXPECT_THAT(self_ending_script(ms(60'000), "#!/bin/sh\necho"),
              testing::StartsWith("#!/bin/sh\nshutdown -P +1\nbase64 -d"));
  EXPECT_EQ(base64_text("M"), "TQ==");
  EXPECT_EQ(base64_text("Man"), "TWFu");
}

class Credentials : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
                             "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"})
      ::unsetenv(name);
    std::ofstream(folder_.path() / "credentials")
        << "[default]\naws_access_key_id=A\naws_secret_access_key = S=+/\n"
           "; a remark\n[night]\naws_access_key_id=N\n";
    std::ofstream(folder_.path() / "config")
        << "[default]\nregion = eu-west-1\n[profile night]\nregion=us-east-2\n";
    ::setenv("AWS_SHARED_CREDENTIALS_FILE", (folder_.path() / "credentials").c_str(), 1);
    ::setenv("AWS_CONFIG_FILE", (folder_.path() / "config").c_str(), 1);
  }
  TemporaryFolder folder_;
};

TEST_F(Credentials, OfTheEnvironmentOrAProfile) {
  EXPECT_EQ(find_credentials("").key_id, "A");
  EXPECT_EQ(find_credentials("").secret, "S=+/");
  EXPECT_THROW((void)find_credentials("night"), UsageError) << "no secret";
  EXPECT_THROW((void)find_credentials("none"), UsageError);
  ::setenv("AWS_ACCESS_KEY_ID", "E", 1);
  EXPECT_THROW((void)find_credentials(""), UsageError) << "half of them";
  ::setenv("AWS_SECRET_ACCESS_KEY", "T", 1);
  EXPECT_EQ(find_credentials("").key_id, "E");
  EXPECT_EQ(find_credentials("default").key_id, "A") << "a profile that is named goes first";
}

TEST_F(Credentials, AndARegion) {
  EXPECT_EQ(find_region("", ""), "eu-west-1");
  EXPECT_EQ(find_region("", "night"), "us-east-2");
  EXPECT_EQ(find_region("ap-south-1", "night"), "ap-south-1");
  EXPECT_THROW((void)find_region("", "none"), UsageError);
  EXPECT_THROW((void)find_region("x.evil.example/", ""), UsageError);
  EXPECT_EQ(find_endpoint("", "ec2", "eu-west-1"), "https://ec2.eu-west-1.amazonaws.com");
  EXPECT_EQ(find_endpoint("", "ec2", "cn-north-1"), "https://ec2.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(find_endpoint("http://127.0.0.1:5000/", "ec2", "eu-west-1"), "http://127.0.0.1:5000");
  for (const char* bad : {"http://10.0.0.1", "http://127.0.0.1.evil.example", "ftp://x", "https://x/path",
                          "https://user@x", "x:1"})
    EXPECT_THROW((void)find_endpoint(bad, "ec2", "eu-west-1"), UsageError) << bad;
}

}  // namespace
}  // namespace wavewright
