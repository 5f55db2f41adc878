#include "analyzer/analysis/loaded_data.h"

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {

bool LoadsData(const Facts::Impl& impl, ir::ValueId call, std::string_view callee) {
  const bool loads =
      IsOneOf(callee, {"json.load", "json.loads", "toml.load", "toml.loads", "tomli.load", "tomli.loads",
                       "tomllib.load", "tomllib.loads", "yaml.full_load", "yaml.load", "yaml.safe_load"});
  if (!loads) return false;
  for (const std::string_view hook : {"Loader", "cls", "object_hook", "object_pairs_hook"}) {
    const ir::ValueId given = ArgumentNamed(impl.program, call, hook);
    if (!given.valid()) continue;
    const Value& what = impl.Of(given);
    const bool safe = what.kind == Kind::kApi && IsOneOf(impl.names.Text(what.name),
                                                         {"yaml.CLoader", "yaml.CSafeLoader", "yaml.FullLoader",
                                                          "yaml.Loader", "yaml.SafeLoader", "collections.OrderedDict"});
    if (!safe) return false;
  }
  return true;
}

}  // namespace cpnlint::analysis
