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

  /// Completes a trace, and behind it the name of a stream.
  static let question = CompletionKind.custom { arguments, index, prefix in
    let others = arguments.enumerated().filter { $0.offset != index }.map(\.element)
    let known = names(in: others) { $0.definitions.streams.values.filter(\.isNamed).map(\.name) }
    return known.filter { $0.hasPrefix(prefix) }.sorted()
      + (known.isEmpty ? FileSystem.paths(from: prefix) : [])
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

  private static func completion(
    _ names: @escaping @Sendable (TraceReader) -> [String]
  ) -> CompletionKind {
    .custom { arguments, _, prefix in
      self.names(in: arguments, names).filter { $0.hasPrefix(prefix) }.sorted()
    }
  }

  private static func names(
    in arguments: [String], _ names: (TraceReader) -> [String]
  ) -> Set<String> {
    let traces = arguments.dropFirst().filter { !$0.hasPrefix("-") && FileSystem.exists($0) }
    return Set(traces.compactMap { try? TraceReader(path: $0) }.flatMap(names))
  }
}
