// The ledger of rented machines on every kind of database: what is written is there, all or nothing, and two
// programs do not pass a budget together.
#include "wavewright/cloud/provision/ledger_store.h"

#include <thread>

#include <gtest/gtest.h>

#include "tests/store/databases.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

class LedgerStoreTest : public DatabaseTest {
 protected:
  static RentOrder order_of(const std::string& token) {
    RentOrder order;
    order.token = token;
    order.batch = "nächtlich ";
    order.terms.type = "m5.large";
    order.hourly = Money{60'000};
    order.asked = at_ms(1'700'000'000'000);
    order.until = order.asked + ms(3'600'000);
    order.hold = ms(3'600'000);
    return order;
  }
};

TEST_P(LedgerStoreTest, KeepsOrdersBudgetsAndItsName) {
  const Store first = store();
  LedgerStore ledger(first);
  const std::string id = ledger.id();
  EXPECT_EQ(id.size(), 32U);
  const Time now = at_ms(1'700'000'000'000);
  ledger.change({}, [&](Books& books) {
    set_budget(books, "nächtlich ", Money{1'000'000});
    for (const char* token : {"b", "a"}) place(books, order_of(token), now, ms(1));
  });
  const Store second = store();
  LedgerStore other(second);
  EXPECT_EQ(other.id(), id);
  Books books = other.read(false);
  ASSERT_EQ(books.orders.size(), 2U);
  EXPECT_EQ(books.orders[0], order_of("a"));
  EXPECT_EQ(books.budgets, (std::vector<RentBudget>{{"nächtlich ", Money{1'000'000}, Money{}}}));
  other.change({}, [&](Books& changed) { close(changed, changed.orders[0], now); });
  EXPECT_EQ(ledger.read(false).orders.size(), 1U);
  EXPECT_EQ(ledger.read(true).orders.size(), 2U);
  std::size_t seen = 0;
  ledger.change({"a", "none"}, [&](Books& changed) { seen = changed.orders.size(); });
  EXPECT_EQ(seen, 2U) << "the closed one that was asked for, too";
}

TEST_P(LedgerStoreTest, AChangeThatThrowsChangesNothing) {
  const Store own = store();
  LedgerStore ledger(own);
  EXPECT_THROW(ledger.change({},
                             [&](Books& books) {
                               set_budget(books, "b", Money{1});
                               books.orders.push_back(order_of("x"));
                               throw Infeasible("no");
                             }),
               Infeasible);
  EXPECT_TRUE(ledger.read(true).orders.empty());
  EXPECT_TRUE(ledger.read(true).budgets.empty());
}

// Sixteen orders of 0.06 at once, from four programs, into a budget for five.
TEST_P(LedgerStoreTest, ProgramsAtOnceKeepOneBudget) {
  {
    const Store own = store();
    LedgerStore(own).change({}, [&](Books& books) { set_budget(books, "nächtlich ", Money{5 * 60'000}); });
  }
  std::vector<std::thread> programs;
  for (int program = 0; program < 4; ++program)
    programs.emplace_back([&, program] {
      const Store own = store();
      LedgerStore ledger(own);
      for (int i = 0; i < 4; ++i) try {
          ledger.change({}, [&](Books& books) {
            place(books, order_of("p" + std::to_string(program) + std::to_string(i)),
                  at_ms(1'700'000'000'000), ms(1));
          });
        } catch (const Infeasible&) {
        }
    });
  for (std::thread& program : programs) program.join();
  const Store own = store();
  EXPECT_EQ(LedgerStore(own).read(false).orders.size(), 5U);
}

TEST_P(LedgerStoreTest, ADamagedOrderIsNamed) {
  const Store own = store();
  LedgerStore ledger(own);
  ledger.change({}, [&](Books& books) { books.orders.push_back(order_of("x")); });
  execute("update wavewright_rent_order set document = '{}'");
  EXPECT_THROW((void)ledger.read(false), InputError);
}

INSTANTIATE_ON_EVERY_DATABASE(LedgerStoreTest);

}  // namespace
}  // namespace wavewright
