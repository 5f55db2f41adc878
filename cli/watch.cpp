#include "cli/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "analyzer/source/discover.h"
#include "analyzer/source/file.h"
#include "cli/commands.h"
#include "cli/config/configuration.h"
#include "cli/output.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// Editors write a file in steps, and a change of branch takes a while.
constexpr milliseconds kQuiet{60};
constexpr milliseconds kLongestUnrest{3000};
constexpr milliseconds kBetweenLooks{500};

constexpr auto kConfigNames = std::to_array<const char*>({"cpnlint.toml", ".cpnlint.toml", "pyproject.toml"});

volatile std::sig_atomic_t ended_by = 0;

void Remember(int signal) { ended_by = signal; }

// The signals that end a run. They are let through only where the watcher waits.
constexpr auto kSignals = std::to_array<int>({SIGINT, SIGTERM, SIGHUP});

// What a run depends on, as far as one can see without running: path -> size, times, or that there is none.
using State = std::map<std::string, std::string>;

constexpr const char* kNone = "none";

std::string StampText(const std::string& path) {
  const std::optional<source::FileStamp> stamp = source::StampOf(path);
  if (!stamp) return kNone;
  std::string text;
  for (const std::int64_t number : {static_cast<std::int64_t>(stamp->size), stamp->modified, stamp->changed,
                                    static_cast<std::int64_t>(stamp->inode)}) {
    text += std::to_string(number) + ' ';
  }
  return text;
}

struct Watched {
  State state;
  std::set<std::string> places;  // folders and files where something may happen
};

void AddFile(Watched& watched, const std::string& path) {
  watched.state.emplace(path, StampText(path));
  const fs::path folder = fs::path(path).parent_path();
  watched.places.insert(folder.empty() ? "." : folder.string());
}

// Settings hold for all below their folder. Of folders further up only the files are followed: much goes on in a home
// folder or in /tmp.
void AddConfigurationOf(Watched& watched, const fs::path& folder) {
  std::error_code ignored;
  fs::path at = fs::absolute(folder, ignored).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  for (;; at = at.parent_path()) {
    for (const char* name : kConfigNames) {
      const std::string path = source::ShownPath((at / name).string());
      const std::string stamp = StampText(path);
      if (stamp != kNone) watched.places.insert(path);
      watched.state.emplace(path, stamp);
    }
    if (at == at.parent_path()) return;
  }
}

// What the command line and the configuration say of the next run.
struct Wanted {
  Options options;
  std::vector<std::string> configuration;  // the files that say it
};

// An error is told of by the run itself.
std::optional<Wanted> ReadWanted(const std::vector<std::string>& arguments) {
  auto options = ParseCommandLine(arguments);
  if (!options) return std::nullopt;
  Wanted wanted{std::move(*options), {}};
  Options configured = wanted.options;
  if (auto read = config::Configuration::Load(configured)) {
    wanted.options = std::move(configured);
    wanted.configuration = (*read)->files();
  }
  return wanted;
}

// `besides`: files that the last run read though nobody asked for them.
Watched Look(const Wanted& wanted, const std::vector<std::string>& arguments, const std::set<std::string>& besides) {
  const Options& options = wanted.options;
  Watched watched;
  std::vector<std::string> roots = options.arguments;
  if (roots.empty()) roots.emplace_back(".");
  // Each root by itself, so that one that is gone for the moment does not take the others with it.
  for (const std::string& root : roots) {
    AddFile(watched, root);  // of a folder: whether it is there again
    AddConfigurationOf(watched, root);
    const auto found = source::Discover({root}, options.discover);
    if (!found) continue;
    for (const source::DiscoveredFile& file : found->files) AddFile(watched, file.path);
    watched.places.insert(found->folders.begin(), found->folders.end());
  }
  AddConfigurationOf(watched, ".");
  for (const std::string& path : besides) AddFile(watched, path);
  for (const std::string& path : wanted.configuration) AddFile(watched, path);
  for (const std::string& argument : arguments) {
    if (argument.size() > 1 && argument.front() == '@') AddFile(watched, argument.substr(1));
  }
  for (const std::string& path : {options.profile, options.baseline}) {
    if (!path.empty()) AddFile(watched, path);
  }
  return watched;
}

// Waits until something may have happened.
class Waiter {
 public:
  Waiter() {
    const char* asked = std::getenv("CPNLINT_WATCH");
    if (asked == nullptr || std::string_view(asked) != "poll") file_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  }
  ~Waiter() {
    if (file_ >= 0) close(file_);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // To be told of what happens there; what is told of already stays.
  void Add(const std::set<std::string>& places) {
    if (file_ < 0) return;
    constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB |
                                      IN_DELETE_SELF | IN_MOVE_SELF;
    for (const std::string& place : places) {
      if (inotify_add_watch(file_, place.c_str(), kEvents) >= 0 || errno == ENOENT || errno == ENOTDIR) continue;
      if (errno == EACCES) continue;
      // More places than the system follows: to look from time to time always works.
      close(file_);
      file_ = -1;
      return;
    }
  }

  // Until something happens, or a signal comes.
  void Wait(const sigset_t& open) const {
    if (file_ < 0) return Sleep(kBetweenLooks, open);
    pollfd events{file_, POLLIN, 0};
    ppoll(&events, 1, nullptr, &open);
    Drain();
  }

  static void Sleep(milliseconds time, const sigset_t& open) {
    const timespec span{time.count() / 1000, static_cast<long>(time.count() % 1000 * 1'000'000)};
    ppoll(nullptr, 0, &span, &open);
  }

 private:
  // What happened is told by looking; folders that are gone are forgotten by the system.
  void Drain() const {
    std::array<char, 4096> buffer;
    while (read(file_, buffer.data(), buffer.size()) > 0) {
    }
  }

  int file_ = -1;
};

bool IsTerminal(int file) { return isatty(file) != 0; }

void ClearScreen() {
  if (IsTerminal(STDOUT_FILENO)) static_cast<void>(WriteStandardOutput("\x1b[2J\x1b[3J\x1b[H"));
}

// A pipe that nobody reads from any more.
bool ReaderIsGone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLNVAL)) != 0;
}

