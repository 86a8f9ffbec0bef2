#include "wavewright/store/database.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

bool holds(const std::string& message, std::span<const char* const> marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](const char* mark) { return message.find(mark) != std::string::npos; });
}

constexpr std::string_view other_store = "name another with --store";

// Remedy for SQLite's errors about a file's permissions; empty for another cause.
std::string file_remedy(const std::string& message, bool read_only) {
  constexpr std::array readonly = {"readonly database", "read-only", "readonly"};
  constexpr std::array no_file = {"unable to open database"};
  const bool unopened = holds(message, no_file);
  if (read_only && unopened) {
    return "it can only be read, and its last writer left something to finish: use it once as a user who may "
           "write to it";
  }
  if (holds(message, readonly)) {
    return fmt::format("you may only read it: ask for the right to write to the file and its folder, or {}",
                       other_store);
  }
  if (unopened) {
    return fmt::format("check that you may read and write the file and its folder, or {}", other_store);
  }
  return {};
}

constexpr std::array words_when_gone = {"server closed the connection",
                                        "Connection failed",
                                        "gone away",
                                        "Lost connection",
                                        "terminating connection",
                                        "no connection to the server",
                                        "onnection refused",
                                        "Can't connect",
                                        "could not connect",
                                        "connection to server",
                                        "Server shutdown",
                                        "Cannot establish connection",
                                        "could not receive data",
                                        "Connection was killed"};

std::string remedy_for(const std::string& message, const Database& database) {
  constexpr std::array busy = {"locked", "Lock wait timeout"};
  constexpr std::array full = {"disk is full", "disk I/O error", "No space left", "could not extend file",
                               "is full"};
  constexpr std::array denied = {"Access denied", "authentication failed", "no password supplied",
                                 "permission denied"};
  constexpr std::array packet = {"max_allowed_packet"};
  if (database.backend() == Backend::sqlite) {
    if (std::string remedy = file_remedy(message, database.read_only()); !remedy.empty()) return remedy;
  }
  if (holds(message, busy)) return "another program is writing to it: try again when it is done";
  if (holds(message, packet)) {
    return "one run is larger than the server takes: raise max_allowed_packet there and import again";
  }
  if (holds(message, full)) {
    return "make room on its disk and do it again: what was stored before stays whole";
  }
  if (holds(message, denied)) return "check user, rights and password (WAVEWRIGHT_STORE_PASSWORD)";
  if (holds(message, words_when_gone)) {
    return "check that the server runs and do it again: what was stored before stays whole";
  }
  return "check that it is a store of Wavewright, that you may write to it and its folder, and that the disk "
         "has room; or name another with --store";
}

}  // namespace

std::string without_statement(std::string message) {
  message = message.substr(0, message.find(" while executing"));
  message = message.substr(0, message.find(" while preparing"));
  message = message.substr(0, message.find(" while fetching"));
  for (const std::string_view front :
       {"sqlite3_statement_backend::", "Cannot execute query. ", "Fatal error. "}) {
    if (message.starts_with(front)) message.erase(0, front.size());
  }
  if (message.starts_with("loadOne: ") || message.starts_with("prepare: ")) message.erase(0, 9);
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
  return message;
}

Database::Lock::Lock(const Database& database) : database_(database) {
  soci::session& session = database.session();
  switch (database.backend()) {
    case Backend::sqlite:
      session << "begin immediate";
      break;
    case Backend::postgresql:
      session << "begin";
      session << "select pg_advisory_xact_lock(7731926020011847)";
      break;
    case Backend::mariadb: {  // DDL cannot be rolled back, so each statement must be repeatable
      int got = 0;
      session << "select get_lock(concat('wavewright.', md5(database())), 60)", soci::into(got);
      if (got != 1) throw soci::soci_error("Lock wait timeout on the tables of the store");
      break;
    }
  }
}

Database::Lock::~Lock() {
  const bool failed = std::uncaught_exceptions() > 0;
  try {
    if (database_.backend() == Backend::mariadb) {
      int released = 0;
      database_.session() << "select release_lock(concat('wavewright.', md5(database())))",
          soci::into(released);
    } else {
      database_.session() << (failed ? "rollback" : "commit");
    }
  } catch (const soci::soci_error&) {  // the connection is gone, and the lock with it
  }
}

