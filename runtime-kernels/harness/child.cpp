#include "runtime-kernels/harness/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "runtime-kernels/harness/clock.h"

namespace cpnlint::kernels {
namespace {

volatile sig_atomic_t asked = 0;
struct sigaction before_interrupt, before_terminate;

void Ask(int) { asked = 1; }

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    if (read_end >= 0) close(read_end);
    CloseWriting();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void CloseWriting() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
};

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> Environment(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& other : added) replaced = replaced || std::string_view(other).starts_with(name);
    if (!replaced) all.emplace_back(text);
  }
  return all;
}

constexpr std::size_t kMostKept = 4096;  // of standard error
constexpr int kTick = 200;               // milliseconds
constexpr double kGrace = 2;             // seconds between asking a child to end and ending it

// Gives whole lines on; what is left waits for its end.
bool TakeLines(std::string& pending, const std::function<bool(std::string_view)>& on_line) {
  std::size_t start = 0;
  for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', start)) {
    if (!on_line(std::string_view(pending).substr(start, end - start))) return false;
    start = end + 1;
  }
  pending.erase(0, start);
  return true;
}

int WaitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The child's whole group: a launcher has children of its own.
void Kill(pid_t child) {
  kill(-child, SIGTERM);
  const Stopwatch watch;
  siginfo_t info{};
  while (watch.Seconds() < kGrace) {
    if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child) break;
    poll(nullptr, 0, 20);
  }
  kill(-child, SIGKILL);
}

}  // namespace

Interruption::Interruption() {
  asked = 0;
  struct sigaction action {};
  action.sa_handler = &Ask;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_interrupt);
  sigaction(SIGTERM, &action, &before_terminate);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &before_interrupt, nullptr);
  sigaction(SIGTERM, &before_terminate, nullptr);
}

bool Interruption::Asked() { return asked != 0; }

Result<Ending> RunChild(const ChildRequest& request, const std::function<bool(std::string_view)>& on_line,
                        const std::function<void()>& on_tick) {
  std::vector<std::string> words = request.command;
  std::vector<std::string> variables = Environment(request.environment);
  std::vector<char*> argv = Pointers(words);
  std::vector<char*> envp = Pointers(variables);
  Pipe out, err;
  if (out.read_end < 0 || err.read_end < 0)
    return Fail("cannot make a pipe: " + std::generic_category().message(errno));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Fail("cannot start a process: " + std::generic_category().message(errno));
  if (child == 0) {
    setpgid(0, 0);  // Ctrl-C is for the parent to deal with
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    dup2(out.write_end, STDOUT_FILENO);
    dup2(err.write_end, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execve(argv.front(), argv.data(), envp.data());
    _exit(127);
  }
  setpgid(child, child);
  out.CloseWriting();
  err.CloseWriting();

  Ending ending;
  const Stopwatch watch;
  std::string pending;
  std::array<pollfd, 2> polls = {pollfd{out.read_end, POLLIN, 0}, pollfd{err.read_end, POLLIN, 0}};
  std::array<char, 1 << 16> buffer{};
  while (polls[0].fd >= 0 || polls[1].fd >= 0) {
    const int ready = poll(polls.data(), polls.size(), kTick);
    if (ready < 0 && errno != EINTR) break;
    if (Interruption::Asked()) ending.interrupted = true;
    if (request.seconds > 0 && watch.Seconds() > request.seconds) ending.late = true;
    if (ending.interrupted || ending.late || ending.stopped) break;
    on_tick();
    if (ready <= 0) continue;
    for (pollfd& one : polls) {
      if (one.fd < 0 || one.revents == 0) continue;
      const ssize_t got = read(one.fd, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        one.fd = -1;  // poll leaves it alone from now on
        continue;
      }
      const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
      if (&one == &polls[1]) {
        ending.last_words += text;
        if (ending.last_words.size() > kMostKept) ending.last_words.erase(0, ending.last_words.size() - kMostKept);
        continue;
      }
      pending += text;
      if (!TakeLines(pending, on_line)) ending.stopped = true;
    }
  }
  if (ending.interrupted || ending.late || ending.stopped) Kill(child);
  ending.code = WaitFor(child);
  return ending;
}

std::string FindOnPath(const std::string& name) {
  const char* variable = std::getenv("PATH");
  const std::string_view path = variable == nullptr ? std::string_view() : std::string_view(variable);
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const std::filesystem::path file = std::filesystem::path(path.substr(start, end - start)) / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file.string();
    start = end + 1;
  }
  return {};
}

std::string OwnProgram() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

}  // namespace cpnlint::kernels
