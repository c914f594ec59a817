/// What was asked for on the command line.
struct Options {
  /// Where to write the report as JSON.
  var json: String?
  /// The parts to run; all of them when empty.
  var only: Set<String> = []
  /// Rounds of each workload; the median counts.
  var rounds = 9
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

    Parts: a b c d e f g h i j k (the streams, against peers), w (the recorder), entry (what a record
    costs its thread: numbers, texts, two threads), encoding (what events of several kinds need in
    the file), reader (how fast traces are read), hops (asynchronous backtraces), growth (an event's
    cost as observers, stages, streams become more), compile (what the compiler needs for a chain of
    operators in one expression), and, when it is named alone, client (the CPU of a clean build, the
    size and the start-up of a program of ten lines, by the product that it imports).
    """

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
      guard ["--json", "--only", "--rounds", "--peers-from"].contains(flag) else {
        throw Mistake(message: "unknown option \(flag)\n\n\(Self.usage)")
      }
      guard let value = rest.popFirst() else { throw Mistake(message: "\(flag) needs a value") }
      switch flag {
      case "--json": json = value
      case "--peers-from": peers = value
      case "--only": only = Set(value.split(separator: ",").map(String.init))
      default:
        guard let count = Int(value), count > 0 else {
          throw Mistake(message: "--rounds needs a number above 0")
        }
        rounds = count
      }
    }
  }

  /// Whether a part is to run.
  func wants(_ part: String) -> Bool { only.isEmpty || only.contains(part) }

  /// Whether a part is to run that takes minutes, and so has to be asked for by its name.
  func names(_ part: String) -> Bool { only.contains(part) }
}