Database::Transaction::Transaction(const Database& database) : database_(database) {
  soci::session& session = database.session();
  database.set_idle_limit();
  if (database.backend() == Backend::sqlite) {
    session << "begin immediate";
  } else {
    // All writers change this row first, so they queue here and never find that another wrote meanwhile.
    session << "begin";
    session << "update wavewright_meta set value = value where name = 'schema_version'";
  }
}

void Database::Transaction::commit() {
  database_.session() << "commit";
  open_ = false;
}

Database::Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.session() << "rollback";
  } catch (const soci::soci_error&) {  // already rolled back, or the connection is gone
  }
}

void Database::connect_again() const {
  if (!gone_ || !connect_) return;
  std::unique_ptr<soci::session> fresh = connect_();
  dropped_.push_back(std::exchange(session_, std::move(fresh)));
  gone_ = false;
  idle_limit_set_ = false;
}

void Database::set_idle_limit() const {
  if (!limit_idle_ || idle_limit_set_) return;
  if (backend() == Backend::postgresql) {
    *session_ << fmt::format("set idle_in_transaction_session_timeout = '{}s'", longest_idle_s);
  } else if (backend() == Backend::mariadb) {
    try {
      *session_ << fmt::format("set session idle_write_transaction_timeout = {}", longest_idle_s);
    } catch (const soci::soci_error& error) {
      constexpr std::array unknown = {"Unknown system variable"};
      if (!holds(error.what(), unknown)) throw;
    }
  }
  idle_limit_set_ = true;
}

bool Database::gave_way(const std::string& message) {
  constexpr std::array marks = {"eadlock", "could not serialize", "duplicate key value", "Duplicate entry",
                                "Record has changed since last read"};
  return holds(message, marks);
}

void Database::wait(int attempt) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20 * attempt));
}

bool Database::has_table(const std::string& name) const {
  return guarded([&](soci::session& session) {
    int count = 0;
    switch (backend()) {
      case Backend::sqlite:
        session << "select count(*) from sqlite_master where type = 'table' and name = :name",
            soci::use(name), soci::into(count);
        break;
      case Backend::postgresql:
        // The view information_schema.tables asks for rights, too: ten times as long.
        session << "select count(*) from pg_catalog.pg_tables where schemaname = current_schema() and "
                   "tablename = :name",
            soci::use(name), soci::into(count);
        break;
      case Backend::mariadb:
        session << "select count(*) from information_schema.tables where table_schema = database() and "
                   "table_name = :name",
            soci::use(name), soci::into(count);
        break;
    }
    return count > 0;
  });
}

bool Database::has_any_table() const {
  return guarded([&](soci::session& session) {
    int count = 0;
    session << "select count(*) from sqlite_master", soci::into(count);
    return count > 0;
  });
}

std::string Database::plain(const std::string& message) const {
  std::string text = without_statement(message);
  if (!where_.password.empty()) {
    for (std::size_t at = 0; (at = text.find(where_.password, at)) != std::string::npos; at += 3) {
      text.replace(at, where_.password.size(), "***");
    }
  }
  return text;
}

void Database::refuse(const std::string& message) const {
  const std::string text = plain(message);
  gone_ = gone_ || (backend() != Backend::sqlite && holds(message, words_when_gone));
  constexpr std::array foreign = {"file is not a database"};
  if (holds(message, foreign)) {
    throw InputError(
        {where_.shown}, "does not begin as a SQLite database does: it is none, or damaged",
        "name another file with --store; of a damaged one restore a copy, or import its histories anew");
  }
  constexpr std::array damaged = {"malformed", "invalid page in block", "could not read block",
                                  "is marked as crashed", "is corrupted"};
  if (holds(message, damaged)) {
    throw InputError(
        {where_.shown}, "the store is damaged: " + text,
        "'wavewright store check' says where, 'wavewright store copy --salvage' takes what can be read");
  }
  throw ExternalError({where_.shown}, "the store failed: " + text, remedy_for(message, *this));
}

}  // namespace wavewright
