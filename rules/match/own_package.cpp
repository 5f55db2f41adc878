#include "rules/match/own_package.h"

#include <string>

namespace cpnlint::rules::match {

bool IsOwnPackage(const analysis::Facts& facts, ir::ValueId op, std::string_view dotted) {
  const ir::Program& program = facts.program();
  const std::string_view package = dotted.substr(0, dotted.find('.'));
  if (package.empty()) return false;
  const std::string& path = program.modules[program.functions[program.FunctionOf(op)].module].path;
  return ("/" + path).find("/" + std::string(package) + "/") != std::string::npos;
}

}  // namespace cpnlint::rules::match
