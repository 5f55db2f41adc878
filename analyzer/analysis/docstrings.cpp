#include "analyzer/analysis/docstrings.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/analysis/other_libraries.h"

namespace cpnlint::analysis {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

namespace {

Value LikelyArray(EvidenceSet evidence) {
  return Array(Library::kDevice, ir::DType::kUnknown, ShapeId::None(), evidence);
}

bool HasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool left = at == 0 || !IsNameChar(text[at - 1]);
    const std::size_t end = at + word.size();
    if (left && (end == text.size() || !IsNameChar(text[end]))) return true;
  }
  return false;
}

std::string_view NextLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return line;
}

std::size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// The lines that follow and are indented deeper than the parameter's own; `rest` starts behind that.
std::string_view DeeperLines(std::string_view rest, std::size_t indent) {
  const std::string_view all = rest;
  while (!rest.empty()) {
    std::string_view after = rest;
    const std::string_view line = NextLine(after);
    if (!Trim(line).empty() && IndentOf(line) <= indent) break;
    rest = after;
  }
  return all.substr(0, all.size() - rest.size());
}

constexpr std::int64_t kLongestStatedExtent = 1'000'000;

// "(N, 2)" as extents, numbers where they are numbers; nullopt where it is no shape: "(optional)", "(..., 3)".
std::optional<std::vector<std::optional<std::int64_t>>> ExtentsOf(std::string_view text) {
  std::vector<std::optional<std::int64_t>> extents;
  bool trailing_comma = false;
  while (!Trim(text).empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = Trim(text.substr(0, comma));
    trailing_comma = comma != std::string_view::npos;
    text = trailing_comma ? text.substr(comma + 1) : std::string_view();
    if (part.empty() || extents.size() == 8) return std::nullopt;
    const bool number = std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool name = std::all_of(part.begin(), part.end(),
                                  [](char c) { return IsNameChar(c) || c == '+' || c == '-' || c == '*' || c == ' '; });
    if (!name || part.size() > 40) return std::nullopt;
    if (!number) {
      extents.emplace_back();
      continue;
    }
    std::int64_t extent = 0;
    for (const char digit : part) extent = std::min(kLongestStatedExtent, extent * 10 + (digit - '0'));
    extents.emplace_back(extent);
  }
  if (extents.empty() || (extents.size() == 1 && !trailing_comma && !extents[0])) return std::nullopt;  // "(optional)"
  return extents;
}

// "N x 3 matrix", "n x n x n array": the extents, as they are written; empty where the words say nothing of the kind.
std::vector<std::string_view> StatedProduct(std::string_view words) {
  constexpr auto kArrays = std::to_array<std::string_view>({"array", "matrix", "ndarray", "vector"});
  std::vector<std::string_view> extents;
  for (bool by = false; extents.size() < 8 && !words.empty(); by = !by) {
    const std::string_view word = words.substr(0, words.find(' '));
    words = Trim(words.substr(word.size()));
    if (by && word != "x") {
      const bool array = extents.size() > 1 && std::ranges::find(kArrays, word) != kArrays.end();
      return array ? extents : std::vector<std::string_view>();
    }
    if (!by && !std::ranges::all_of(word, IsNameChar)) return {};
    if (!by) extents.push_back(word);
  }
  return {};
}

// Words that speak of an array, whichever way.
constexpr auto kArrayWords = std::to_array<std::string_view>({
    "Array",   "ArrayLike", "NDArray", "array",  "array_like", "arrays", "data",    "field",
    "grid",    "image",     "images",  "like",   "matrices",   "matrix", "ndarray", "ndarrays",
    "numeric", "signal",    "tensor",  "vector", "vectors",    "volume",
});

constexpr auto kSparseFormats = std::to_array<std::string_view>({"bsr", "coo", "csc", "csr", "dia", "dok", "lil"});

// "array-like" is a word of its own.
bool NamesArray(std::string_view type) {
  constexpr std::string_view kArray = "array", kLike = "-like";
  if (HasWord(type, "ndarray") || HasWord(type, "NDArray")) return true;
  for (std::size_t at = type.find(kArray); at != std::string_view::npos; at = type.find(kArray, at + 1)) {
    const std::string_view after = type.substr(at + kArray.size());
    const bool word = (at == 0 || !IsNameChar(type[at - 1])) && (after.empty() || !IsNameChar(after.front()));
    if (word && !after.starts_with(kLike)) return true;
  }
  return false;
}

