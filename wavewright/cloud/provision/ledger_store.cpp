#include "wavewright/cloud/provision/ledger_store.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/cloud/provision/order_text.h"
#include "wavewright/cloud/provision/rent_token.h"
#include "wavewright/store/database.h"
#include "wavewright/store/key.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

using enum ColumnKind;

std::vector<RentBudget> read_budgets(soci::session& session) {
  std::vector<RentBudget> budgets;
  Query rows(session,
             "select name, limit_micro_usd, settled_micro_usd from wavewright_rent_budget order by batch_key",
             {}, {text, integer, integer});
  while (rows.fetch()) budgets.push_back({rows.text(0), Money{rows.number(1)}, Money{rows.number(2)}});
  return budgets;
}

void read_orders(soci::session& session, const std::string& where, const Row& uses, const std::string& store,
                 std::vector<RentOrder>& orders) {
  Query rows(session,
             fmt::format("select document from wavewright_rent_order {} order by asked_ms, token", where),
             uses, {text});
  while (rows.fetch()) orders.push_back(parse_order(rows.text(0), store));
}

Books read_books(soci::session& session, const std::string& store) {
  Books books{read_budgets(session), {}};
  read_orders(session, "where state <> 'closed'", {}, store, books.orders);
  return books;
}

void write_budget(soci::session& session, const RentBudget& budget) {
  const std::string key = hash_text(budget.batch);
  execute(session, "delete from wavewright_rent_budget where batch_key = :k", {Value(key)});
  execute(session,
          "insert into wavewright_rent_budget (batch_key, name, limit_micro_usd, settled_micro_usd) "
          "values (:k, :n, :l, :s)",
          {Value(key), Value(budget.batch), Value(static_cast<long long>(budget.limit.micro_usd)),
           Value(static_cast<long long>(budget.settled.micro_usd))});
}

void write_order(soci::session& session, const RentOrder& order) {
  execute(session, "delete from wavewright_rent_order where token = :t", {Value(order.token)});
  execute(session,
          "insert into wavewright_rent_order (token, batch_key, state, asked_ms, document) "
          "values (:t, :b, :s, :a, :d)",
          {Value(order.token), Value(hash_text(order.batch)), Value(std::string(to_string(order.state))),
           Value(static_cast<long long>(to_ms(order.asked))), Value(order_text(order))});
}

// Those of `now` that `before` has not just so.
template <class Row, class Write>
void write_changed(const std::vector<Row>& before, const std::vector<Row>& now, Write write) {
  for (const Row& row : now)
    if (std::find(before.begin(), before.end(), row) == before.end()) write(row);
}

}  // namespace

std::string LedgerStore::id() {
  if (!id_.empty()) return id_;
  const std::string fresh = rent_token();
  id_ = store_.database().in_transaction([&](soci::session& session) {
    {
      Query row(session, "select ledger_id from wavewright_rent_ledger", {}, {text});
      if (row.fetch()) return row.text(0);
    }
    execute(session, "insert into wavewright_rent_ledger (ledger_id) values (:i)", {Value(fresh)});
    return fresh;
  });
  return id_;
}

void LedgerStore::change(const std::vector<std::string>& closed, const std::function<void(Books&)>& change) {
  const Database& database = store_.database();
  database.in_transaction([&](soci::session& session) {
    const std::string& store = database.where().shown;
    Books books = read_books(session, store);
    each_chunk(closed, [&](const std::string& list, const Row& uses) {
      read_orders(session, "where state = 'closed' and token in " + list, uses, store, books.orders);
    });
    const Books before = books;
    change(books);
    write_changed(before.budgets, books.budgets, [&](const RentBudget& row) { write_budget(session, row); });
    write_changed(before.orders, books.orders, [&](const RentOrder& row) { write_order(session, row); });
    return 0;
  });
}

Books LedgerStore::read(bool with_closed) {
  const Database& database = store_.database();
  return database.in_transaction([&](soci::session& session) {
    Books books = read_books(session, database.where().shown);
    if (with_closed) read_orders(session, "where state = 'closed'", {}, database.where().shown, books.orders);
    return books;
  });
}

}  // namespace wavewright
