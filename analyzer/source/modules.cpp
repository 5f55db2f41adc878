#include "analyzer/source/modules.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/source/file.h"

namespace cpnlint::source {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInit = "__init__.py";
constexpr std::size_t kMostFoldersUp = 24;

// Whatever lies beside the importer, these names are the libraries.
constexpr auto kLibraries =
    std::to_array<std::string_view>({"cunumeric", "cupy", "cupynumeric", "cupyx", "legate", "numpy"});

constexpr auto kMarkers = std::to_array<std::string_view>({".git", "pyproject.toml", "setup.cfg", "setup.py"});

// Inside, paths are absolute, so that a project may begin above the current folder.
std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? std::string_view("/") : path.substr(0, slash);
}

std::string Joined(std::string_view folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path = folder;
  if (!path.empty() && path.back() != '/') path += '/';
  path += name;
  return path;
}

bool IsInstalled(std::string_view folder) {
  const std::string_view name = folder.substr(folder.rfind('/') + 1);
  return name == "site-packages" || name == "dist-packages";
}

std::vector<std::string_view> Parts(std::string_view dotted) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= dotted.size();) {
    const std::size_t dot = std::min(dotted.find('.', at), dotted.size());
    if (dot > at) parts.push_back(dotted.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

}  // namespace

bool IsPackageFile(std::string_view path) { return path.substr(path.rfind('/') + 1) == kInit; }

struct ModuleFinder::Folder {
  std::unordered_set<std::string> names;  // of what is in it
  bool is_package = false;                // has an __init__.py
  bool is_top = false;                    // of a project, or named by the user
};

// Texts that can be looked up by any kind of text.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
// What a folder's files mean by what they spell; none of them means itself by it.
using Meanings = std::unordered_map<std::string, std::optional<std::string>, TextHash, std::equal_to<>>;

struct ModuleFinder::Impl {
  std::string here;   // the current folder
  std::string outer;  // paths below it are shown relative
  std::unordered_set<std::string> roots;
  std::unordered_map<std::string, Folder> folders;
  std::unordered_map<std::string, std::vector<std::string>> search;  // where a folder's files look for absolute names

  const Folder& At(const std::string& path) {
    const auto [entry, is_new] = folders.try_emplace(path);
    Folder& folder = entry->second;
    if (!is_new) return folder;
    std::error_code error;
    for (fs::directory_iterator item(path, error), end; !error && item != end; item.increment(error)) {
      folder.names.insert(item->path().filename().string());
    }
    folder.is_package = folder.names.contains(std::string(kInit));
    folder.is_top = roots.contains(path) || std::any_of(kMarkers.begin(), kMarkers.end(), [&](std::string_view name) {
                      return folder.names.contains(std::string(name));
                    });
    return folder;
  }

  static std::optional<std::string> Above(const std::string& path) {
    if (path == "/") return std::nullopt;
    return std::string(FolderOf(path));
  }

  [[nodiscard]] std::string Absolute(std::string_view shown) const {
    if (shown.starts_with('/')) return std::string(shown);
    return shown.starts_with("..") ? (fs::path(here) / shown).lexically_normal().string() : Joined(here, shown);
  }
  [[nodiscard]] std::string Shown(const std::string& absolute) const {
    const bool below = absolute.starts_with(here) && absolute.size() > here.size() && absolute[here.size()] == '/';
    return below ? absolute.substr(here.size() + 1) : ShownPath(absolute, outer);
  }

  // The file whose imports are asked for; they come one after the other.
  struct Importer {
    std::string shown, absolute, folder;
    const std::vector<std::string>* search = nullptr;
    Meanings* meanings = nullptr;
  };
  Importer importer;
  std::unordered_map<std::string, Meanings> meanings;  // by folder

  const Importer& ImporterAt(std::string_view shown) {
    if (importer.search != nullptr && importer.shown == shown) return importer;
    importer.shown = shown;
    importer.absolute = Absolute(shown);
    importer.folder = FolderOf(importer.absolute);
    importer.search = &SearchOf(importer.folder);
    importer.meanings = &meanings[importer.folder];
    return importer;
  }

  const std::vector<std::string>& SearchOf(const std::string& folder) {
    const auto [entry, is_new] = search.try_emplace(folder);
    std::vector<std::string>& path = entry->second;
    if (!is_new) return path;
    // Without a mark above, only the folder in which the packages around the importer lie is searched.
    std::vector<std::string> up;
    std::optional<std::size_t> top;
    std::optional<std::size_t> outside;  // the first one that is no package
    std::optional<std::string> at = folder;
    for (std::size_t i = 0; at && i < kMostFoldersUp; ++i, at = Above(*at)) {
      const Folder& here = At(*at);
      up.push_back(*at);
      if (!here.is_package && !outside) outside = i;
      if (here.is_top && !top) top = i;
      if (top && outside) break;
    }
    const std::size_t last = std::max(top.value_or(0), outside.value_or(0));
    for (std::size_t i = 0; i < up.size() && i <= last; ++i) {
      if (At(up[i]).is_package) continue;
      path.push_back(up[i]);
      for (const char* below : {"src", "lib"}) {
        if (At(up[i]).names.contains(below)) path.push_back(Joined(up[i], below));
      }
      if (IsInstalled(up[i])) break;
    }
    if (At(folder).is_package) path.push_back(folder);
    return path;
  }

  // The module `parts` below a folder: its .py file, or the __init__.py of a package.
  std::optional<std::string> Below(std::string folder, const std::vector<std::string_view>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::unordered_set<std::string>& names = At(folder).names;
      std::string name(parts[i]);
      const bool is_there = names.contains(name);
      if (i + 1 == parts.size()) {
        if (is_there && At(Joined(folder, name)).is_package) return Joined(Joined(folder, name), kInit);
        name += ".py";
        return names.contains(name) ? std::optional(Joined(folder, name)) : std::nullopt;
      }
      if (!is_there) return std::nullopt;
      folder = Joined(folder, name);
    }
    if (At(folder).is_package) return Joined(folder, kInit);
    return std::nullopt;
  }

  // `is_itself`: the importer would mean itself, and something else was looked for.
  std::optional<std::string> FindAnew(const Importer& from, std::string_view spelled, bool& is_itself) {
    const std::vector<std::string_view> parts = Parts(spelled);
    std::optional<std::string> found;
    if (spelled.starts_with('.')) {
      std::optional<std::string> base = from.folder;
      for (std::size_t i = 1; i < spelled.size() && spelled[i] == '.'; ++i) {
        if (base) base = Above(*base);
      }
      if (base) found = Below(*base, parts);
      return found ? std::optional(Shown(*found)) : std::nullopt;
    }
    if (parts.empty() || std::find(kLibraries.begin(), kLibraries.end(), parts.front()) != kLibraries.end()) {
      return std::nullopt;
    }
    for (const std::string& root : *from.search) {
      if (IsInstalled(root)) {
        const std::string_view package = PackageRoot(from.absolute);
        if (package.substr(package.rfind('/') + 1) != parts.front()) continue;
      }
      found = Below(root, parts);
      if (found && *found != from.absolute) return Shown(*found);
      is_itself = is_itself || found;
    }
    return std::nullopt;
  }

  // The outermost package around a file; empty where it lies in none.
  std::string_view PackageRoot(std::string_view path) {
    std::string_view outermost;
    std::string folder(FolderOf(path));
    while (At(folder).is_package) {
      outermost = path.substr(0, folder.size());
      const std::optional<std::string> above = Above(folder);
      if (!above) break;
      folder = *above;
    }
    return outermost;
  }
};

