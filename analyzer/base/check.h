#pragma once

#include <stdexcept>
#include <string>

namespace cpnlint {

// A broken invariant of ours. The runner catches it per file, reports it as our bug and goes on with the next file.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void FailCheck(const char* condition, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + condition);
}

}  // namespace cpnlint

#define CPNLINT_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::cpnlint::FailCheck(#condition, __FILE__, __LINE__))