// One run in a process of its own: whatever happens to it, the watcher goes on, and settings are read again. Returns
// the files that it read besides those it was asked for.
std::set<std::string> RunOnce(const std::vector<std::string>& arguments, const sigset_t& open) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    Complain("--watch: cannot start a run: the system has no more files to give");
    return {};
  }
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (const int signal : kSignals) std::signal(signal, SIG_DFL);
    sigprocmask(SIG_SETMASK, &open, nullptr);
    close(ends[0]);
    int code = kTrouble;
    if (auto options = ParseCommandLine(arguments)) {
      options->watcher = ends[1];
      code = RunCommand(*options);
    } else {
      Complain(options.error().message);
    }
    _exit(code);
  }
  close(ends[1]);
  std::string told;
  std::array<char, 4096> buffer;
  while (child > 0) {
    pollfd pipe{ends[0], POLLIN, 0};
    if (ppoll(&pipe, 1, nullptr, &open) < 0 && ended_by != 0) kill(child, SIGTERM);
    const ssize_t got = pipe.revents == 0 ? -1 : read(ends[0], buffer.data(), buffer.size());
    if (got == 0) break;
    if (got > 0) told.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0) Complain("--watch: cannot start a run: the system has no more processes to give");
  std::set<std::string> paths;
  for (std::size_t at = 0; at < told.size();) {
    const std::size_t end = std::min(told.find('\0', at), told.size());
    paths.insert(told.substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

// "`src/a.py` and 2 more files"
std::string Differing(const State& before, const State& after) {
  std::vector<std::string> paths;
  for (const auto& [path, stamp] : after) {
    const auto found = before.find(path);
    if (found == before.end() || found->second != stamp) paths.push_back(path);
  }
  for (const auto& [path, stamp] : before) {
    if (!after.contains(path)) paths.push_back(path);
  }
  if (paths.empty()) return {};
  const std::string more = std::to_string(paths.size() - 1);
  return '`' + paths.front() + '`' +
         (paths.size() == 1   ? ""
          : paths.size() == 2 ? " and another file"
                              : " and " + more + " more files");
}

}  // namespace

int RunWatch(const std::vector<std::string>& arguments) {
  std::optional<Wanted> wanted = ReadWanted(arguments);
  if (!wanted) return kTrouble;
  const std::vector<std::string>& paths = wanted->options.arguments;
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    Complain("--watch: standard input cannot be watched; name files or folders");
    return kTrouble;
  }
  sigset_t ours, open;
  sigemptyset(&ours);
  for (const int signal : kSignals) sigaddset(&ours, signal);
  sigprocmask(SIG_BLOCK, &ours, &open);
  for (const int signal : kSignals) {
    sigdelset(&open, signal);
    struct sigaction action {};
    action.sa_handler = &Remember;
    sigaction(signal, &action, nullptr);
  }

  Waiter waiter;
  std::set<std::string> besides;
  ClearScreen();
  while (ended_by == 0) {
    Watched before = Look(*wanted, arguments, besides);
    waiter.Add(before.places);
    besides = RunOnce(arguments, open);
    if (ended_by != 0) break;
    if (ReaderIsGone()) return kOk;
    // What it read besides was not looked at before; whoever changes it in between runs it again by the next change.
    for (const std::string& path : besides) AddFile(before, path);
    waiter.Add(before.places);
    if (!wanted->options.quiet) Complain("watching for changes; Ctrl-C ends it");
    Watched now = Look(*wanted, arguments, besides);
    while (ended_by == 0 && now.state == before.state) {
      waiter.Wait(open);
      Waiter::Sleep(kQuiet, open);
      if (ReaderIsGone()) return kOk;
      now = Look(*wanted, arguments, besides);
      waiter.Add(now.places);
    }
    const std::string what = Differing(before.state, now.state);
    // Until all is quiet again.
    for (milliseconds unrest{0}; ended_by == 0 && unrest < kLongestUnrest; unrest += kQuiet) {
      Waiter::Sleep(kQuiet, open);
      Watched next = Look(*wanted, arguments, besides);
      const bool quiet = next.state == now.state;
      now = std::move(next);
      if (quiet) break;
    }
    if (ended_by != 0) break;
    ClearScreen();
    if (!wanted->options.quiet) Complain(what + " changed");
    // Settings that cannot be read are told of by the run; what is looked at stays what it was.
    if (auto again = ReadWanted(arguments)) wanted = std::move(again);
  }
  if (IsTerminal(STDERR_FILENO)) static_cast<void>(!write(STDERR_FILENO, "\n", 1));
  // As the signal would have ended it: shells and scripts see what they know.
  std::signal(ended_by, SIG_DFL);
  raise(ended_by);
  sigprocmask(SIG_SETMASK, &open, nullptr);
  return kTrouble;
}

void TellWatcher(const Options& options, const Plan& plan) {
  if (options.watcher < 0) return;
  std::string told;
  for (const std::unique_ptr<Input>& input : plan.inputs) {
    if (input->context) told += input->path + '\0';
  }
  for (std::string_view rest = told; !rest.empty();) {
    const ssize_t written = write(options.watcher, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace cpnlint::cli