bool NamesSparse(std::string_view type) {
  if (type.find("sparse") != std::string_view::npos) return true;
  return std::ranges::any_of(kSparseFormats, [&](std::string_view format) {
    return HasWord(type, std::string(format) + "_matrix") || HasWord(type, std::string(format) + "_array");
  });
}

// "ndarray of strings", "array[Ket]": what the items are, where they are no numbers.
ir::DType DocumentedItems(std::string_view type) {
  std::string_view word;
  if (const std::size_t bracket = type.find("array["); bracket != std::string_view::npos) {
    word = type.substr(bracket + 6);
  } else if (const std::size_t of = type.find(" of "); of != std::string_view::npos) {
    word = type.substr(of + 4);
  }
  std::size_t end = 0;
  while (end < word.size() && IsNameChar(word[end])) ++end;
  const std::string_view after = word.substr(end);
  word = word.substr(0, end);
  if (word == "str" || word == "string" || word == "strings") return ir::DType::kString;
  if (word == "bytes") return ir::DType::kBytes;
  if (word == "object" || word == "objects") return ir::DType::kObject;
  // "array[Ket]", but neither "array[N]" nor "array[Float]" nor "array of Doubles".
  constexpr auto kNumbers = std::to_array<std::string_view>(
      {"Any", "Bool", "Complex", "Double", "Float", "Int", "Number", "Real", "Scalar", "UInt"});
  const bool of_class = word.size() > 2 && after.starts_with(']') && word[0] >= 'A' && word[0] <= 'Z' &&
                        std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  const bool numbers = std::ranges::any_of(kNumbers, [&](std::string_view name) { return word.starts_with(name); });
  return of_class && !numbers ? ir::DType::kObject : ir::DType::kUnknown;
}

// "List[np.ndarray]", "Optional[Sequence[np.ndarray]]", "dict[str, ndarray]": what is written like an annotation, and
// what it holds. kUnknown where it is nothing of that form.
Value BracketedContainer(ValueStore& store, std::string_view type) {
  while (!type.empty() && (type.front() == '`' || type.front() == '(' || type.front() == ' ')) type.remove_prefix(1);
  for (const std::string_view around : {"Optional[", "Union[", "typing."}) {
    if (type.starts_with(around)) type.remove_prefix(around.size());
  }
  const std::size_t bracket = type.find('[');
  if (bracket == std::string_view::npos || !std::all_of(type.begin(), type.begin() + bracket, IsNameChar))
    return Unknown();
  const Value container = FromTypeName(type.substr(0, bracket), kDocumented);
  const bool holds = container.kind == Kind::kList || container.kind == Kind::kTuple || container.kind == Kind::kDict ||
                     container.kind == Kind::kIterator || container.kind == Kind::kSet;
  const std::string_view inside = type.substr(bracket + 1);
  if (!holds || !NamesArray(inside)) return Unknown();
  const bool arrays = inside.find('[') == std::string_view::npos && !NamesOtherArrays(inside);
  if (!arrays) return container;
  Value value = ContainerOf(store, container.kind, LikelyArray(kDocumented));
  value.evidence = kDocumented;
  return value;
}

// "int, length of the array", "Callable, called on the values array": the type, without the words about it. Other
// types may follow, too: "float, ndarray".
std::string_view WithoutRemark(std::string_view type) {
  constexpr int kWordsOfType = 2;
  constexpr auto kPlain = std::to_array<std::string_view>(
      {"Callable", "bool", "callable", "dict", "float", "function", "int", "integer", "str", "string"});
  const std::size_t comma = type.find(',');
  std::string_view head = Trim(type.substr(0, comma));
  if (head.starts_with("Optional[") && head.ends_with(']')) head = head.substr(9, head.size() - 10);
  if (comma == std::string_view::npos || !NamesArray(type)) return type;
  if (std::ranges::find(kPlain, head) == kPlain.end()) return type;
  std::string_view rest = Trim(type.substr(comma + 1));
  if (HasWord(rest, "or")) return type;
  for (int words = 0; words < kWordsOfType; ++words) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (NamesArray(word)) return type;
    rest = Trim(rest.substr(word.size()));
  }
  return head;
}

