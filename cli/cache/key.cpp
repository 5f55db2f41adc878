#include "cli/cache/key.h"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include "cli/cache/bytes.h"

namespace cpnlint::cli {
namespace {

// The linker's hash of the whole program (-Wl,--build-id); empty where it was linked without one.
std::string BuildId() {
  std::string id;
  const auto look = [](dl_phdr_info* object, std::size_t, void* into) {
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_NOTE) continue;
      // A note is a header, its owner's name and its content, both filled up to four bytes.
      const char* at = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
      const char* end = at + segment.p_memsz;
      constexpr auto filled = [](std::size_t size) { return (size + 3) / 4 * 4; };
      while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
        const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
        const char* name = at + sizeof *note;
        const char* content = name + filled(note->n_namesz);
        if (note->n_type == NT_GNU_BUILD_ID && std::string_view(name, note->n_namesz) == std::string_view("GNU", 4)) {
          static_cast<std::string*>(into)->assign(content, note->n_descsz);
          return 1;
        }
        at = content + filled(note->n_descsz);
      }
    }
    return 1;  // the first object is the program itself
  };
  dl_iterate_phdr(look, &id);
  return id;
}

}  // namespace

// Fields of settings, as in outcome.cpp: a new one has to be told of here before anything compiles.

static void Fields(ByteWriter& visit, rules::Target& value) {
  auto& [version, gpus, split, economic, machine, bandwidth, peak, launch, memory] = value;
  visit(version, gpus, split, economic, machine, bandwidth, peak, launch);  // `memory` is a fact about the program
}

// By what it does: which rules run, and which are shown.
static void Fields(ByteWriter& visit, rules::Selection& value) {
  for (const rules::Rule* rule : rules::AllRules()) visit(rule->code, value.Withholds(*rule), value.Includes(*rule));
}

static void Fields(ByteWriter& visit, cost::Number& value) {
  auto& [number, low, high, samples, method, provenance] = value;
  visit(number, low, high, samples, method, provenance);
}

static void Fields(ByteWriter& visit, cost::Machine& value) {
  auto& [processor, gpu, compute_capability, processors_per_node, split, driver, date, note] = value;
  visit(processor, gpu, compute_capability, processors_per_node, split, driver, date, note);
}

static void Fields(ByteWriter& visit, cost::Profile& value) {
  auto& [name, machine, numbers, curves] = value;
  visit(name, machine, numbers);  // curves are for pictures
}

static void Fields(ByteWriter& visit, cost::Options& value) {
  auto& [layouts, pool, host_pool, samples, curves] = value;
  for (const auto& [processors, nodes] : layouts) visit(processors, nodes);
  visit(layouts.size(), pool, host_pool, samples, curves);
}

static void Fields(ByteWriter& visit, WhatIf& value) {
  auto& [text, rule, place] = value;
  visit(text, rule, place.path, place.cell, place.line);
}

static void Fields(ByteWriter& visit, CostSettings& value) {
  auto& [profile, argument, options, what_if] = value;
  visit(profile, options, what_if);  // `argument` is another name of the profile
}

static void Fields(ByteWriter& visit, Settings& value) {
  // A run with a page has no cache; what holds for single files is in the keys of their programs.
  auto& [target, selection, min_confidence, assume, cost, predict, page, files, entry_points] = value;
  visit(target, selection, min_confidence, assume, cost, predict, entry_points.size());
  for (const auto& [text, folder] : entry_points) visit(text, folder);
}

std::string BuildKey() {
  std::string key = CPNLINT_VERSION;
  key += '\0';
  const std::string id = BuildId();
  key += id;
  // Without the linker's word, a program is what it was as long as its file is.
  struct stat status {};
  if (id.empty() && stat("/proc/self/exe", &status) == 0) {
    key += std::to_string(status.st_size) + ' ' + std::to_string(status.st_ino) + ' ' +
           std::to_string(status.st_mtim.tv_sec) + ' ' + std::to_string(status.st_mtim.tv_nsec);
  }
  return HexText(HashBytes(key)).substr(0, 16);
}

Hash128 SettingsKey(const Settings& settings) {
  ByteWriter writer;
  writer(settings);
  return HashBytes(writer.Take());
}

Hash128 ProgramKey(Hash128 settings, const config::Configuration* files, const std::vector<Input*>& program) {
  ByteWriter writer;
  writer(settings.high, settings.low);
  for (const Input* input : program) {
    writer(input->path, input->context, input->hash->high, input->hash->low);
    if (files != nullptr) writer(files->Of(input->path).identity);
  }
  return HashBytes(writer.Take());
}

}  // namespace cpnlint::cli
