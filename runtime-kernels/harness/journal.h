#pragma once

// The partial file: a header and a line per finished benchmark, each on the disk before the next begins. So whatever
// ends a calibration, what was measured is kept, and a cut last line costs that benchmark alone.

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "runtime-kernels/harness/record.h"

namespace cpnlint::kernels {

class Journal {
 public:
  ~Journal();
  Journal() = default;
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;

  // A new file. An error where one is there already or the folder cannot be written.
  [[nodiscard]] static Result<Journal> Create(const std::string& path, std::string_view header);
  // One to go on with; its records are read. An error where it was made for something else than `header` says.
  [[nodiscard]] static Result<Journal> Reopen(const std::string& path, std::string_view header);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] bool Has(const std::string& source, const std::string& bench, int round) const;
  [[nodiscard]] Result<int> Add(Record record);
  void Remove();

 private:
  std::string path_;
  int file_ = -1;
  std::vector<Record> records_;
};

// Writes beside the place and renames: the file is there whole or not at all.
[[nodiscard]] Result<int> WriteWhole(const std::string& path, std::string_view text);

}  // namespace cpnlint::kernels
