#include "wavewright/live/yarn/rest_answer.h"

#include "wavewright/core/error.h"

namespace wavewright {

void not_a_resource_manager(const std::string& url, const std::string& what) {
  throw ExternalError({url}, what, "name the ResourceManager's web address, like http://HOST:8088");
}

json::Value parse_answer(json::Document& document, std::string_view text, const std::string& url) {
  try {
    return document.parse(text, url);
  } catch (const InputError& error) {
    const bool page = text.starts_with('<');
    not_a_resource_manager(
        url, "does not answer with JSON: " + (page ? "a web page, of a login or a proxy" : error.problem()));
  }
}

std::string parse_setting(std::string_view text, std::string_view key, const std::string& url) {
  json::Document document;
  std::string value;
  json::for_each(parse_answer(document, text, url), "properties", [&](json::Value each) {
    if (json::text(each, "key") == key) value = json::text(each, "value");
  });
  return value;
}

}  // namespace wavewright
