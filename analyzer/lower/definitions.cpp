#include <algorithm>
#include <utility>

#include "analyzer/lower/lowerer.h"

namespace cpnlint::lower {
namespace {

// Nests of functions deeper than anyone writes would make names of quadratic length.
constexpr std::size_t kLongestQualified = 500;

}  // namespace

// The first statement of a body, where it is a string.
Node Lowerer::DocstringStatement(Node body) {
  const Node first = body.FirstNamed();
  if (!first.Is(Kind::kExpressionStatement) || first.NamedCount() != 1) return {};
  return first.FirstNamed().IsAny(Kind::kString, Kind::kConcatenatedString) ? first : Node();
}

std::string_view Lowerer::Qualified(std::string_view name) {
  const std::string_view outer = program_.functions[function_].qualified;
  std::string whole;
  if (!outer.empty() && outer.size() <= kLongestQualified) whole.append(outer).append(".");
  const std::span<char> kept = program_.qualified_names.Copy(whole.append(name));
  return {kept.data(), kept.size()};
}

Operand Lowerer::Annotation(Node type, bool evaluated) {
  std::uint8_t flags = ir::kInAnnotation;
  if (!evaluated || scopes_.future_annotations) flags |= ir::kNotEvaluated;
  const Saved<std::uint8_t> ambient(builder_.ambient_flags, static_cast<std::uint8_t>(builder_.ambient_flags | flags));
  return Expression(type);
}

// What `def f[T]` names: known as names, unknown as values.
void Lowerer::TypeParameters(Node list) {
  for (const Node parameter : list.NamedChildren()) {
    Node name = parameter;
    Node bound;
    while (name.IsAny(Kind::kType, Kind::kConstrainedType, Kind::kSplatType)) {
      if (name.Is(Kind::kConstrainedType)) bound = name.LastNamed();
      name = name.FirstNamed();
    }
    if (!name.Is(Kind::kIdentifier)) continue;
    Operands operands(*this);
    if (bound) operands.Add(Annotation(bound, false));
    WriteName(scopes_.NameOf(name), Make(OpKind::kOpaque, parameter.span(), operands.all()), name.span());
  }
}

void Lowerer::Decorated(Node node) {
  const Node definition = node.Child(Field::kDefinition);
  Operands decorators(*this);
  for (const Node child : node.NamedChildren()) {
    if (child.Is(Kind::kDecorator)) decorators.Add(Expression(child.FirstNamed()));
  }
  for (const Operand& decorator : decorators.all()) builder_.Keep(decorator.value);
  const std::vector<Operand> values(decorators.all().begin(), decorators.all().end());
  if (definition.Is(Kind::kClassDefinition)) return Class(definition, values, node.span());
  Function(definition, values, node.span());
}

// The decorators' calls, the innermost first.
Operand Lowerer::Decorate(Operand value, std::span<const Operand> decorators) {
  for (std::size_t i = decorators.size(); i-- > 0;) {
    ir::CallShape shape;
    shape.positional = 1;
    const std::uint32_t payload = program_.Intern(std::move(shape));
    value = Make(OpKind::kCall, decorators[i].span, {decorators[i], value}, payload, 0, ir::kSynthetic);
    calls_.push_back(value.value);
  }
  return value;
}

std::span<ir::ValueId> Lowerer::ValuesOf(std::span<const Operand> operands) {
  const std::span<ValueId> values = program_.values.Make(operands.size());
  std::ranges::transform(operands, values.begin(), &Operand::value);
  return values;
}

void Lowerer::Parameters(Node parameters, ir::Function& function, Operands& defaults) {
  std::vector<ir::Param> params;  // lambdas in default values have some of their own
  ir::ParamKind kind = ir::ParamKind::kPositional;
  for (const Node parameter : parameters.NamedChildren()) {
    if (parameter.Is(Kind::kPositionalSeparator)) {
      for (ir::Param& earlier : params) earlier.kind = ir::ParamKind::kPositionalOnly;
      continue;
    }
    if (parameter.Is(Kind::kKeywordSeparator)) {
      kind = ir::ParamKind::kKeywordOnly;
      continue;
    }
    ir::Param param;
    param.kind = kind;
    param.span = parameter.span();
    Node name = parameter;
    if (parameter.IsAny(Kind::kDefaultParameter, Kind::kTypedDefaultParameter)) name = parameter.Child(Field::kName);
    if (parameter.Is(Kind::kTypedParameter)) name = parameter.FirstNamed();
    if (name.Is(Kind::kListSplatPattern)) param.kind = ir::ParamKind::kVarPositional;
    if (name.Is(Kind::kDictionarySplatPattern)) param.kind = ir::ParamKind::kVarKeyword;
    if (name.Is(Kind::kListSplatPattern)) kind = ir::ParamKind::kKeywordOnly;
    if (name.IsAny(Kind::kListSplatPattern, Kind::kDictionarySplatPattern)) name = name.FirstNamed();
    // A tuple of Python 2 has no name of its own.
    param.name = name.Is(Kind::kIdentifier) ? SymbolOf(name) : program_.names.Intern(".tuple");
    if (const Node type = parameter.Child(Field::kType)) {
      param.annotation = Annotation(type, true).value;
      builder_.Keep(param.annotation);
    }
    if (const Node value = parameter.Child(Field::kValue)) {
      const Operand default_value = Expression(value);
      defaults.Add(default_value);
      param.default_value = default_value.value;
    }
    params.push_back(param);
  }
  function.params = program_.params.Copy(params);
}

Operand Lowerer::MakeFunction(Node node, ir::Function function, ScopeId scope) {
  function.module = module_;
  function.parent = function_;
  function.is_generator = scopes_.scopes[scope].is_generator;
  Operands defaults(*this);
  Parameters(node.Child(Field::kParameters), function, defaults);
  if (const Node type = node.Child(Field::kReturnType)) {
    function.return_annotation = Annotation(type, true).value;
    builder_.Keep(function.return_annotation);
  }
  const FunctionId id = program_.functions.Add(std::move(function));
  scopes_.scopes[scope].function = id;
  tasks_.push_back({id, scope, node, ir::ClassId::None()});
  const Operand value = Make(OpKind::kMakeFunction, node.span(), defaults.all(), id.index());
  program_.functions[id].made_by = value.value;
  return value;
}

void Lowerer::Function(Node node, std::span<const Operand> decorators, Span span) {
  TypeParameters(node.Child(Field::kTypeParameters));
  const Node name = node.Child(Field::kName);
  ir::Function function;
  function.name = SymbolOf(name);
  function.qualified = Qualified(name.text());
  function.span = span;
  function.name_span = name.span();
  function.is_async = node.HasToken(Kind::kTokenAsync);
  function.decorators = ValuesOf(decorators);
  const bool method = program_.functions[function_].kind == ir::Function::Kind::kClassBody;
  if (method) function.owner = program_.functions[function_].owner;
  const Operand made = MakeFunction(node, std::move(function), scopes_.ScopeOf(node));
  if (method) {
    const FunctionId id(program_.ops[made.value].payload);
    program_.classes[program_.functions[function_].owner].methods.push_back(id);
  }
  WriteName(scopes_.NameOf(name), Decorate(made, decorators), name.span());
}

Operand Lowerer::Lambda(Node node) {
  ir::Function function;
  function.kind = ir::Function::Kind::kLambda;
  function.name = program_.names.Intern("<lambda>");
  function.qualified = Qualified("<lambda>");
  function.span = node.span();
  function.name_span = {node.span().begin, node.span().begin + 6};  // the keyword
  return MakeFunction(node, std::move(function), scopes_.ScopeOf(node));
}

void Lowerer::Class(Node node, std::span<const Operand> decorators, Span span) {
  TypeParameters(node.Child(Field::kTypeParameters));
  const Node name = node.Child(Field::kName);
  const ScopeId scope = scopes_.ScopeOf(node);
  Operands operands(*this);
  const Node bases = node.Child(Field::kSuperclasses);
  for (const Node base : bases.NamedChildren()) {
    if (!base.IsAny(Kind::kKeywordArgument, Kind::kDictionarySplat)) operands.Add(Expression(base));
  }
  for (const Node base : bases.NamedChildren()) {
    if (base.IsAny(Kind::kKeywordArgument, Kind::kDictionarySplat)) operands.Add(Expression(base));
  }

  ir::Class made;
  made.module = module_;
  made.parent = function_;
  made.name = SymbolOf(name);
  made.qualified = Qualified(name.text());
  made.span = span;
  made.name_span = name.span();
  made.decorators = ValuesOf(decorators);

  ir::Function body;
  body.kind = ir::Function::Kind::kClassBody;
  body.module = module_;
  body.parent = function_;
  body.owner = ir::ClassId(program_.classes.size());
  body.name = made.name;
  body.qualified = made.qualified;
  body.span = span;
  body.name_span = made.name_span;
  made.body = program_.functions.Add(std::move(body));
  const FunctionId body_id = made.body;
  const ir::ClassId id = program_.classes.Add(std::move(made));
  scopes_.scopes[scope].function = body_id;
  tasks_.push_back({body_id, scope, node, id});
  const Operand value = Make(OpKind::kMakeClass, node.span(), operands.all(), id.index());
  program_.classes[id].made_by = value.value;
  WriteName(scopes_.NameOf(name), Decorate(value, decorators), name.span());
}

}  // namespace cpnlint::lower
