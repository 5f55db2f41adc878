// The yardstick of ./dev bench: reads the files whose names come on standard input, parses each with tree-sitter as it
// comes, walks every node, and does nothing else. One thread. Built a second time as parse_quick, with the core and the
// parse table that cpnlint has: the sums of both have to be the same (tests/e2e/parser_test.py).

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include <tree_sitter/api.h>

#ifdef CPNLINT_QUICK_PARSER
#include "analyzer/syntax/parse_table.h"
#endif

extern "C" const TSLanguage* tree_sitter_python(void);

static const TSLanguage* Language() {
#ifdef CPNLINT_QUICK_PARSER
  return cpnlint::syntax::internal::WithFullTable(tree_sitter_python());
#else
  return tree_sitter_python();
#endif
}

// Visits all nodes in source order and returns how many there are. `sum` gets what every user of a tree asks of every
// node, in the order of nodes.
static std::uint64_t Walk(TSNode root, std::uint64_t& sum) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  std::uint64_t nodes = 1;
  bool down = true;
  while (true) {
    if (down && ts_tree_cursor_goto_first_child(&cursor)) {
      // A node that was not seen yet.
    } else if (ts_tree_cursor_goto_next_sibling(&cursor)) {
      down = true;
    } else if (ts_tree_cursor_goto_parent(&cursor)) {
      down = false;
      continue;
    } else {
      break;
    }
    ++nodes;
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const std::uint64_t place = std::uint64_t{ts_node_start_byte(node)} << 32 | ts_node_end_byte(node);
    sum = sum * 31 + (place ^ std::uint64_t{ts_node_symbol(node)} << 20);
  }
  ts_tree_cursor_delete(&cursor);
  return nodes;
}

int main() {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), &ts_parser_delete);
  ts_parser_set_language(parser.get(), Language());
  std::uint64_t files = 0, bytes = 0, nodes = 0, sum = 0;
  for (std::string path; std::getline(std::cin, path);) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
        ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<std::uint32_t>(text.size())),
        &ts_tree_delete);
    if (tree == nullptr) continue;
    ++files;
    bytes += text.size();
    nodes += Walk(ts_tree_root_node(tree.get()), sum);
  }
  std::printf("{\"files\": %llu, \"bytes\": %llu, \"nodes\": %llu, \"sum\": %llu}\n",
              static_cast<unsigned long long>(files), static_cast<unsigned long long>(bytes),
              static_cast<unsigned long long>(nodes), static_cast<unsigned long long>(sum));
  return 0;
}
