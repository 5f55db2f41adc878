#pragma once

// What the grammar takes and no Python does.

#include <vector>

#include "analyzer/syntax/parse.h"

namespace cpnlint::syntax {

class Refused {
 public:
  explicit Refused(std::vector<BrokenStatement>& found) : found_(found) {}

  // Each node of a tree, in its order.
  void See(Node node);

 private:
  void SeeIndentation(Node block);
  void SeeParameters(Node parameters);
  void SeeArguments(Node arguments);
  void Add(Node at, const char* reason);

  std::vector<BrokenStatement>& found_;
};

}  // namespace cpnlint::syntax
