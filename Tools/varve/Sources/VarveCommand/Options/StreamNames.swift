internal import ArgumentParser
internal import VarveFormat

/// Stream names for shell completion, from the trace on the command line.
enum StreamNames {
  /// Completes the name of a stream.
  static let completion = CompletionKind.custom { arguments, _, prefix in
    names(in: arguments).filter { $0.hasPrefix(prefix) }
  }

  /// Returns the explicit names in all traces among the arguments. Derived names are left out: they
  /// are long, and patterns find them.
  private static func names(in arguments: [String]) -> [String] {
    let traces = arguments.dropFirst().filter { !$0.hasPrefix("-") && FileSystem.exists($0) }
    let names = traces.compactMap { try? TraceReader(path: $0) }.flatMap { reader in
      reader.definitions.streams.values.filter(\.isNamed).map(\.name)
    }
    return Set(names).sorted()
  }
}
