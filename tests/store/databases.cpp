#include "tests/store/databases.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <soci/soci.h>

#include "wavewright/core/error.h"
#include "wavewright/store/connect.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

fs::path new_folder(const fs::path& place, const std::string& kind) {
  std::string pattern = (place / ("wavewright-" + kind + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return pattern;
}

// In memory where it has so much room, for the many files of a database cost most; else on a disk.
fs::path place_for(std::uintmax_t gibibytes) {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const fs::space_info space = fs::space(memory, error);
  const bool room = !error && space.available >= gibibytes << 30U;
  return room && ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::temp_directory_path();
}

// Removes the folders of servers whose process was killed before it could: they would stay in memory. A name
// goes on with the number of the process.
void remove_left(const fs::path& place, const std::string& beginning) {
  std::error_code ignored;
  for (const fs::directory_entry& each : fs::directory_iterator(place, ignored)) {
    const std::string name = each.path().filename();
    if (!name.starts_with(beginning)) continue;
    const pid_t process = std::atoi(name.substr(beginning.size()).c_str());
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(each.path(), ignored);
  }
}

// Starts a program as `user` where we are root, for both servers refuse to be. It ends with this process.
pid_t start(const Words& words, const char* user, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(output, 1);
  ::dup2(output, 2);
  if (::getuid() == 0) {
    const passwd* entry = ::getpwnam(user);
    if (entry == nullptr || ::initgroups(user, entry->pw_gid) != 0 || ::setgid(entry->pw_gid) != 0 ||
        ::setuid(entry->pw_uid) != 0) {
      ::_exit(126);
    }
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  if (::chdir("/") != 0) ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void run(const Words& words, const char* user, const fs::path& log) {
  int status = 0;
  ::waitpid(start(words, user, log), &status, 0);
  if (status != 0) throw std::runtime_error(words[0] + " failed: " + content_of(log));
}

std::string program(const std::string& name, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name)) return (folder / name).string();
  }
  throw std::runtime_error("no " + name +
                           " on this machine: install it (./bootstrap test does), or leave its " +
                           "database out of WAVEWRIGHT_TEST_DATABASES");
}

// A server in a folder of its own, on a socket in it.
class Server {
 public:
  // With up to so much to store.
  Server(Backend backend, const std::string& kind, const char* user, std::uintmax_t gibibytes)
      : backend_(backend), user_(user) {
    const fs::path place = place_for(gibibytes);
    remove_left(place, "wavewright-" + kind + "-");
    folder_ = new_folder(place, fmt::format("{}-{}", kind, ::getpid()));
    if (::getuid() == 0) {
      const passwd* entry = ::getpwnam(user);
      if (entry == nullptr) throw std::runtime_error(std::string("no user ") + user + " on this machine");
      if (::chown(folder_.c_str(), entry->pw_uid, entry->pw_gid) != 0) throw std::runtime_error("chown");
    }
  }
  ~Server() {
    if (process_ > 0) {
      ::kill(process_, backend_ == Backend::postgresql ? SIGQUIT : SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void set_up(const Words& words) { run(words, user_, folder_ / "set-up.log"); }

  void serve(Words words, const std::string& admin_url) {
    words_ = std::move(words);
    admin_url_ = admin_url;
    serve();
  }

  // A new database's name.
  std::string create() {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) serve();  // a test ended it
    const std::string name = fmt::format("test{}", ++databases_);
    connect(admin_url_, Store::Access::existing)->session() << "create database " << name;
    return name;
  }

  [[nodiscard]] const fs::path& folder() const { return folder_; }
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  void serve() {
    process_ = start(words_, user_, folder_ / "server.log");
    for (int tries = 0; tries < 600; ++tries) {
      try {
        (void)connect(admin_url_, Store::Access::existing);
        return;
      } catch (const Error&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    throw std::runtime_error("the server does not answer: " + content_of(folder_ / "server.log"));
  }

  Backend backend_;
  const char* user_;
  fs::path folder_;
  Words words_;
  std::string admin_url_;
  pid_t process_ = 0;
  int databases_ = 0;
};

std::unique_ptr<Server> start_postgresql() {
  std::vector<fs::path> folders;
  for (int version = 20; version > 10; --version) {
    folders.emplace_back(fmt::format("/usr/lib/postgresql/{}/bin", version));
  }
  folders.emplace_back("/usr/bin");
  const std::string initdb = program("initdb", folders);
  const std::string postgres = program("postgres", folders);
  auto server = std::make_unique<Server>(Backend::postgresql, "postgresql", "postgres", 4);
  const std::string data = (server->folder() / "data").string();
  server->set_up(
      {initdb, "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C"});
  Words words = {postgres, "-D", data, "-k", server->folder().string()};
  // Nothing has to outlive the machine, and no table becomes large.
  for (const char* setting : {"listen_addresses=", "fsync=off", "full_page_writes=off",
                              "synchronous_commit=off", "autovacuum=off", "max_wal_size=128MB"}) {
    words.emplace_back("-c");
    words.emplace_back(setting);
  }
  server->serve(std::move(words), "postgresql://postgres@/postgres?host=" + server->folder().string());
  return server;
}

std::unique_ptr<Server> start_mariadb() {
  const std::vector<fs::path> folders = {"/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"};
  const std::string mariadbd = program("mariadbd", folders);
  // mariadb-server-core, unlike mariadb-server, makes no user of its own.
  auto server = std::make_unique<Server>(Backend::mariadb, "mariadb",
                                         ::getpwnam("mysql") != nullptr ? "mysql" : "nobody", 1);
  const std::string folder = server->folder().string();
  // What mariadb-install-db does, which asks for the client's programs besides.
  const std::string share = "/usr/share/mysql/";
  std::ofstream(server->folder() / "set-up.sql")
      << "create database mysql;\nuse mysql;\nset @auth_root_socket=NULL;\nset @skip_auth_anonymous=1;\n"
      << content_of(share + "mysql_system_tables.sql") << content_of(share + "mysql_system_tables_data.sql");
  // Nothing has to outlive the machine. Without the first each new table waits for a disk a few times.
  const Words quick = {"--debug-no-sync", "--innodb-flush-method=nosync", "--innodb-doublewrite=0",
                       "--innodb-log-file-size=16M"};
  server->set_up({"/bin/sh", "-c",
                  fmt::format("mkdir {0}/data && exec {1} --no-defaults --datadir={0}/data --bootstrap {2} "
                              "<{0}/set-up.sql",
                              folder, mariadbd, fmt::join(quick, " "))});
  Words words = {mariadbd,
                 "--no-defaults",
                 "--datadir=" + folder + "/data",
                 "--socket=" + folder + "/s",
                 "--pid-file=" + folder + "/pid",
                 "--skip-networking",
                 "--innodb-flush-log-at-trx-commit=0"};
  words.insert(words.end(), quick.begin(), quick.end());
  server->serve(std::move(words), "mariadb://root@localhost/mysql?socket=" + folder + "/s");
  return server;
}

Server& server_of(Backend backend) {
  if (backend == Backend::postgresql) {
    static const std::unique_ptr<Server> postgresql = start_postgresql();
    return *postgresql;
  }
  static const std::unique_ptr<Server> mariadb = start_mariadb();
  return *mariadb;
}

}  // namespace

std::vector<Backend> tested_backends() {
  const char* chosen = std::getenv("WAVEWRIGHT_TEST_DATABASES");
  std::vector<Backend> tested;
  for (const auto& [name, backend] : {std::pair{"sqlite", Backend::sqlite},
                                      {"postgresql", Backend::postgresql},
                                      {"mariadb", Backend::mariadb}}) {
    if (chosen == nullptr || std::string(chosen).find(name) != std::string::npos) tested.push_back(backend);
  }
  return tested;
}

std::string empty_database(Backend backend, const fs::path& folder) {
  if (backend == Backend::sqlite) {
    static int count = 0;
    return fmt::format("sqlite:{}/new/folder/store{}.db", folder.string(), ++count);
  }
  Server& server = server_of(backend);
  const std::string name = server.create();
  return backend == Backend::postgresql
             ? "postgresql://postgres@/" + name + "?host=" + server.folder().string()
             : "mariadb://root@localhost/" + name + "?socket=" + server.folder().string() + "/s";
}

int server_process(Backend backend) {
  return server_of(backend).process();
}

void DatabaseTest::SetUp() {
  folder_ = new_folder(fs::temp_directory_path(), "a store");  // with a space: a path like any other
  url_ = empty_database(GetParam(), folder_);
}

void DatabaseTest::TearDown() {
  std::filesystem::remove_all(folder_);
}

void DatabaseTest::execute(const std::string& sql) const {
  connect(url_, Store::Access::existing)->session() << sql;
}

}  // namespace wavewright
