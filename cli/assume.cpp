#include "cli/assume.h"

#include <cmath>
#include <cstdlib>

namespace cpnlint::cli {

// A size is a whole number that is not negative, or a shape of such numbers and names.
Result<int> CheckAssumption(const std::string& text, std::map<std::string, std::string>& known) {
  const std::size_t equals = text.find('=');
  const std::string form = " is not NAME=VALUE, for example N=1e8 or u=(16384,16384):float32";
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) return Fail('`' + text + '`' + form);
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str() + value.size() && !(number >= 0 && number == std::floor(number) && number < 9e18)) {
    return Fail('`' + text + "` is no size: a whole number is needed, and not a negative one");
  }
  if (end != value.c_str() + value.size() && value.find_first_not_of("0123456789_") != std::string::npos &&
      !value.starts_with('(')) {
    return Fail('`' + text + '`' + form);
  }
  const auto [other, is_new] = known.emplace(name, value);
  if (!is_new && other->second != value) {
    return Fail('`' + name + "` is said to be " + other->second + " and " + value);
  }
  return 0;
}

}  // namespace cpnlint::cli
