/// What was asked for on the command line.
struct Options {
  /// Where to write the report as JSON.
  var json: String?
  /// The parts to run; all of them when empty.
  var only: Set<String> = []
  /// Rounds of each workload; the median counts.
  var rounds = 9
  /// The events of the traces that the command reads.
  var events = 10_000_000
  /// The command to measure; nil to build it.
  var command: String?
  /// What `Peers/run` has measured; nil when nothing is to be compared with it.
  var peers: String?
  /// Whether instructions are counted as well.
  var countsInstructions = false

  static let usage = """
    Tools/bench                    everything, as a table
    Tools/bench --only a,b         some parts
    Tools/bench --instructions     instructions per event, too (takes valgrind)
    Tools/bench --peers            beside LTTng and babeltrace2, which are installed for it
    Tools/bench --json FILE        the same figures for machines
    Tools/bench --rounds N         rounds of each workload; the median counts (9)
    Tools/bench --events N         events of the traces that the command reads (10000000)
    Tools/bench --command PATH     the command to measure, rather than one built here

    Parts: a b c d e f g h i j k (the streams, against peers), w (the recorder), entry (what a record
    costs its thread: numbers, texts, two threads), encoding (what events of several kinds need in
    the file), reader (how fast traces are read), hops (asynchronous backtraces), growth (an event's
    cost as observers, stages, streams become more), compile (what the compiler needs for a chain of
    operators in one expression), and, only when they are named, client (the CPU of a clean build, the
    size and the start-up of a program of ten lines, by the product that it imports), command (the
    start of the command, each verb that reads and each export: user time, wall time, memory),
    viewer (the server of varve view, with as many events and with ten times as many) and tasks (what
    it costs a program that its tasks are recorded).
    """

  private static let valued: Set<String> = [
    "--json", "--only", "--rounds", "--peers-from", "--events", "--command",
  ]

  /// A mistake on the command line.
  struct Mistake: Error {
    var message: String
  }

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    while let flag = rest.popFirst() {
      if flag == "--instructions" {
        countsInstructions = true
        continue
      }
      guard Self.valued.contains(flag) else {
        throw Mistake(message: "unknown option \(flag)\n\n\(Self.usage)")
      }
      guard let value = rest.popFirst() else { throw Mistake(message: "\(flag) needs a value") }
      switch flag {
      case "--json": json = value
      case "--peers-from": peers = value
      case "--command": command = value
      case "--only": only = Set(value.split(separator: ",").map(String.init))
      default:
        guard let count = Int(value), count > 0 else {
          throw Mistake(message: "\(flag) needs a number above 0")
        }
        if flag == "--events" { events = count } else { rounds = count }
      }
    }
  }

  /// Whether a part is to run.
  func wants(_ part: String) -> Bool { only.isEmpty || only.contains(part) }

  /// Whether a part is to run that takes minutes, and so has to be asked for by its name.
  func names(_ part: String) -> Bool { only.contains(part) }
}
