internal import ArgumentParser
internal import VarveFormat

/// Names of streams for a shell that completes them: out of the trace that the command line names.
enum StreamNames {
  /// Completes a stream's name.
  static let completion = CompletionKind.custom { arguments, _, prefix in
    names(in: arguments).filter { $0.hasPrefix(prefix) }
  }

  /// The names that somebody gave, of all traces among the arguments; derived ones are long, and
  /// patterns find them.
  private static func names(in arguments: [String]) -> [String] {
    let traces = arguments.dropFirst().filter { !$0.hasPrefix("-") && FileSystem.exists($0) }
    let names = traces.compactMap { try? TraceReader(path: $0) }.flatMap { reader in
      reader.definitions.streams.values.filter(\.isNamed).map(\.name)
    }
    return Set(names).sorted()
  }
}
