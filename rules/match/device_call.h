#pragma once

// Calls that go to the array library on the device, whichever way they are spelled: `np.sum(u)`, `u.sum()`,
// `np.linalg.norm(u)`, `rng.normal(size=n)`.

#include <initializer_list>
#include <string_view>

#include "analyzer/analysis/facts.h"
#include "analyzer/api/api.h"

namespace cpnlint::rules::match {

struct DeviceCall {
  ir::ValueId call;
  std::string_view name;  // canonical: "numpy.linalg.qr", "numpy.ndarray.sum"
  std::string_view base;  // the same without "numpy.", "numpy.ndarray.": "linalg.qr", "sum"
  bool method = false;    // of an array
  ir::ValueId array;      // what it works on: the receiver or the first argument; None() without arguments
  Span array_span;
  analysis::EvidenceSet evidence = 0;  // what the resolution of the call and the kind of the array rest on

  explicit operator bool() const { return !name.empty(); }
};

// Empty (false) where the op is no call, or does not call the device library.
[[nodiscard]] DeviceCall AsDeviceCall(const analysis::Facts& facts, ir::ValueId op);

// The argument at the position that the function of the same name gives it: axis of sum is 1 in np.sum(u, 0) and
// u.sum(0). None() where it is not passed.
[[nodiscard]] ir::ValueId Argument(const analysis::Facts& facts, const DeviceCall& call, std::size_t position,
                                   std::string_view keyword);
// Where that argument stands; empty where it is not passed.
[[nodiscard]] Span ArgumentSpan(const analysis::Facts& facts, const DeviceCall& call, std::size_t position,
                                std::string_view keyword);

[[nodiscard]] bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names);

// "numpy.ndarray.sum" and "numpy.sum" -> "sum"; "numpy.linalg.qr" -> "linalg.qr".
[[nodiscard]] std::string_view BaseName(std::string_view canonical);

// `np.load("a.npz")["u"]`, `with np.load(path) as file`, `np.load(path, allow_pickle=True)`: a call of `load` that
// opens an archive, which no array comes out of (R119).
[[nodiscard]] bool OpensArchive(const analysis::Facts& facts, const DeviceCall& call);

// The table row of a name in the version the run speaks about; null where the table is silent about it.
[[nodiscard]] const api::Entry* Row(std::string_view canonical, std::string_view version);

}  // namespace cpnlint::rules::match
