#include "analyzer/analysis/foreign_looks.h"

#include <algorithm>
#include <array>

namespace cpnlint::analysis {

bool ReadsNoItems(std::string_view dotted) {
  static constexpr auto kRecords =
      std::to_array<std::string_view>({"Bunch", "OdeResult", "OptimizeResult", "RootResults", "_RichResult"});
  static constexpr auto kOfLearn = std::to_array<std::string_view>(
      {"_check_n_features", "_is_arraylike", "_is_arraylike_not_scalar", "_num_features", "_num_samples",
       "check_consistent_length", "check_is_fitted", "check_random_state", "clone", "gen_batches", "get_tags",
       "has_fit_parameter", "is_classifier", "is_clusterer", "is_outlier_detector", "is_regressor"});
  static_assert(std::ranges::is_sorted(kOfLearn));
  const std::string_view library = dotted.substr(0, dotted.find('.'));
  const std::string_view last = dotted.substr(dotted.rfind('.') + 1);
  if (std::ranges::find(kRecords, last) != kRecords.end()) return true;
  if (library == "sklearn" || library == "imblearn") return std::ranges::binary_search(kOfLearn, last);
  if (library == "scipy") {
    if (last == "append") return true;  // to a list that a result holds: no object of SciPy's own has that method
    return dotted.starts_with("scipy.sparse.") && (last == "issparse" || last.starts_with("isspmatrix"));
  }
  return library == "pandas" && dotted.starts_with("pandas.api.types.is_");
}

}  // namespace cpnlint::analysis
