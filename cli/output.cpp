#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace cpnlint::cli {
namespace {

// errno of the failure, or 0.
int WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::string Reason(int error) { return std::generic_category().message(error); }

// A file written under another name that takes its place when all is well.
struct Pending {
  std::string temporary;  // empty: written directly
  std::string path;
};

Result<Pending> WriteBeside(const FileContent& file) {
  const auto fail = [&](int error) { return Fail("cannot write `" + file.path + "`: " + Reason(error)); };
  // A link keeps pointing to its file.
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::weakly_canonical(file.path, ignored);
  std::string path = ignored || target.empty() ? file.path : target.string();
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    const int direct = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (direct < 0) return fail(errno);
    const int error = WriteAll(direct, file.content);
    close(direct);
    if (error != 0 && error != EPIPE) return fail(error);
    return Pending{"", std::move(path)};
  }
  std::string temporary = path + ".cpnlint-XXXXXX";
  const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return fail(errno);
  const mode_t mask = umask(0);
  umask(mask);
  int error = fchmod(descriptor, exists ? status.st_mode & 07777 : 0666 & ~mask) == 0 ? 0 : errno;
  if (error == 0) error = WriteAll(descriptor, file.content);
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return Pending{std::move(temporary), std::move(path)};
  unlink(temporary.c_str());
  return fail(error);
}

}  // namespace

Result<int> WriteStandardOutput(std::string_view text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return 0;
  return Fail("cannot write to standard output: " + Reason(error));
}

Result<int> WriteFiles(const std::vector<FileContent>& files) {
  std::vector<Pending> pending;
  std::string problem;
  for (const FileContent& file : files) {
    auto written = WriteBeside(file);
    if (!written) {
      problem = written.error().message;
      break;
    }
    pending.push_back(std::move(*written));
  }
  for (const Pending& file : pending) {
    if (file.temporary.empty()) continue;
    if (problem.empty() && rename(file.temporary.c_str(), file.path.c_str()) == 0) continue;
    if (problem.empty()) problem = "cannot write `" + file.path + "`: " + Reason(errno);
    unlink(file.temporary.c_str());
  }
  if (!problem.empty()) return Fail(problem);
  return 0;
}

void Complain(std::string_view message) {
  std::string line = "cpnlint: ";
  line += message;
  line += '\n';
  // Nobody is left to be told where even this fails.
  static_cast<void>(WriteAll(STDERR_FILENO, line));
}

}  // namespace cpnlint::cli
