#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::source {

// Which array libraries a text mentions, as whole words, in code and strings; not in lines that are comments, nor as a
// part of an address or of a name with hyphens (`docs.scipy.org/doc/numpy-1.10`).
//
// Guaranteed: when a bit is not set, no import, attribute or dynamic import by a literal name
// (`importlib.import_module("numpy")`) in this file names the library. (Python also accepts identifiers in
// compatibility letters, such as full-width ones; those are not seen.) Not guaranteed: a set bit may come from a
// docstring or a comment behind code, and a file without any bit may still be reached by arrays:
//   - it imports a module of the program that hands numpy on (`from app.backend import xnp`), or
//   - it is called with arrays by a module that has some, or
//   - it spells the name at run time ("num" + "py").
// So a caller may skip a file without parsing it only when no file that mentions a library imports it or is imported by
// it, directly or over others. FindImports gives what that needs.
enum Mention : std::uint32_t {
  kMentionsNumpy = 1u << 0,
  kMentionsCupynumeric = 1u << 1,  // cupynumeric, cunumeric
  kMentionsLegate = 1u << 2,
  kMentionsCupy = 1u << 3,   // cupy, cupyx
  kMentionsPylab = 1u << 4,  // its star import brings numpy's names
  kMentionsScipy = 1u << 5,  // its older versions hand numpy's names on
  kMentionsOther = 1u << 6,  // jax, torch, pandas, xarray, dask, numba, autograd: arrays, but not those to be ported
  // `np.`, `xp.`, `cpn.`, `npx.`, `nplike.`: names that other modules bind and hand on, read as a module
  kMentionsAlias = 1u << 7,
};

// The libraries whose arrays are, or stand for, the device arrays of a port.
inline constexpr std::uint32_t kMentionsArrayLibrary =
    kMentionsNumpy | kMentionsCupynumeric | kMentionsLegate | kMentionsCupy | kMentionsPylab;

// The Mention bits of a text. One pass over the bytes, no allocation.
std::uint32_t FindMentions(std::string_view text);
// Whether one of these occurs; stops at the first.
bool MentionsAny(std::string_view text, std::uint32_t mentions);
// The same for bytes that are not decoded yet (but in an encoding that KeepsAscii): false only when their text mentions
// none of these.
bool MayMentionAny(std::string_view bytes, std::uint32_t mentions);

// The modules that a text's import statements name, as written: "a.b" for `import a.b as c` and for `from a.b import d`
// (also "a.b.d": d may be a module), ".x", "..", ".x.y" for relative ones. Found line by line without parsing, so a
// line of a string that looks like an import counts too, and an import that does not start its line or follow a `;` or
// `:` is not seen. Every name once, sorted.
std::vector<std::string> FindImports(std::string_view text);

}  // namespace cpnlint::source
