import Varve

/// What a search tells while it runs.
enum SearchUpdate: Sendable {
  /// So much of a hundred is done.
  case progress(Int)
  /// It is done.
  case found(Results)

  /// How much of a hundred is done.
  var percent: Int {
    switch self {
    case .progress(let percent): percent
    case .found: 100
    }
  }

  /// What was found, when it is done.
  var results: Results? {
    switch self {
    case .progress: nil
    case .found(let results): results
    }
  }
}

extension SearchUpdate: TraceValue {
  var tracePayload: TracePayload {
    switch self {
    case .progress(let percent): .string("\(percent) %")
    case .found(let results): results.tracePayload
    }
  }
}
