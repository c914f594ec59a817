import Foundation
import TraceMill

/// Makes a trace of many events, to try readers on.
@main
enum MakeTrace {
  static let usage = """
    Usage: Tools/make-trace FILE [--events N] [--kind KIND]

    Makes a trace of N events, by default 100000000. A file that is there is left alone.
    Kinds: \(TraceKind.allCases.map { "\($0.rawValue) (\($0.title))" }.joined(separator: ",\n       "))
    """

  static func main() {
    var path: String?
    var events = 100_000_000
    var kind = TraceKind.w
    var rest = CommandLine.arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        print(usage)
        return
      case "--events":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else { mistake() }
        events = count
      case "--kind":
        guard let known = rest.popFirst().flatMap(TraceKind.init) else { mistake() }
        kind = known
      default:
        guard path == nil, !argument.hasPrefix("-") else { mistake() }
        path = argument
      }
    }
    guard let path else { mistake() }
    guard !FileManager.default.fileExists(atPath: path) else {
      stop("\(path) is there already; it is left alone", status: 2)
    }
    do {
      var mill = TraceMill(kind, events: events)
      let cost = try mill.write(to: path)
      print("\(events) events in \(cost.bytes) bytes")
    } catch {
      stop("\(error)", status: 1)
    }
  }

  private static func mistake() -> Never { stop("\n" + usage, status: 2) }

  private static func stop(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("make-trace: \(message)\n".utf8))
    exit(status)
  }
}
