// The HTTP client against servers that are broken, hostile or not the one meant: one clear line each.
#include "wavewright/core/http.h"

#include <sys/resource.h>
#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright {
namespace {

using tests::Server;
namespace fs = std::filesystem;

std::string failure(const std::string& url, const HttpLimits& limits = {}, const std::string& ca = {}) {
  try {
    HttpClient client(ca);
    const HttpResponse response = client.get(url, {}, limits);
    return "answered " + std::to_string(response.status) + " " + response.body.substr(0, 100);
  } catch (const ExternalError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_EQ(text.find("SECRET"), std::string::npos) << text;
    EXPECT_FALSE(error.remedy().empty()) << text;
    return text;
  }
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Http : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server = std::make_unique<Server>(std::vector<std::string>{"odd"}); }
  static void TearDownTestSuite() { server.reset(); }

  static std::string failing(const std::string& path, const HttpLimits& limits = {}) {
    return failure(server->url(path), limits);
  }

  static std::unique_ptr<Server> server;
};
std::unique_ptr<Server> Http::server;

TEST_F(Http, AnyStatusIsAnAnswer) {
  HttpClient client;
  const HttpResponse good = client.get(server->url("/json"));
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.content_type, "application/json");
  EXPECT_EQ(good.body, R"({"good": true})");
  EXPECT_EQ(client.get(server->url("/gzip")).body, R"({"good": true})");
  EXPECT_EQ(client.get(server->url("/status/404")).status, 404);
  EXPECT_EQ(client.get(server->url("/login")).content_type, "text/html");
}

TEST_F(Http, AnAnswerTellsItsServersClock) {
  // 784111777 s: the example of RFC 9110.
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), at_ms(784'111'777'000));
  for (const char* none : {"", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT+1",
                           "784111777", "Sun, 06 Nov 1994 28:49:37 GMT"})
    EXPECT_FALSE(parse_http_date(none)) << none;
  const Time before = now_instant();
  const HttpResponse response = HttpClient().get(server->url("/json"));
  ASSERT_TRUE(response.date);
  EXPECT_GT(*response.date, before - ms(1'000));  // in whole seconds
  EXPECT_LE(*response.date, now_instant());
}

TEST_F(Http, RedirectsStayOnTheServerAsked) {
  HttpClient client;
  const HttpResponse here = client.get(server->url("/here"));
  EXPECT_EQ(here.body, R"({"good": true})");
  EXPECT_EQ(here.url, server->url("/json"));
  const std::string elsewhere = failing("/elsewhere?delegation=SECRET");
  EXPECT_TRUE(says(elsewhere, "redirects to http://elsewhere.example:81/login;")) << elsewhere;
  HttpLimits none;
  none.redirects = Redirects::none;
  EXPECT_TRUE(says(failing("/here", none), "redirects to"));
  EXPECT_TRUE(says(failing("/circle"), "redirects in a circle"));
}

TEST_F(Http, RedirectsToFilesOfThisMachineAreRefused) {
  HttpLimits any;
  any.redirects = Redirects::any;
  const std::string text = failing("/file", any);
  EXPECT_FALSE(says(text, "answered 200")) << text;
}

TEST_F(Http, SilenceAndDrippingEnd) {
  HttpLimits limits;
  limits.silence = std::chrono::seconds(1);
  EXPECT_TRUE(says(failing("/silent", limits), "check that the server answers"));
  limits = {};
  limits.total = std::chrono::milliseconds(500);
  EXPECT_TRUE(says(failing("/drip", limits), "check that the server answers"));
}

TEST_F(Http, AnInterruptionEndsAnyWait) {
  for (const char* path : {"/silent", "/drip"}) {
    std::atomic<bool> interrupted = false;
    HttpClient client({}, &interrupted);
    std::thread soon([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      interrupted = true;
    });
    // Both go on for half a minute, and would end with an answer or an error.
    EXPECT_THROW((void)client.get(server->url(path)), Interrupted) << path;
    soon.join();
    interrupted = false;
    EXPECT_EQ(client.get(server->url("/json")).status, 200) << "it can be used again";
  }
}

TEST_F(Http, ABodyMayBeTakenInPieces) {
  HttpClient client;
  std::string taken;
  const auto take = [&](std::string_view piece) { taken += piece; };
  EXPECT_EQ(client.get(server->url("/here"), {}, {}, take).body, "");
  EXPECT_EQ(taken, R"({"good": true})") << "after a redirect, too";
  taken.clear();
  EXPECT_EQ(client.get(server->url("/rpc"), {}, {}, take).body.substr(0, 16), "It looks like yo");
  EXPECT_EQ(taken, "") << "the text of an error is no content";
  const auto refuse = [](std::string_view) { throw InputError({"f"}, "not this"); };
  EXPECT_THROW((void)client.get(server->url("/large"), {}, {}, refuse), InputError);
}

TEST_F(Http, LargeAnswersAndBombsAreRefusedInLittleMemory) {
  const auto peak_kb = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  HttpLimits limits;
  limits.body = std::size_t{1} << 20;
  const long before = peak_kb();
  for (const char* path : {"/large", "/bomb"}) {
    const std::string text = failing(path, limits);
    EXPECT_TRUE(says(text, "the answer is larger than 1048576 bytes")) << text;
  }
  EXPECT_LT(peak_kb() - before, 16 * 1024);
}

TEST_F(Http, CutAndResetAnswersAreNoAnswers) {
  EXPECT_TRUE(says(failing("/half"), "no answer: "));
  EXPECT_TRUE(says(failing("/reset"), "no answer: "));
}

TEST_F(Http, NobodyThereSaysWhatToCheck) {
  Server gone({"odd"});
  const std::string url = gone.url("/json?token=SECRET");
  gone.stop();
  EXPECT_TRUE(says(failure(url), "check host and port, and that the server runs"));
  EXPECT_TRUE(says(failure("http://user:SECRET@nowhere.invalid/x"), "check the host's name"));
}

class HttpTls : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
        "/CN=localhost "
        "-addext subjectAltName=IP:127.0.0.1 -keyout " +
        key + " -out " + certificate + " 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }

  TemporaryFolder own;
  fs::path folder = own.path();
  std::string key = folder / "key.pem";
  std::string certificate = folder / "certificate.pem";
};

TEST_F(HttpTls, UnknownAuthoritiesAreRefusedUnlessNamed) {
  const Server server({"odd", certificate, key});
  const std::string url = "https://" + server.at() + "/json";
  EXPECT_TRUE(says(failure(url), "name the certificate authority's file with --ca-file"));
  EXPECT_THROW((void)HttpClient().get(url), TlsFailure);
  EXPECT_EQ(failure(url, {}, certificate), R"(answered 200 {"good": true})");
  EXPECT_TRUE(says(failure("https://localhost:" + std::to_string(server.port()) + "/json", {}, certificate),
                   "name the server as its certificate does"));  // it names 127.0.0.1 alone
  EXPECT_TRUE(says(failure(url, {}, folder / "absent.pem"), "check the file that --ca-file names"));
  HttpLimits any;
  any.redirects = Redirects::any;
  EXPECT_TRUE(says(failure("https://" + server.at() + "/bare", any, certificate), "redirects to http://"));
}

TEST_F(HttpTls, HttpsToAPlainServerSaysSo) {
  const Server server({"odd"});
  EXPECT_TRUE(says(failure("https://" + server.at() + "/json"), "or write http://"));
  EXPECT_THROW((void)HttpClient().get("https://" + server.at() + "/json"), TlsFailure);
}

}  // namespace
}  // namespace wavewright
