#include "cli/run.h"

int main(int argc, char** argv) { return cpnlint::cli::Main(argc, argv); }
