#pragma once

// What the HTML page shows beyond the other formats: whole sources, the lives of arrays, and predictions for every
// position of its sliders. Gathered only where the page is asked for.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/report/document.h"

namespace cpnlint::report {

// What happens to an array on a line.
enum class ArrayEvent : std::uint8_t { kRead, kWritten, kToHost };

// An array from where it is made to where it is used last. Lines count in the analysed text.
struct PageArray {
  struct Event {
    std::uint32_t line = 0;
    ArrayEvent kind = ArrayEvent::kRead;

    friend auto operator<=>(const Event&, const Event&) = default;
  };
  std::string name;      // a variable's, or the words that make it
  std::string function;  // qualified; empty at module level
  std::uint32_t line = 0;
  std::vector<Event> events;  // in order, each once
  double bytes = 0;           // on one processor; 0 where nothing is known
  bool known = false;         // `bytes` rests on no default
};

struct PageFile {
  struct Scope {
    std::uint32_t first = 0, last = 0;  // lines of a function
  };
  std::vector<SourceLine> lines;
  std::vector<Scope> functions;
  std::vector<PageArray> arrays;  // by line
};

// What the model says of a region on a layout: medians.
struct PagePoint {
  double time = 0;    // of a pass; 0 where the region is not there at this setting
  double memory = 0;  // of one processor
  cost::Parts parts{};
};

// Predictions of one program over settings of its sizes, machines, regions and numbers of processors.
struct PageModel {
  struct Machine {
    std::string name, processor;
    std::string profile;  // what --profile takes
    bool gpu = true;
    int per_node = 1;
    double pool = 0;  // bytes for arrays of one processor
  };
  // What to change for a setting: assumptions of the command line, numbers of the source.
  struct SourceEdit {
    std::string path;
    Place at;  // of the number
    std::int64_t value = 0;
    std::string text;  // "n = 4096"
  };
  struct Setting {
    std::vector<std::string> assume;
    std::vector<SourceEdit> source;
    std::vector<double> passes;  // by region
  };
  struct Position {
    std::size_t setting = 0;
    std::vector<std::string> values;  // "n = 4096"
  };
  struct Series {
    std::string label;  // "n", "all sizes together"
    std::vector<Position> positions;
    std::size_t at = 0;  // the position of the program as it is
  };

  std::string program;
  std::vector<Machine> machines;
  std::size_t machine = 0;  // the one that was asked for
  std::vector<int> processors;
  std::vector<Series> series;
  std::vector<Setting> settings;         // the first: the program as it is
  std::vector<PredictedRegion> regions;  // the heaviest; behind them stands the sum of all others, all passes
  std::vector<PagePoint> points;         // settings, machines, regions, processors; the last changes fastest
  Prediction prediction;                 // of the program as it is
  std::vector<std::string> arguments;    // of the command line
};

}  // namespace cpnlint::report
