internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat

/// Names for shell completion, from the traces on the command line.
enum TraceNames {
  /// Completes the name of a stream. Derived names are left out: they are long, and patterns find
  /// them.
  static let streams = completion { reader in
    reader.definitions.streams.values.filter(\.isNamed).map(\.name)
  }

  /// Completes the name of a thread.
  static let threads = completion { reader in
    let names = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    return reader.definitions.threads.keys.map { names[$0] }
  }

  /// Completes the name of a scheduler.
  static let schedulers = completion { reader in
    reader.definitions.schedulers.values.map(\.name)
  }

  /// Completes the kinds of events.
  static let kinds = CompletionKind.list(KindSelection.names)

  private static func completion(
    _ names: @escaping @Sendable (TraceReader) -> [String]
  ) -> CompletionKind {
    .custom { arguments, _, prefix in
      let traces = arguments.dropFirst().filter { !$0.hasPrefix("-") && FileSystem.exists($0) }
      let known = traces.compactMap { try? TraceReader(path: $0) }.flatMap(names)
      return Set(known).filter { $0.hasPrefix(prefix) }.sorted()
    }
  }
}
