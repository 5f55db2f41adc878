// Classes whose constructor is made of their fields: dataclasses, attrs, NamedTuple; and `collections.namedtuple`.

#include <algorithm>
#include <array>
#include <string>

#include "analyzer/analysis/attribute_bags.h"
#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/docstrings.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr auto kFieldMakers =
    std::to_array<std::string_view>({"attr.attrib", "attr.field", "attr.ib", "attrs.field", "dataclasses.field"});

// The call of a library's function as it was imported; empty for others.
std::string_view LibraryCalled(const Facts::Impl& impl, ir::ValueId id) {
  if (!id.valid() || impl.program.ops[id].kind != ir::OpKind::kCall) return {};
  const Value& callee = impl.Of(impl.program.Operand(id, 0));
  return callee.kind == Kind::kApi ? impl.names.Text(callee.name) : std::string_view();
}

bool IsFieldMaker(const Facts::Impl& impl, ir::ValueId id) {
  return std::ranges::binary_search(kFieldMakers, LibraryCalled(impl, id));
}

// `dx: ClassVar[float] = 0.1` belongs to the class, not to its objects.
bool IsClassVar(const Facts::Impl& impl, ir::ValueId annotation) {
  if (annotation.valid() && impl.program.ops[annotation].kind == ir::OpKind::kSubscript)
    annotation = impl.program.Operand(annotation, 0);
  const Value& type = impl.Of(annotation);
  return type.kind == Kind::kApi && impl.names.Text(type.name).ends_with(".ClassVar");
}

}  // namespace

// The names of the fields in the order in which the constructor takes them, those of base classes first.
std::vector<Symbol> Engine::FieldsOf(ir::ClassId class_id) const {
  constexpr std::size_t kMostFields = 64;
  std::vector<ir::ClassId> classes = {class_id};
  for (std::size_t i = 0; i < classes.size() && classes.size() < 16; ++i)
    classes.insert(classes.end(), impl_.bases[classes[i]].begin(), impl_.bases[classes[i]].end());
  std::vector<Symbol> fields;
  for (auto at = classes.rbegin(); at != classes.rend(); ++at) {
    const auto variables = variables_of_.find(*at);
    if (variables == variables_of_.end()) continue;
    for (const ir::CellId cell : variables->second) {
      const ir::ValueId only = OnlyAssigned(program_, cell);
      if (!only.valid()) continue;
      const bool annotated = program_.ops[only].kind == ir::OpKind::kAnnotate;
      if (annotated ? IsClassVar(impl_, program_.Operand(only, 1)) : !IsFieldMaker(impl_, only)) continue;
      const Symbol name = program_.cells[cell].name;
      if (std::find(fields.begin(), fields.end(), name) == fields.end()) fields.push_back(name);
      if (fields.size() == kMostFields) return fields;
    }
  }
  return fields;
}

// What a field holds by what its class says: the annotation, else the default or what the factory makes.
Value Engine::FieldValue(ir::ValueId assigned) {
  ir::ValueId made = assigned;
  if (program_.ops[assigned].kind == ir::OpKind::kAnnotate) {
    const Value annotated = FromAnnotation(impl_, program_.Operand(assigned, 1));
    if (annotated.kind != Kind::kUnknown) return annotated;
    made = program_.Operand(assigned, 0);
  }
  if (!IsFieldMaker(impl_, made)) return Unknown();
  if (const ir::ValueId type = ArgumentNamed(program_, made, "type"); type.valid()) {
    const Value promised = FromAnnotation(impl_, type);
    if (promised.kind != Kind::kUnknown) return promised;
  }
  ir::ValueId by_default = ArgumentNamed(program_, made, "default");
  ir::ValueId factory = ArgumentNamed(program_, made, "default_factory");
  if (!factory.valid()) factory = ArgumentNamed(program_, made, "factory");
  // attr.ib(default=attr.Factory(make))
  if (by_default.valid() && LibraryCalled(impl_, by_default).ends_with(".Factory")) {
    factory = program_.Operand(by_default, 1);
    by_default = {};
  }
  if (by_default.valid() && Of(by_default).kind != Kind::kNone) return Of(by_default);
  if (!factory.valid()) return Unknown();
  return MadeBy(factory, made);
}

