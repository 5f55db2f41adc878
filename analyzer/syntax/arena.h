#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpnlint::syntax::internal {

// Memory for one parse: bump allocation from chunks, freed blocks kept in lists by size, everything dropped at once.
// Tree-sitter spends an eighth of its time in malloc and free; this takes that away.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // Aligned to 16 bytes. Never null: ends the program when the system has no memory left.
  void* Allocate(std::size_t size);
  void* Reallocate(void* block, std::size_t size);
  void Free(void* block);

  // Forgets all blocks; keeps one chunk for the next file.
  void Reset();
  // Gives everything back to the system.
  void Release();

  // Bytes taken from the system since the last Reset, the kept chunk included.
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{4} << 20;
  static constexpr std::size_t kLists = 64;

  struct FreeBlock {
    FreeBlock* next;
  };
  struct Large {
    void* memory;
    std::size_t size;
  };

  char* Bump(std::size_t bytes);

  std::vector<char*> chunks_;
  std::vector<Large> large_;
  char* at_ = nullptr;
  char* end_ = nullptr;
  std::size_t taken_ = 0;
  std::array<FreeBlock*, kLists> free_{};
};

// The calling thread's arena.
Arena& ThreadArena();

// Makes tree-sitter allocate from the calling thread's arena, in all threads; later calls do nothing. Blocks that
// tree-sitter allocated must be freed by the thread that allocated them, and not after that thread's Reset.
void InstallAllocator();

}  // namespace cpnlint::syntax::internal
