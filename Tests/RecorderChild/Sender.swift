import CVarveSystem
import Synchronization
import VarvePlatform
import VarveRecorder

/// How the play `send` sends: said in words, with commas between them.
struct Manner: Sendable {
  /// Text instead of integers.
  var sendsTexts = false
  /// Text that cannot be made shorter, so that files are soon full.
  var sendsNoise = false
  /// Pauses now and then, so that the drain thread keeps up.
  var isPaced = false
  /// A new stream every few hundred events.
  var makesStreams = false
  /// A new thread every few hundred events.
  var makesThreads = false
  /// Whether what is lost counts as sent.
  var drops = false
  /// Stops recording after so many events of the first thread.
  var stopsAfter: UInt64?

  init(_ words: Substring) {
    for word in words.split(separator: ",") {
      switch word {
      case "texts": sendsTexts = true
      case "noise": sendsNoise = true
      case "paced": isPaced = true
      case "streams": makesStreams = true
      case "threads": makesThreads = true
      case "drops": drops = true
      default:
        guard let count = UInt64(word) else {
          print("no manner is called \(word)")
          exit(2)
        }
        stopsAfter = count
      }
    }
  }

  static let generation: UInt64 = 250
}

/// Sends 1, 2, 3, … and tells in shared memory which was the last that `send` returned from.
struct Sender: Sendable {
  let thread: Int
  let manner: Manner
  let board: Board
  let progress: Progress

  /// Sends until recording stops, or until somebody kills the program.
  func run() {
    var value: UInt64 = 0
    if manner.makesThreads {
      let next = Progress()
      while !progress.isOver {
        onThreads(1) { _ in
          var value = next.value
          send(from: &value, until: value + Manner.generation)
          next.value = value
        }
      }
    } else {
      send(from: &value, until: .max)
    }
  }

  private func send(from value: inout UInt64, until last: UInt64) {
    var emitter = Emitter(stream: stream(value), named: "thread \(thread)")
    var hasLost = false
    while value < last {
      if manner.makesStreams, value % Manner.generation == 0 {
        emitter = Emitter(stream: stream(value), named: "thread \(thread)")
      }
      let isKept =
        if manner.sendsNoise {
          emitter.send(text: Self.noise(value + 1))
        } else if manner.sendsTexts {
          emitter.send(text: Self.text(value + 1))
        } else {
          emitter.send(value + 1)
        }
      guard isKept || manner.drops else {
        progress.isOver = true
        return
      }
      if !isKept, !hasLost {
        hasLost = true
        board.noteLoss()
      }
      value += 1
      board.acknowledge(value, thread: thread)
      if thread == 0 { progress.value = value }
      if manner.isPaced, value % 64 == 0 { usleep(300) }
    }
  }

  private func stream(_ value: UInt64) -> UInt32 {
    let generation = manner.makesStreams ? value / Manner.generation : 0
    return UInt32(thread + 1) + 16 * UInt32(generation)
  }

  /// A text that tells its number, of ever different lengths.
  static func text(_ value: UInt64) -> String {
    "event \(value) " + String(repeating: "x", count: Int(value * 7 % 180))
  }

  /// A text that tells its number, and then what looks like chance.
  static func noise(_ value: UInt64) -> String {
    var state = value &* 0x9e37_79b9_7f4a_7c15 | 1
    let letters = (0..<180).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: 33 + (state >> 32) % 90)
    }
    return "event \(value) " + String(decoding: letters, as: UTF8.self)
  }
}

/// How far the sending is.
final class Progress: Sendable {
  private let count = Atomic<UInt64>(0)
  private let over = Atomic<Bool>(false)
  private let senders = Atomic<Int>(0)

  /// How many senders are well under way.
  var begun: Int { senders.load(ordering: .acquiring) }

  func begin() { senders.add(1, ordering: .releasing) }

  var value: UInt64 {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }

  var isOver: Bool {
    get { over.load(ordering: .relaxed) }
    set { over.store(newValue, ordering: .relaxed) }
  }
}

/// Has the program die when the recorder passes a milestone for the so-manieth time: `blockDue:3`.
func dieAt(_ text: String) {
  guard !text.isEmpty else { return }
  let parts = text.split(separator: ":")
  guard parts.count == 2, let milestone = Milestone(rawValue: String(parts[0])),
    let turn = Int(parts[1])
  else {
    print("no milestone is called \(text)")
    exit(2)
  }
  #if DEBUG
    let death = Death(milestone: milestone, turn: turn)
    Milestone.watcher = { death.look($0) }
  #else
    print("a release build passes no milestone: \(milestone) \(turn)")
    exit(2)
  #endif
}

/// When to die.
final class Death: Sendable {
  private let milestone: Milestone
  private let turn: Int
  private let passed = Atomic<Int>(0)

  init(milestone: Milestone, turn: Int) {
    self.milestone = milestone
    self.turn = turn
  }

  func look(_ reached: Milestone) {
    guard reached == milestone else { return }
    if passed.wrappingAdd(1, ordering: .relaxed).newValue == turn { kill(getpid(), SIGKILL) }
  }
}
