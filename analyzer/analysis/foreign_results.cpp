#include "analyzer/analysis/foreign_results.h"

#include <algorithm>
#include <array>

namespace cpnlint::analysis {
namespace {

constexpr auto kFilters = std::to_array<std::string_view>({
    "scipy.ndimage.black_tophat",
    "scipy.ndimage.gaussian_filter",
    "scipy.ndimage.gaussian_filter1d",
    "scipy.ndimage.gaussian_gradient_magnitude",
    "scipy.ndimage.gaussian_laplace",
    "scipy.ndimage.generic_filter",
    "scipy.ndimage.grey_closing",
    "scipy.ndimage.grey_dilation",
    "scipy.ndimage.grey_erosion",
    "scipy.ndimage.grey_opening",
    "scipy.ndimage.laplace",
    "scipy.ndimage.maximum_filter",
    "scipy.ndimage.maximum_filter1d",
    "scipy.ndimage.median_filter",
    "scipy.ndimage.minimum_filter",
    "scipy.ndimage.minimum_filter1d",
    "scipy.ndimage.morphological_gradient",
    "scipy.ndimage.morphological_laplace",
    "scipy.ndimage.percentile_filter",
    "scipy.ndimage.prewitt",
    "scipy.ndimage.rank_filter",
    "scipy.ndimage.shift",
    "scipy.ndimage.sobel",
    "scipy.ndimage.uniform_filter",
    "scipy.ndimage.uniform_filter1d",
    "scipy.ndimage.white_tophat",
});
static_assert(std::ranges::is_sorted(kFilters));

// Of another type, or of one that depends on more.
constexpr auto kOthers = std::to_array<std::string_view>({
    "scipy.ndimage.binary_closing",
    "scipy.ndimage.binary_dilation",
    "scipy.ndimage.binary_erosion",
    "scipy.ndimage.binary_fill_holes",
    "scipy.ndimage.binary_opening",
    "scipy.ndimage.convolve",
    "scipy.ndimage.convolve1d",
    "scipy.ndimage.correlate",
    "scipy.ndimage.correlate1d",
    "scipy.ndimage.spline_filter",
    "scipy.ndimage.spline_filter1d",
    "scipy.signal.detrend",
    "scipy.signal.medfilt",
    "scipy.signal.medfilt2d",
    "scipy.signal.savgol_filter",
    "scipy.signal.wiener",
});
static_assert(std::ranges::is_sorted(kOthers));

}  // namespace

bool KeepsShape(std::string_view dotted) { return KeepsType(dotted) || std::ranges::binary_search(kOthers, dotted); }

bool KeepsType(std::string_view dotted) { return std::ranges::binary_search(kFilters, dotted); }

}  // namespace cpnlint::analysis
