#pragma once

#include <string>

#include <tl/expected.hpp>

namespace cpnlint {

// What went wrong in the user's environment (files, options, settings), in words that name the thing and the cure.
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(std::string message) { return tl::make_unexpected(Error{std::move(message)}); }

}  // namespace cpnlint
