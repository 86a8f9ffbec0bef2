#include "apps/open_store.h"

#include <memory>

#include "wavewright/store/packed.h"

namespace wavewright::app {

Store open_store(const Context& context) {
  Store store = Store::open(context.store_url(), Store::Access::existing);
  store.on_damaged(
      [&context, told = std::make_shared<bool>(false)](const RunHeader&, const std::string& problem) {
        if (*told) return;
        *told = true;
        context.note("left out: " + problem + "; " + damaged_remedy);
      });
  return store;
}

}  // namespace wavewright::app
