#pragma once

namespace cpnlint::cli {

// The program: reads the command line, runs the command, gives the exit code. Never throws.
int Main(int argc, char** argv);

}  // namespace cpnlint::cli
