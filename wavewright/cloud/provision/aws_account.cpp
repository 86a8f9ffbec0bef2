#include "wavewright/cloud/provision/aws_account.h"

#include <pugixml.hpp>

#include "wavewright/cloud/provision/cloud.h"

namespace wavewright {

std::string aws_account(AwsClient& client) {
  const std::string xml =
      client.query({{"Action", "GetCallerIdentity"}, {"Version", "2011-06-15"}}, Repeatable::yes);
  pugi::xml_document document;
  std::string account;
  if (document.load_buffer(xml.data(), xml.size()))
    account = document.select_node("//Account").node().child_value();
  if (account.empty())
    throw CloudError(CloudFailure::unsure, {client.place().endpoint}, "the answer is not one of STS",
                     "check --endpoint");
  return account;
}

}  // namespace wavewright