// "list of ndarrays", "tuple of arrays": kUnknown where it is nothing of that form.
Value ContainerOfArrays(ValueStore& store, std::string_view type) {
  const std::string_view first = type.substr(0, type.find(' '));
  if (!HasWord(type, "of") || HasWord(type, "or")) return Unknown();
  if (!NamesArray(type) && !HasWord(type, "arrays") && !HasWord(type, "ndarrays")) return Unknown();
  Kind kind = Kind::kUnknown;
  if (first == "list" || first == "List") kind = Kind::kList;
  if (first == "tuple" || first == "Tuple") kind = Kind::kTuple;
  if (kind == Kind::kUnknown) return Unknown();
  Value value = ContainerOf(store, kind, LikelyArray(kDocumented));
  value.evidence = kDocumented;
  return value;
}

// A line of its own that is a type and no sentence: "ndarray", "(N, M) array of float".
bool IsBareType(std::string_view line) {
  return !line.empty() && line.size() <= 60 && line.back() != '.' && std::count(line.begin(), line.end(), ' ') <= 6;
}

bool IsUnderline(std::string_view line) {
  line = Trim(line);
  return line.size() >= 3 && line.find_first_not_of("-=") == std::string_view::npos;
}

// Adds what one entry of a numpydoc section says: "x, y : ndarray", "ndarray".
void AddResults(ValueStore& store, std::string_view line, std::vector<Value>& results) {
  std::size_t names = 1;
  std::string_view type = line;
  if (const std::size_t colon = line.find(" : "); colon != std::string_view::npos) {
    const std::string_view before = line.substr(0, colon);
    if (!before.starts_with('(')) names += static_cast<std::size_t>(std::count(before.begin(), before.end(), ','));
    type = Trim(line.substr(colon + 3));
  } else if (const std::size_t short_colon = line.find(": ");
             short_colon != std::string_view::npos &&
             std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(short_colon), IsNameChar)) {
    type = Trim(line.substr(short_colon + 2));
  } else if (!IsBareType(line)) {
    type = {};
  }
  const Value value = type.empty() ? Unknown() : FromDocumentedType(store, type);
  results.insert(results.end(), std::min<std::size_t>(names, 8), value);
}

// `rest` starts below the underlined header.
std::vector<Value> NumpydocResults(ValueStore& store, std::string_view rest, std::size_t indent) {
  std::vector<Value> results;
  while (!rest.empty() && results.size() < 16) {
    const std::string_view whole = NextLine(rest);
    const std::string_view line = Trim(whole);
    if (line.empty()) continue;
    if (IndentOf(whole) < indent) break;
    if (IndentOf(whole) > indent) continue;
    std::string_view after = rest;
    if (IsUnderline(NextLine(after))) break;  // the next section
    AddResults(store, line, results);
  }
  return results;
}

}  // namespace

Value FromTypeName(std::string_view name, EvidenceSet evidence) {
  const std::size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (last == "ndarray" || last == "NDArray") return LikelyArray(evidence);
  if (last == "ArrayLike" || last == "array_like") {
    return LikelyArray(static_cast<EvidenceSet>(evidence | kContradicted));
  }
  Value value = Unknown();
  if (last == "int") value = Of(Kind::kInt);
  if (last == "float") value = Of(Kind::kFloat);
  if (last == "complex") value = Of(Kind::kComplex);
  if (last == "bool") value = Of(Kind::kBool);
  if (last == "str" || last == "string") value = Of(Kind::kStr);
  if (last == "bytes") value = Of(Kind::kBytes);
  if (last == "list" || last == "List" || last == "Sequence" || last == "MutableSequence" || last == "Deque")
    value = Of(Kind::kList);
  if (last == "Iterable" || last == "Iterator" || last == "Collection") value = Of(Kind::kIterator);
  if (last == "tuple" || last == "Tuple") value = Of(Kind::kTuple);
  if (last == "dict" || last == "Dict" || last == "Mapping" || last == "MutableMapping" || last == "DefaultDict" ||
      last == "OrderedDict")
    value = Of(Kind::kDict);
  if (last == "set" || last == "Set") value = Of(Kind::kSet);
  if (value.kind != Kind::kUnknown) value.evidence = evidence;
  return value;
}

