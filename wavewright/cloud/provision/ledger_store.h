// The ledger of rented machines in a store: its tables `wavewright_rent…` (store/schema.h).
//
// A ledger belongs to the store in which it was made: `store copy` leaves it out, so that no two programs
// account for the same machines.
#pragma once

#include "wavewright/cloud/provision/books.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The store must outlive it. Functions throw ExternalError if the database fails, InputError if rows are
// damaged.
class LedgerStore : public RentLedger {
 public:
  explicit LedgerStore(const Store& store) : store_(store) {}

  [[nodiscard]] std::string id() override;
  void change(const std::vector<std::string>& closed, const std::function<void(Books&)>& change) override;
  [[nodiscard]] Books read(bool with_closed) override;

 private:
  const Store& store_;
  std::string id_;
};

}  // namespace wavewright
