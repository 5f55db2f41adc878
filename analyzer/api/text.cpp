#include "analyzer/api/api.h"

namespace cpnlint::api {

std::string_view Text(Status status) {
  switch (status) {
    case Status::kMulti: return "multi";
    case Status::kPartial: return "partial";
    case Status::kSingle: return "single";
    case Status::kMissing: return "missing";
  }
  return "";
}

std::string_view Text(Kind kind) {
  switch (kind) {
    case Kind::kFunction: return "function";
    case Kind::kUfunc: return "ufunc";
    case Kind::kMethod: return "method";
    case Kind::kAttribute: return "attribute";
    case Kind::kDtype: return "dtype";
    case Kind::kConstant: return "constant";
    case Kind::kClass: return "class";
    case Kind::kModule: return "module";
    case Kind::kObject: return "object";
  }
  return "";
}

std::string_view Text(Returns returns) {
  switch (returns) {
    case Returns::kUnknown: return "";
    case Returns::kDevice: return "device array";
    case Returns::kDevices: return "several device arrays";
    case Returns::kHostArray: return "host array";
    case Returns::kScalar: return "Python value";
    case Returns::kNone: return "None";
    case Returns::kOther: return "another object";
  }
  return "";
}

std::string_view Text(Raises raises) {
  switch (raises) {
    case Raises::kNothing: return "";
    case Raises::kAttributeError: return "AttributeError";
    case Raises::kTypeError: return "TypeError";
    case Raises::kValueError: return "ValueError";
    case Raises::kNotImplementedError: return "NotImplementedError";
    case Raises::kRuntimeError: return "RuntimeError";
    case Raises::kAssertionError: return "AssertionError";
    case Raises::kIndexError: return "IndexError";
    case Raises::kError: return "an error";
    case Raises::kEndsProcess: return "ends the process";
  }
  return "";
}

std::string_view Text(Behaviour behaviour) {
  switch (behaviour) {
    case Behaviour::kAbsent: return "absent";
    case Behaviour::kRenamed: return "renamed";
    case Behaviour::kValue: return "some values raise";
    case Behaviour::kIgnored: return "ignored";
    case Behaviour::kHost: return "through the host";
    case Behaviour::kDiffers: return "differs";
  }
  return "";
}

std::string_view Text(WaitWhen when) {
  switch (when) {
    case WaitWhen::kAlways: return "always";
    case WaitWhen::kWithoutRange: return "without range=, or with bins given as an array";
    case WaitWhen::kSeveralProcessors: return "on more than one processor";
    case WaitWhen::kFlattened: return "on more than one processor for 1-D data or without axis=";
    case WaitWhen::kWholeArray: return "with axis=None";
    case WaitWhen::kPadMode:
      return "with mode='linear_ramp' or an array value; with mode='constant' on more than one processor";
    case WaitWhen::kWeights: return "with weights=";
    case WaitWhen::kFrequencyWeights: return "with fweights= or aweights=";
    case WaitWhen::kArrayBounds: return "with bounds that are arrays, 0-d device values included";
    case WaitWhen::kRaiseMode: return "with mode='raise', the default";
    case WaitWhen::kSorter: return "with sorter=";
    case WaitWhen::kArrayCounts: return "with counts given as an array";
    case WaitWhen::kComplexOperand: return "for complex data";
    case WaitWhen::kSeveralKeys: return "with two keys or more";
    case WaitWhen::kFloatOrTable: return "for floats, or with kind='table'";
    case WaitWhen::kArrayEnds: return "with ends that are arrays";
    case WaitWhen::kDeviceScalar: return "with a device array as the value";
    case WaitWhen::kDeviceParameter: return "with a 0-d device array as a parameter";
    case WaitWhen::kHostNumber: return "where a number that it needs on the host is a device value";
    case WaitWhen::kButWriteable: return "for every entry but writeable";
  }
  return "";
}

std::string_view Text(OneDevice one_device) {
  switch (one_device) {
    case OneDevice::kNo: return "";
    case OneDevice::kAlways: return "runs on one processor";
    case OneDevice::kPerMatrix: return "runs on one processor per matrix";
    case OneDevice::kBelowSize: return "runs on one processor below a size";
    case OneDevice::kTransformedAxes: return "runs on one processor unless an axis is left untransformed";
    case OneDevice::kWrapMode: return "runs on one processor with mode='wrap'";
  }
  return "";
}

}  // namespace cpnlint::api
