#include "analyzer/analysis/other_libraries.h"

#include <algorithm>
#include <array>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr auto kArrayLibraries = std::to_array<std::string_view>({
    "aesara",
    "cupy",
    "cupyx",
    "jax",
    "mlx",
    "mxnet",
    "paddle",
    "pytensor",
    "tensorflow",
    "theano",
    "torch",
});
static_assert(std::ranges::is_sorted(kArrayLibraries));

std::string_view TopOf(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }
std::string_view LastOf(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

bool IsArrayLibrary(std::string_view top) { return std::ranges::binary_search(kArrayLibraries, top); }

// Take what NumPy has made, make layers and optimizers, or compute nothing: `torch.from_numpy(x)`, `torch.no_grad()`.
bool ComputesNothing(std::string_view dotted) {
  for (const std::string_view module : {"torch.backends", "torch.cuda", "torch.optim", "torch.utils"}) {
    if (StartsWithModule(dotted, module)) return true;
  }
  if (StartsWithModule(dotted, "torch.nn") && !StartsWithModule(dotted, "torch.nn.functional")) return true;
  constexpr auto kNames = std::to_array<std::string_view>({"FloatTensor",
                                                           "LongTensor",
                                                           "Tensor",
                                                           "array",
                                                           "as_tensor",
                                                           "asarray",
                                                           "asnumpy",
                                                           "constant",
                                                           "convert_to_tensor",
                                                           "device",
                                                           "device_get",
                                                           "device_put",
                                                           "from_numpy",
                                                           "grad",
                                                           "inference_mode",
                                                           "is_tensor",
                                                           "jit",
                                                           "load",
                                                           "manual_seed",
                                                           "no_grad",
                                                           "save",
                                                           "set_default_dtype",
                                                           "tensor",
                                                           "variable",
                                                           "vmap"});
  return std::ranges::find(kNames, LastOf(dotted)) != kNames.end();
}

}  // namespace

Library LibraryOfArrayType(std::string_view dotted) {
  const std::string_view top = TopOf(dotted), last = LastOf(dotted);
  if (!IsArrayLibrary(top)) return Library::kNone;
  const bool array = last.ends_with("Tensor") || IsOneOf(last, {"Array", "NDArray", "ndarray", "TensorVariable"});
  if (!array) return Library::kNone;
  if (top == "torch") return Library::kTorch;
  if (top == "jax") return Library::kJax;
  return top == "cupy" ? Library::kCupy : Library::kOther;
}

bool NamesOtherArrays(std::string_view type) {
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"cp.ndarray", "cupy.ndarray", "da.Array", "dask array", "dask.array", "jax.Array", "jax.numpy.ndarray",
       "jnp.ndarray", "mx.nd.NDArray", "mxnet.nd.NDArray", "tf.Tensor", "torch.BoolTensor", "torch.FloatTensor",
       "torch.IntTensor", "torch.LongTensor", "torch.Tensor", "torch.tensor"});
  return std::ranges::any_of(kTypes, [&](std::string_view name) { return type.find(name) != std::string_view::npos; });
}

bool ComputesElsewhere(const Facts::Impl& impl, ir::FunctionId function) {
  const ir::Program& program = impl.program;
  const ir::Function& record = program.functions[function];
  for (std::size_t i = record.first_op.index(); i < record.end_op.index(); ++i) {
    const ir::ValueId id(i);
    if (program.ops[id].kind != ir::OpKind::kCall) continue;
    const Value& callee = impl.Of(program.Operand(id, 0));
    if (callee.kind != Kind::kApi || callee.library == Library::kDevice) continue;
    const std::string_view name = impl.names.Text(callee.name);
    if (IsArrayLibrary(TopOf(name)) && !ComputesNothing(name)) return true;
  }
  return false;
}

}  // namespace cpnlint::analysis