Value FromDocumentedType(ValueStore& store, std::string_view type) {
  type = WithoutRemark(Trim(type.substr(0, type.find(" -- "))));
  // scipy.sparse has the attributes of arrays, but its matrices are host objects.
  if (NamesSparse(type)) {
    Value value = Of(Kind::kForeign);
    value.evidence = kDocumented;
    return value;
  }
  if (const Value container = BracketedContainer(store, type); container.kind != Kind::kUnknown) return container;
  if (NamesOtherArrays(type)) {  // "torch.Tensor", "np.ndarray or torch.Tensor"
    const bool ours =
        HasWord(type, "np") || (HasWord(type, "numpy") && type.find("jax.numpy") == std::string_view::npos);
    if (ours) return LikelyArray(kDocumented | kContradicted);
    return Array(Library::kOther, ir::DType::kUnknown, ShapeId::None(), kDocumented);
  }
  if (const Value container = ContainerOfArrays(store, type); container.kind != Kind::kUnknown) return container;
  const bool several = HasWord(type, "or") || HasWord(type, "list") || HasWord(type, "tuple") ||
                       HasWord(type, "scalar") || HasWord(type, "dict") || HasWord(type, "DataFrame") ||
                       HasWord(type, "callable") || HasWord(type, "Iterable") || HasWord(type, "iterable") ||
                       HasWord(type, "sequence") || HasWord(type, "Sequence") || HasWord(type, "List") ||
                       HasWord(type, "Union");
  if (NamesArray(type) || !StatedProduct(type).empty()) {
    Value value = LikelyArray(several ? kDocumented | kContradicted : kDocumented);
    value.dtype = DocumentedItems(type);
    if (HasWord(type, "of arrays") || HasWord(type, "of lists") || HasWord(type, "of tuples") ||
        HasWord(type, "of dicts"))
      value.evidence |= kContradicted;
    return value;
  }
  if (HasWord(type, "array_like") || HasWord(type, "array-like")) return LikelyArray(kDocumented | kContradicted);
  const std::string_view first = type.substr(0, type.find_first_of(" ,.("));
  return several ? Unknown() : FromTypeName(first, kDocumented);
}

bool PromisesOther(std::string_view type) {
  const bool words = std::any_of(type.begin(), type.end(), [](char c) { return IsNameChar(c); });
  if (!words || type == "optional" || type.find_first_of("([{0123456789") != std::string_view::npos) return false;
  return std::ranges::none_of(kArrayWords, [&](std::string_view word) { return HasWord(type, word); });
}

Documented DocumentedOf(std::string_view docstring, std::string_view name) {
  for (std::string_view rest = docstring; !rest.empty();) {
    const std::string_view whole = NextLine(rest);
    std::string_view line = Trim(whole);
    if (line.starts_with(":type ")) {
      line.remove_prefix(6);
      if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ':')
        return {Trim(line.substr(name.size() + 1)), {}};
      continue;
    }
    if (line.starts_with(":param ")) {
      const std::size_t colon = line.find(':', 1);
      if (colon == std::string_view::npos) continue;
      const std::string_view middle = Trim(line.substr(7, colon - 7));
      const std::size_t space = middle.rfind(' ');
      if (space != std::string_view::npos && middle.substr(space + 1) == name)
        return {Trim(middle.substr(0, space)), line.substr(colon + 1)};
      continue;
    }
    // "x is an N x 3 matrix of positions", in words.
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ' ') {
      const std::string_view words = Trim(line.substr(name.size()));
      for (const std::string_view is : {"is an ", "is a ", "is the "}) {
        if (words.starts_with(is) && !StatedProduct(words.substr(is.size())).empty())
          return {Trim(words.substr(is.size())), {}};
      }
    }
    // numpydoc allows `x, y : ndarray`.
    const std::size_t colon = line.find(" : ");
    if (colon != std::string_view::npos) {
      std::string_view names = line.substr(0, colon);
      while (!names.empty()) {
        const std::size_t comma = names.find(',');
        if (Trim(names.substr(0, comma)) == name)
          return {Trim(line.substr(colon + 3)), DeeperLines(rest, IndentOf(whole))};
        names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
      }
    }
    if (line.starts_with(name) && line.substr(name.size()).starts_with(" (")) {
      const std::size_t close = line.rfind("):");
      if (close == std::string_view::npos) continue;
      const std::string_view words = line.substr(close + 2);
      return {Trim(line.substr(name.size() + 2, close - name.size() - 2)),
              Trim(words).empty() ? DeeperLines(rest, IndentOf(whole)) : words};
    }
  }
  return {};
}

