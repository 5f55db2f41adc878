#include "runtime-kernels/harness/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace cpnlint::kernels {
namespace {

std::string Reason(int error) { return std::generic_category().message(error); }

// errno of the failure, or 0. On the disk when it returns.
int WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), records_(std::move(other.records_)) {}

Journal::~Journal() {
  if (file_ >= 0) close(file_);
}

Result<Journal> Journal::Create(const std::string& path, std::string_view header) {
  Journal journal;
  journal.path_ = path;
  journal.file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (journal.file_ < 0 && errno == EEXIST) {
    return Fail("`" + path + "` holds an interrupted calibration: go on with --resume, or delete it");
  }
  if (journal.file_ < 0) return Fail("cannot write `" + path + "`: " + Reason(errno));
  if (const int error = WriteAll(journal.file_, std::string(header) + "\n"); error != 0) {
    journal.Remove();
    return Fail("cannot write `" + path + "`: " + Reason(error));
  }
  return journal;
}

Result<Journal> Journal::Reopen(const std::string& path, std::string_view header) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail("there is nothing to resume: cannot read `" + path + "`");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Journal journal;
  journal.path_ = path;
  bool first = true;
  std::size_t whole = 0;  // bytes of complete lines
  for (std::size_t start = 0, end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    const std::string_view line = std::string_view(text).substr(start, end - start);
    if (first && line != header) {
      return Fail("`" + path + "` is of another machine, effort, backend or version: delete it to start anew");
    }
    if (!first) {
      auto record = FromLine(line);
      if (!record) return Fail("`" + path + "` is damaged (" + record.error().message + "): delete it to start anew");
      journal.records_.push_back(std::move(*record));
    }
    first = false;
    start = whole = end + 1;
  }
  if (first) return Fail("`" + path + "` is no interrupted calibration: delete it to start anew");
  journal.file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (journal.file_ < 0 || ftruncate(journal.file_, static_cast<off_t>(whole)) != 0) {
    return Fail("cannot write `" + path + "`: " + Reason(errno));
  }
  return journal;
}

bool Journal::Has(const std::string& source, const std::string& bench, int round) const {
  for (const Record& record : records_) {
    if (record.source == source && record.bench == bench && record.round == round) return true;
  }
  return false;
}

Result<int> Journal::Add(Record record) {
  if (const int error = WriteAll(file_, ToLine(record) + "\n"); error != 0) {
    return Fail("cannot write `" + path_ + "`: " + Reason(error));
  }
  records_.push_back(std::move(record));
  return 0;
}

void Journal::Remove() {
  if (file_ >= 0) close(file_);
  file_ = -1;
  unlink(path_.c_str());
}

Result<int> WriteWhole(const std::string& path, std::string_view text) {
  std::string temporary = path + ".cpnlint-XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return Fail("cannot write `" + path + "`: " + Reason(errno));
  const mode_t mask = umask(0);
  umask(mask);
  int error = fchmod(file, 0666 & ~mask) == 0 ? 0 : errno;
  if (error == 0) error = WriteAll(file, text);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return 0;
  unlink(temporary.c_str());
  return Fail("cannot write `" + path + "`: " + Reason(error));
}

}  // namespace cpnlint::kernels