// What the docstrings of the class and its bases say of an attribute: "Attributes", "Parameters".
const Value& Engine::DocumentedField(ir::ClassId class_id, Symbol name) {
  const auto [entry, is_new] = documented_fields_.try_emplace(SlotKey(class_id, name), ValueTable::kNothingKnown);
  if (!is_new) return Kept(entry->second);
  std::vector<ir::ClassId> classes = {class_id};
  for (std::size_t i = 0; i < classes.size() && i < 16; ++i) {
    const std::string_view docstring = program_.functions[program_.classes[classes[i]].body].docstring;
    const Documented said = docstring.empty() ? Documented() : DocumentedOf(docstring, impl_.names.Text(name));
    if (!said.type.empty()) {
      entry->second = impl_.values.Keep(FromDocumentedType(store_, said.type));
      break;
    }
    classes.insert(classes.end(), impl_.bases[classes[i]].begin(), impl_.bases[classes[i]].end());
  }
  return Kept(entry->second);
}

// `State(u, v, n=4)` of a class without a constructor of its own: the arguments become its fields. `replace(state,
// n=5)` names those that it changes.
void Engine::StoreFields(ir::ValueId id, const ir::Op& op, ir::ClassId class_id, Fields which) {
  const ir::CallShape& shape = program_.Shape(op);
  if (shape.positional == 0 && shape.keywords.empty()) return;
  const std::vector<Symbol> fields = FieldsOf(class_id);
  for (std::uint32_t i = 0; which == Fields::kAll && i < shape.positional && i < fields.size(); ++i) {
    const ir::ValueId argument = program_.Operand(id, 1 + i);
    if (program_.ops[argument].kind == ir::OpKind::kStarred) return;
    StoreInto(class_id, fields[i], argument);
  }
  const bool any = TakesAnyField(impl_, class_id);
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    const Symbol name = shape.keywords[i];
    if (!name.valid() || (!any && std::find(fields.begin(), fields.end(), name) == fields.end())) continue;
    StoreInto(class_id, name, program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i)));
  }
}

// `pos, vel = particle` and `particle[0]` of a NamedTuple.
std::optional<Value> Engine::FieldAt(ir::ValueId id, const Value& object, std::size_t index) {
  const std::vector<Symbol> fields = FieldsOf(object.class_id);
  if (index >= fields.size()) return std::nullopt;
  return InstanceAttribute(id, object, fields[index]);
}

// The field names that `namedtuple("Point", "x, y")` or `namedtuple("Point", ["x", "y"])` gives.
std::vector<std::string> Engine::NamesOfTuple(ir::ValueId call) const {
  const ir::ValueId said = program_.Operand(call, 2);
  std::vector<std::string> names;
  if (!said.valid()) return names;
  const ir::Op& op = program_.ops[said];
  if (op.kind == ir::OpKind::kStr) {
    std::string name;
    for (const char c : std::string(program_.String(op)) + " ") {
      if (c != ' ' && c != ',' && c != '\n' && c != '\t') {
        name += c;
      } else if (!name.empty()) {
        names.push_back(std::exchange(name, {}));
      }
    }
    return names;
  }
  if (op.kind != ir::OpKind::kList && op.kind != ir::OpKind::kTuple) return names;
  for (const ir::ValueId one : program_.Operands(said)) {
    if (!one.valid() || program_.ops[one].kind != ir::OpKind::kStr) return {};
    names.emplace_back(program_.String(program_.ops[one]));
  }
  return names;
}

// A call of what `collections.namedtuple` gave: a tuple whose `name` lists its fields, each between spaces.
Value Engine::NamedTuple(ir::ValueId id, const ir::Op& op, ir::ValueId made) {
  const std::vector<std::string> names = NamesOfTuple(made);
  const Handing given = ArgumentsOf(id, op, 0);
  std::vector<Value> elements(names.size(), Unknown());
  std::string all = " ";
  for (const std::string& name : names) all += name + " ";
  for (std::size_t i = 0; i < given.positional.size() && i < names.size(); ++i) elements[i] = given.positional[i].value;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const ir::ValueId argument = ArgumentNamed(program_, id, names[i]); argument.valid())
      elements[i] = Of(argument);
  }
  if (names.empty()) return Unknown();
  Value tuple = Tuple(store_, std::move(elements));
  tuple.name = impl_.names.Intern(all);
  return tuple;
}

// `result.x` of such a tuple.
std::optional<Value> Engine::FieldNamed(const Value& tuple, Symbol field) const {
  if (!tuple.name.valid() || !tuple.elements.valid()) return std::nullopt;
  const std::string_view all = impl_.names.Text(tuple.name);
  const std::size_t at = all.find(" " + std::string(impl_.names.Text(field)) + " ");
  if (at == std::string_view::npos) return std::nullopt;
  const auto index =
      static_cast<std::size_t>(std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), ' '));
  const std::vector<Value>& elements = store_.Get(tuple.elements);
  return index < elements.size() ? std::optional(elements[index]) : std::nullopt;
}

}  // namespace cpnlint::analysis