ModuleFinder::ModuleFinder(const std::vector<std::string>& roots) : impl_(std::make_unique<Impl>()) {
  std::error_code ignored;
  impl_->here = fs::current_path(ignored).string();
  impl_->outer = OuterFolder(roots);
  for (const std::string& root : roots) {
    std::string path = impl_->Absolute(ShownPath(root));
    while (path.size() > 1 && (path.back() == '/' || path.ends_with("/."))) path.pop_back();
    impl_->roots.insert(std::move(path));
  }
}

ModuleFinder::~ModuleFinder() = default;

std::optional<std::string> ModuleFinder::Find(std::string_view importer_shown, std::string_view spelled) {
  const Impl::Importer& importer = impl_->ImporterAt(importer_shown);
  if (const auto known = importer.meanings->find(spelled);
      known != importer.meanings->end() && known->second != importer_shown) {
    return known->second;
  }
  bool is_itself = false;
  std::optional<std::string> found = impl_->FindAnew(importer, spelled, is_itself);
  if (!is_itself) importer.meanings->insert_or_assign(std::string(spelled), found);
  return found;
}

std::optional<std::string> ModuleFinder::PackageOf(std::string_view shown) {
  const std::string path = impl_->Absolute(shown);
  std::string folder(FolderOf(path));
  if (IsPackageFile(path)) {
    const std::optional<std::string> above = Impl::Above(folder);
    if (!above) return std::nullopt;
    folder = *above;
  }
  if (!impl_->At(folder).is_package) return std::nullopt;
  return impl_->Shown(Joined(folder, kInit));
}

}  // namespace cpnlint::source