Value DocumentedResult(ValueStore& store, std::string_view docstring) {
  std::vector<Value> results;
  for (std::string_view rest = docstring; !rest.empty();) {
    const std::string_view whole = NextLine(rest);
    const std::string_view line = Trim(whole);
    if (line.starts_with(":rtype:")) return FromDocumentedType(store, Trim(line.substr(7)));
    if (line == "Returns:") {  // Google: "np.ndarray: words"
      std::string_view entry;
      while (!rest.empty() && Trim(entry).empty()) entry = NextLine(rest);
      const std::size_t colon = entry.find(": ");
      if (IndentOf(entry) <= IndentOf(whole) || colon == std::string_view::npos) return Unknown();
      const std::string_view type = Trim(entry.substr(0, colon));
      return IsBareType(type) ? FromDocumentedType(store, type) : Unknown();
    }
    if (line != "Returns") continue;
    std::string_view below = rest;
    if (!IsUnderline(NextLine(below))) continue;
    results = NumpydocResults(store, below, IndentOf(whole));
    break;
  }
  if (results.empty()) return Unknown();
  return results.size() == 1 ? results.front() : Tuple(store, std::move(results));
}

// "(3,) | (n, 3)": one or the other.
static bool IsOtherShape(std::string_view behind) {
  return behind.starts_with('|') && Trim(behind.substr(1)).starts_with('(');
}

std::optional<std::vector<std::optional<std::int64_t>>> StatedShape(const Documented& documented) {
  const std::string_view type = documented.type;
  if (type.size() > 3 && type[0] >= '1' && type[0] <= '9' && type[1] == 'x' && type[2] >= '1' && type[2] <= '9' &&
      type[3] == ' ') {
    return std::vector<std::optional<std::int64_t>>{type[0] - '0', type[2] - '0'};  // "4x4 ndarray"
  }
  if (const std::vector<std::string_view> product = StatedProduct(type); !product.empty()) {
    std::vector<std::optional<std::int64_t>> extents;
    for (const std::string_view extent : product) {
      const bool number = std::ranges::all_of(extent, [](char c) { return c >= '0' && c <= '9'; }) && extent.size() < 7;
      extents.push_back(number ? std::optional(std::stoll(std::string(extent))) : std::nullopt);
    }
    return extents;
  }
  // "ndarray(float, ndim=2)"
  if (const std::size_t axes = type.find("ndim="); axes != std::string_view::npos && !HasWord(type, "or")) {
    const std::string_view count = type.substr(axes + 5);
    const bool one_digit =
        !count.empty() && count[0] >= '1' && count[0] <= '6' && (count.size() == 1 || count[1] < '0' || count[1] > '9');
    if (one_digit) return std::vector<std::optional<std::int64_t>>(static_cast<std::size_t>(count[0] - '0'));
  }
  if (type.starts_with('(')) {
    const std::size_t close = type.find(')');
    if (close == std::string_view::npos || HasWord(type, "or")) return std::nullopt;
    if (IsOtherShape(Trim(type.substr(close + 1)))) return std::nullopt;
    return ExtentsOf(type.substr(1, close - 1));
  }
  for (const std::string_view text : {type, documented.words}) {
    const std::size_t at = text.find("shape");
    if (at == std::string_view::npos) continue;
    if (text.find("shape", at + 5) != std::string_view::npos || HasWord(type, "or")) return std::nullopt;
    std::string_view after = text.substr(at + 5);
    while (!after.empty() && (after[0] == ' ' || after[0] == '=' || after[0] == ':' || after[0] == '`')) {
      after.remove_prefix(1);
    }
    const std::size_t close = after.find(')');
    if (!after.starts_with('(') || close == std::string_view::npos) return std::nullopt;
    const std::string_view behind = Trim(after.substr(close + 1));
    if (behind.starts_with("or ") || behind.starts_with("if ") || IsOtherShape(behind)) return std::nullopt;
    return ExtentsOf(after.substr(1, close - 1));
  }
  return std::nullopt;
}

