#include "analyzer/api/tables.h"

namespace cpnlint::api {
namespace {

#include "analyzer/api/table_26_06.inc"

}  // namespace

Table Table2606() { return {kEntries, kProvenance}; }

}  // namespace cpnlint::api
