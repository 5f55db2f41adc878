#include "cli/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

extern char** environ;  // NOLINT: POSIX has it nowhere else

namespace cpnlint::cli {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    read = ends[0];
    write = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    Close(read);
    Close(write);
  }
  static void Close(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

// Appends what there is; closes the end where there will be no more.
void Take(int& end, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(end, buffer.data(), buffer.size());
  if (got > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    Pipe::Close(end);
  }
}

// The variables of this process, with some in place of its own.
std::vector<std::string> Environment(const std::vector<std::string>& given) {
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable(*at);
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    bool replaced = false;
    for (const std::string& other : given) replaced = replaced || other.starts_with(name);
    if (!replaced) all.emplace_back(variable);
  }
  all.insert(all.end(), given.begin(), given.end());
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string FindProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/usr/bin:/bin" : path;
  while (true) {
    const std::size_t colon = folders.find(':');
    const std::string_view folder = folders.substr(0, colon);
    if (folder.starts_with('/')) {
      std::string program = std::string(folder) + '/' + name;
      if (access(program.c_str(), X_OK) == 0) return program;
    }
    if (colon == std::string_view::npos) return {};
    folders.remove_prefix(colon + 1);
  }
}

Result<Finished> RunProgram(const std::string& program, std::vector<std::string> arguments,
                            const std::vector<std::string>& environment, std::size_t most) {
  const auto fail = [&](int error) {
    return Fail("cannot run `" + program + "`: " + std::generic_category().message(error));
  };
  Pipe out, err;
  if (out.read < 0 || err.read < 0) return fail(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> variables = Environment(environment);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, nullptr, Pointers(arguments).data(), Pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail(error);
  Pipe::Close(out.write);
  Pipe::Close(err.write);

  Finished finished;
  bool too_much = false;
  while (out.read >= 0 || err.read >= 0) {
    std::array<pollfd, 2> ends = {{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
    if (poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
    if (ends[0].revents != 0) Take(out.read, finished.out);
    if (ends[1].revents != 0) Take(err.read, finished.err);
    if (finished.out.size() + finished.err.size() > most) {
      too_much = true;
      kill(child, SIGTERM);
      break;
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (too_much) return Fail("`" + program + "` says more than " + std::to_string(most >> 20) + " MB");
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

}  // namespace cpnlint::cli