std::optional<std::int64_t> NamedItems(std::string_view docstring) {
  docstring = Trim(docstring);
  const std::string_view line = Trim(NextLine(docstring));
  const std::size_t open = line.find('['), close = line.find(']', std::min(open, line.size()));
  if (!line.starts_with("Return") || close == std::string_view::npos) return std::nullopt;
  std::int64_t items = 0;
  for (std::string_view rest = line.substr(open + 1, close - open - 1); !rest.empty(); ++items) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = Trim(rest.substr(0, comma));
    if (item.empty() || !std::ranges::all_of(item, IsNameChar) || (item[0] >= '0' && item[0] <= '9'))
      return std::nullopt;
    rest = rest.substr(std::min(comma + 1, rest.size()));
  }
  return items >= 2 ? std::optional(items) : std::nullopt;
}

namespace {

// "3x3 array", "4 x 4 matrix" in a sentence.
std::optional<std::int64_t> SquareInWords(std::string_view words) {
  const auto is_side = [&](std::size_t at) { return at < words.size() && words[at] >= '2' && words[at] <= '9'; };
  for (std::size_t at = words.find('x'); at != std::string_view::npos; at = words.find('x', at + 1)) {
    const std::size_t space = at > 0 && words[at - 1] == ' ' ? 1 : 0;
    if (at < 1 + space || !is_side(at - 1 - space) || !is_side(at + 1 + space)) continue;
    const std::size_t before = at - 1 - space, after = at + 1 + space;
    if (words[before] != words[after] || (before > 0 && IsNameChar(words[before - 1]))) continue;
    const std::string_view rest = words.substr(after + 1);
    if (rest.starts_with(" array") || rest.starts_with(" matrix") || rest.starts_with(" matrices") ||
        rest.starts_with(" ndarray"))
      return words[before] - '0';
  }
  return std::nullopt;
}

// What stands below "Returns", of one result; empty where there are several, or no such section.
Documented DocumentedReturn(std::string_view docstring) {
  for (std::string_view rest = docstring; !rest.empty();) {
    const std::string_view whole = NextLine(rest), line = Trim(whole);
    if (line.starts_with(":return: ") || line.starts_with(":returns: "))
      return {Trim(line.substr(line.find(' '))), DeeperLines(rest, IndentOf(whole))};
    std::string_view below = rest;
    const bool numpydoc = line == "Returns" && IsUnderline(NextLine(below));
    if (line != "Returns:" && !numpydoc) continue;
    if (!numpydoc) below = rest;
    const std::string_view entry = NextLine(below);
    if (Trim(entry).empty() || IndentOf(entry) < IndentOf(whole) + (numpydoc ? 0 : 1)) return {};
    const std::string_view words = DeeperLines(below, IndentOf(entry));
    std::string_view after = below.substr(words.size());
    const std::string_view next = Trim(NextLine(after));
    if (!next.empty() && !IsUnderline(NextLine(after))) return {};  // another result
    const std::size_t colon = entry.find(numpydoc ? " : " : ": ");
    const std::string_view type = colon == std::string_view::npos ? entry : entry.substr(entry.find(' ', colon + 1));
    return {Trim(type), words};
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> StatedSide(std::string_view docstring, bool alone) {
  Documented said = DocumentedReturn(docstring);
  if (said.type.empty() && alone) said = {{}, docstring};
  if (said.type.empty() && said.words.empty()) return std::nullopt;
  const auto shape = StatedShape(said);
  if (!shape) {
    const auto square = SquareInWords(said.type);
    return square ? square : SquareInWords(said.words);
  }
  const bool same = std::ranges::all_of(*shape, [&](const auto& extent) { return extent && extent == shape->front(); });
  return same ? shape->front() : std::nullopt;
}

bool CountsAxes(std::string_view words) {
  const std::size_t number = words.find("umber of ");
  const std::size_t dimensions = words.find("dimensions", number == std::string_view::npos ? words.size() : number);
  if (dimensions == std::string_view::npos || dimensions - number > 40) return false;
  words = words.substr(number, words.find_first_of(".\n", dimensions) - number);
  return HasWord(words, "image") || HasWord(words, "array") || HasWord(words, "volume") || HasWord(words, "grid");
}

}  // namespace cpnlint::analysis
