#include "analyzer/api/tables.h"

namespace cpnlint::api {
namespace {

#include "analyzer/api/table_26_07.inc"

}  // namespace

Table Table2607() { return {kEntries, kProvenance}; }

}  // namespace cpnlint::api
