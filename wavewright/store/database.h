// An open database: a session, its errors as ExternalError, its transactions.
#pragma once

#include <memory>
#include <string>

#include <soci/soci.h>

#include "wavewright/store/url.h"

namespace wavewright {

// A database's message in one line, without SOCI's text about the statement.
[[nodiscard]] std::string without_statement(std::string message);

class Database {
 public:
  Database(StoreUrl where, std::unique_ptr<soci::session> session, bool read_only = false)
      : where_(std::move(where)), session_(std::move(session)), read_only_(read_only) {}

  [[nodiscard]] const StoreUrl& where() const { return where_; }
  [[nodiscard]] Backend backend() const { return where_.backend; }
  [[nodiscard]] soci::session& session() const { return *session_; }
  [[nodiscard]] bool read_only() const { return read_only_; }  // SQLite's file is not writable

  // Runs `work(session)`; a database error becomes an ExternalError.
  template <class Work>
  auto guarded(Work work) const {  // NOLINT(modernize-use-nodiscard): often of no result
    try {
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

  static bool gave_way(const std::string& message);
  static void wait(int attempt);

  StoreUrl where_;
  std::unique_ptr<soci::session> session_;
  bool read_only_;
};

}  // namespace wavewright
