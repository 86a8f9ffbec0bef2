// The functions of libcurl that core/http.cpp calls, without its prefix `curl_`.
#pragma once

#include <curl/curl.h>

#include "wavewright/core/system_library.h"

namespace wavewright {

struct Libcurl {
  template <class Function>
  [[nodiscard]] static Function* find(const char* name) {
    return function_in<Function>(SystemLibrary::curl, name);
  }

  decltype(curl_global_init)* global_init = find<decltype(curl_global_init)>("curl_global_init");
  decltype(curl_free)* free = find<decltype(curl_free)>("curl_free");

  decltype(curl_url)* url = find<decltype(curl_url)>("curl_url");
  decltype(curl_url_set)* url_set = find<decltype(curl_url_set)>("curl_url_set");
  decltype(curl_url_get)* url_get = find<decltype(curl_url_get)>("curl_url_get");
  decltype(curl_url_cleanup)* url_cleanup = find<decltype(curl_url_cleanup)>("curl_url_cleanup");

  decltype(curl_slist_append)* slist_append = find<decltype(curl_slist_append)>("curl_slist_append");
  decltype(curl_slist_free_all)* slist_free_all = find<decltype(curl_slist_free_all)>("curl_slist_free_all");

  decltype(curl_easy_init)* easy_init = find<decltype(curl_easy_init)>("curl_easy_init");
  decltype(curl_easy_reset)* easy_reset = find<decltype(curl_easy_reset)>("curl_easy_reset");
  decltype(curl_easy_setopt)* easy_setopt = find<decltype(curl_easy_setopt)>("curl_easy_setopt");
  decltype(curl_easy_getinfo)* easy_getinfo = find<decltype(curl_easy_getinfo)>("curl_easy_getinfo");
  decltype(curl_easy_strerror)* easy_strerror = find<decltype(curl_easy_strerror)>("curl_easy_strerror");
  decltype(curl_easy_cleanup)* easy_cleanup = find<decltype(curl_easy_cleanup)>("curl_easy_cleanup");

  decltype(curl_multi_init)* multi_init = find<decltype(curl_multi_init)>("curl_multi_init");
  decltype(curl_multi_add_handle)* multi_add_handle =
      find<decltype(curl_multi_add_handle)>("curl_multi_add_handle");
  decltype(curl_multi_remove_handle)* multi_remove_handle =
      find<decltype(curl_multi_remove_handle)>("curl_multi_remove_handle");
  decltype(curl_multi_perform)* multi_perform = find<decltype(curl_multi_perform)>("curl_multi_perform");
  decltype(curl_multi_poll)* multi_poll = find<decltype(curl_multi_poll)>("curl_multi_poll");
  decltype(curl_multi_info_read)* multi_info_read =
      find<decltype(curl_multi_info_read)>("curl_multi_info_read");
  decltype(curl_multi_cleanup)* multi_cleanup = find<decltype(curl_multi_cleanup)>("curl_multi_cleanup");
};

// Loads libcurl when it is first called; throws ExternalError if that fails.
[[nodiscard]] inline const Libcurl& libcurl() {
  static const Libcurl library;
  return library;
}

}  // namespace wavewright
