#pragma once

// `cpnlint api NAME`: what the table says about a name, in plain words. Plain data; the command prints it.

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/api/api.h"

namespace cpnlint::api {

struct Description {
  struct Argument {
    std::string name;
    std::string behaviour;  // Text(Behaviour)
    std::string words;      // "does not exist: TypeError"
    std::string raises;     // "TypeError"; empty if nothing
  };

  std::string asked;             // as the user wrote it
  std::string name;              // canonical; empty on a miss
  std::string version;           // "26.07"
  const Entry* entry = nullptr;  // null on a miss
  std::string sentence;          // "np.linalg.qr is there; it runs on one processor unless ..."
  std::string status;            // "multi", ..., "unknown" on a miss
  std::string kind;
  std::string returns;                  // empty where not known
  std::vector<std::string> parameters;  // cuPyNumeric's, in positional order
  std::vector<Argument> arguments;      // those with a restriction
  std::vector<std::string> limits;      // sentences
  std::vector<std::string> dtypes;      // "complex64, complex128: raise NotImplementedError (...)"
  std::vector<std::string> waits;       // "waits without range=, ...: reads the ends of the data"
  std::vector<std::string> notes;       // note, disagreement, other versions
  std::string instead;                  // what to write instead; empty without
  std::vector<std::string> rules;       // "R112", ...: the rules that speak about the name
  std::vector<std::string> near;        // on a miss: names a reader may have meant, canonical
  bool executed = false;                // seen to behave so on 26.6.1 (CPU)
};

// Accepts np.linalg.qr, numpy.linalg.qr, cupynumeric.linalg.qr, linalg.qr, qr, ndarray.std, a.std, add.at,
// random.Generator.choice, rng.choice. What has no row gives a Description without entry and with near names.
[[nodiscard]] Description Describe(std::string_view asked, Version version = kLatest);

// The canonical name that a user's spelling means, if it has a row; else "".
[[nodiscard]] std::string Resolve(std::string_view asked, Version version = kLatest);

}  // namespace cpnlint::api
