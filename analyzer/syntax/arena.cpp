#include "analyzer/syntax/arena.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <tree_sitter/api.h>

namespace cpnlint::syntax::internal {
namespace {

// Each block has 8 bytes before it that hold its list; a block's bytes with them are a multiple of 16. Lists 0 to 31
// hold blocks of 24, 40, 56, ... bytes; from list 32 on sizes double. kLargeList blocks come from malloc one by one.
constexpr std::size_t kHeader = 8;
constexpr std::size_t kSmallLists = 32;
constexpr std::uint64_t kLargeList = ~std::uint64_t{0} >> 32;
constexpr std::size_t kLargest = std::size_t{1} << 20;
constexpr std::size_t kLargeOffset = 32;  // of the block within its memory: index into large_, then the header

std::size_t ListOf(std::size_t size) {
  const std::size_t whole = (size + kHeader + 15) / 16;  // in units of 16
  if (whole <= kSmallLists + 1) return whole < 2 ? 0 : whole - 2;
  return kSmallLists + static_cast<std::size_t>(std::bit_width(whole - 1)) - 6;
}

std::size_t BytesOf(std::size_t list) {
  if (list < kSmallLists) return (list + 2) * 16;
  return std::size_t{16} << (list - kSmallLists + 6);
}

std::uint64_t& HeaderOf(void* block) { return *reinterpret_cast<std::uint64_t*>(static_cast<char*>(block) - kHeader); }

[[noreturn]] void OutOfMemory() {
  std::fputs("cpnlint: out of memory\n", stderr);
  std::abort();
}

void* SystemMemory(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) OutOfMemory();
  return memory;
}

}  // namespace

Arena::~Arena() { Release(); }

char* Arena::Bump(std::size_t bytes) {
  if (static_cast<std::size_t>(end_ - at_) < bytes) {
    chunks_.push_back(static_cast<char*>(SystemMemory(kChunk)));
    taken_ += kChunk;
    at_ = chunks_.back();
    end_ = at_ + kChunk;
    at_ += 16 - kHeader;  // so that what follows a header is aligned
  }
  char* memory = at_;
  at_ += bytes;
  return memory;
}

void* Arena::Allocate(std::size_t size) {
  if (size > kLargest) {
    char* memory = static_cast<char*>(SystemMemory(size + kLargeOffset));
    char* block = memory + kLargeOffset;
    *reinterpret_cast<std::uint64_t*>(memory) = large_.size();
    HeaderOf(block) = kLargeList;
    large_.push_back({memory, size});
    taken_ += size;
    return block;
  }
  const std::size_t list = ListOf(size);
  if (FreeBlock* block = free_[list]; block != nullptr) {
    free_[list] = block->next;
    return block;
  }
  char* block = Bump(BytesOf(list)) + kHeader;
  HeaderOf(block) = list;
  return block;
}

void* Arena::Reallocate(void* block, std::size_t size) {
  if (block == nullptr) return Allocate(size);
  const std::uint64_t list = HeaderOf(block);
  std::size_t capacity = 0;
  if (list == kLargeList) {
    capacity = large_[*reinterpret_cast<std::uint64_t*>(static_cast<char*>(block) - kLargeOffset)].size;
  } else {
    capacity = BytesOf(list) - kHeader;
  }
  if (size <= capacity) return block;
  void* bigger = Allocate(size > kLargest ? size + size / 2 : size);
  std::memcpy(bigger, block, capacity);
  Free(block);
  return bigger;
}

void Arena::Free(void* block) {
  if (block == nullptr) return;
  const std::uint64_t list = HeaderOf(block);
  if (list == kLargeList) {
    char* memory = static_cast<char*>(block) - kLargeOffset;
    Large& entry = large_[*reinterpret_cast<std::uint64_t*>(memory)];
    taken_ -= entry.size;
    entry = {};
    std::free(memory);
    return;
  }
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = free_[list];
  free_[list] = freed;
}

void Arena::Reset() {
  for (const Large& large : large_) std::free(large.memory);
  large_.clear();
  while (chunks_.size() > 1) {
    std::free(chunks_.back());
    chunks_.pop_back();
  }
  free_.fill(nullptr);
  taken_ = chunks_.size() * kChunk;
  if (chunks_.empty()) {
    at_ = end_ = nullptr;
  } else {
    at_ = chunks_.front() + 16 - kHeader;
    end_ = chunks_.front() + kChunk;
  }
}

void Arena::Release() {
  Reset();
  for (char* chunk : chunks_) std::free(chunk);
  chunks_.clear();
  at_ = end_ = nullptr;
  taken_ = 0;
}

Arena& ThreadArena() {
  thread_local Arena arena;
  return arena;
}

void InstallAllocator() {
  static std::once_flag once;
  std::call_once(once, [] {
    ts_set_allocator([](std::size_t size) { return ThreadArena().Allocate(size); },
                     [](std::size_t count, std::size_t size) {
                       if (size != 0 && count > SIZE_MAX / size) OutOfMemory();
                       return std::memset(ThreadArena().Allocate(count * size), 0, count * size);
                     },
                     [](void* block, std::size_t size) { return ThreadArena().Reallocate(block, size); },
                     [](void* block) { ThreadArena().Free(block); });
  });
}

}  // namespace cpnlint::syntax::internal
