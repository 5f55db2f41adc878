#include "rules/match/random_draw.h"

#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

bool IsDraw(std::string_view base) {
  if (!base.starts_with("random.")) return false;
  const std::string_view last = base.substr(base.rfind('.') + 1);
  return !IsOneOf(last, {"seed", "default_rng", "Generator", "RandomState", "BitGenerator", "XORWOW", "MRG32k3a",
                         "PHILOX4_32_10", "get_state", "set_state", "SeedSequence", "spawn", "MT19937", "PCG64",
                         "PCG64DXSM", "Philox", "SFC64", "bit_generator"});
}

}  // namespace cpnlint::rules::match
