// An open database: a session, its errors as ExternalError, its transactions.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <soci/soci.h>

#include "wavewright/store/url.h"

namespace wavewright {

// A database's message in one line, without SOCI's text about the statement.
[[nodiscard]] std::string without_statement(std::string message);

class Database {
 public:
  // A new session, for when the server has dropped the one before.
  using Connect = std::function<std::unique_ptr<soci::session>()>;

  Database(StoreUrl where, std::unique_ptr<soci::session> session, bool read_only = false,
           Connect connect = {})
      : where_(std::move(where)),
        session_(std::move(session)),
        read_only_(read_only),
        connect_(std::move(connect)) {}

  [[nodiscard]] const StoreUrl& where() const { return where_; }
  [[nodiscard]] Backend backend() const { return where_.backend; }
  [[nodiscard]] soci::session& session() const { return *session_; }
  [[nodiscard]] bool read_only() const { return read_only_; }  // SQLite's file is not writable

  // Runs `work(session)`; a database error becomes an ExternalError. If the server had dropped the session
  // before, it is asked for another one first.
  template <class Work>
  auto guarded(Work work) const {  // NOLINT(modernize-use-nodiscard): often of no result
    try {
      connect_again();
      return work(*session_);
    } catch (const soci::soci_error& error) {
      refuse(error.what());
    }
  }

  // Runs `work(session)` atomically, as the only writer of the store. Repeats it up to five times if the
  // database gave way to another writer. O(1) besides the work.
  template <class Work>
  auto in_transaction(Work work) const {  // NOLINT(modernize-use-nodiscard): the same
    for (int attempt = 1;; ++attempt) {
      try {
        connect_again();
        Transaction transaction(*this);
        auto result = work(*session_);
        transaction.commit();
        return result;
      } catch (const soci::soci_error& error) {
        if (attempt == 5 || !gave_way(error.what())) refuse(error.what());
        wait(attempt);
      }
    }
  }

  // From now on the server ends a session that stays idle for so long inside a transaction, and drops the
  // transaction: a program that was stopped (SIGSTOP) there would keep all others waiting. Nothing on SQLite,
  // whose lock only a process that ends gives back, and on a server without such a limit (MySQL).
  static constexpr int longest_idle_s = 4;
  void limit_idle_transactions() const { limit_idle_ = true; }

  // Mutual exclusion for creating and changing tables, across processes, while the object lives.
  class Lock {
   public:
    explicit Lock(const Database& database);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    Lock(Lock&&) = delete;
    Lock& operator=(Lock&&) = delete;

   private:
    const Database& database_;
  };

  // Does the table exist? Does any table exist (SQLite)?
  [[nodiscard]] bool has_table(const std::string& name) const;
  [[nodiscard]] bool has_any_table() const;

  // The same without the password.
  [[nodiscard]] std::string plain(const std::string& message) const;

  // Throws ExternalError with the database's message, without the password, and a remedy; InputError if its
  // own data are damaged.
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  class Transaction {
   public:
    explicit Transaction(const Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction(Transaction&&) = delete;
    Transaction& operator=(Transaction&&) = delete;
    void commit();

   private:
    const Database& database_;
    bool open_ = true;
  };

  void connect_again() const;
  void set_idle_limit() const;
  static bool gave_way(const std::string& message);
  static void wait(int attempt);

  StoreUrl where_;
  mutable std::unique_ptr<soci::session> session_;
  mutable std::vector<std::unique_ptr<soci::session>> dropped_;  // statements may still point to them
  mutable bool gone_ = false;
  mutable bool limit_idle_ = false;
  mutable bool idle_limit_set_ = false;  // in this session
  bool read_only_;
  Connect connect_;
};

}  // namespace wavewright
