#pragma once

// Times, sizes and counts as people read them.

#include <string>

namespace cpnlint {

// "4.1 ms", "285 us", "12 min", "20 days": two significant digits, three from 100 on.
[[nodiscard]] std::string SecondsText(double seconds);
// "934 KB", "2.1 GB", likewise.
[[nodiscard]] std::string BytesText(double bytes);
// "16384", "1.6e6": as a user writes it.
[[nodiscard]] std::string CountText(double count);

}  // namespace cpnlint
