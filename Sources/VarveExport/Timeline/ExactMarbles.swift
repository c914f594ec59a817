public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Marble diagrams in the syntax of RxJS's test scheduler, so that a test can replay what a program
/// did.
///
/// A frame is one millisecond since the start of the trace. Each stream, or each run of a producer,
/// is a diagram of values with a legend in JSON, followed by the stream's subscriptions as
/// `expectSubscriptions` takes them. RxJS has no sign for an interruption: such a diagram has no
/// end, but its subscription has one. In a trace of several processes, that of a stream is before its name.
public struct ExactMarbles {
  /// The damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []
  /// The parts of the trace that were left out because there was too much to remember.
  public private(set) var passedOver = PassedOver()
  private var diagrams: [Key: Diagram] = [:]
  private var order: [Key] = []
  /// The last diagram of each stream.
  private var lasts: [UInt32: Key] = [:]
  private let walk: TraceWalk
  private var runs: [UInt32: Set<UInt64>] = [:]
  private var subscriptions: [UInt32: Subscriptions] = [:]
  private let names: [UInt32: String]
  /// The processes of a trace of several, by stream.
  private var processes: [UInt32: String] = [:]

  private struct Key: Hashable {
    var stream: UInt32
    var run: UInt64
  }

  private struct Diagram {
    var marbles: [TimedMarble] = []
    var legend: [(letter: Character, value: String)] = []
    var letters: [EventPayload: Character] = [:]
  }

  /// The subscriptions to a stream, each with its beginning and end.
  fileprivate struct Subscriptions {
    var edges: [UInt64] = []
    var marbles: [UInt64: [TimedMarble]] = [:]
  }

  /// The letters for values. Digits are excluded: `5ms` would be a pause.
  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  /// The greatest number of subscriptions shown per stream.
  private static let mostSubscriptions = 16
  /// The memory that a diagram or subscription takes, and a marble, in bytes.
  private static let diagramBytes = 512
  private static let marbleBytes = 64

  /// Reads the events of the selected streams, or of the named streams if none are selected.
  ///
  /// - Throws: a `SelectionError` if the selection names an event that does not exist, if a stream
  ///   has more distinct values than there are letters, or if there is too much to remember.
  public init(of reader: TraceReader, selection: Selection, words: TraceWords)
    throws(SelectionError)
  {
    let streams = reader.definitions.streams
    names = streams.mapValues(\.name)
    walk = TraceWalk(reader)
    var selection = selection
    selection.kinds = KindSelection([
      .value, .failed, .completed, .interrupted, .subscribed, .ended,
    ])
    var query = try EventQuery(selection, in: reader, columns: .all)
    var crowded: UInt32?
    var isTooMuch = false
    query.run { page in
      page.forEachEvent { event in
        guard selection.choosesStreams || streams[event.stream]?.isNamed == true, !isTooMuch,
          crowded == nil
        else { return }
        switch add(event, words) {
        case .added: break
        case .noLetter: crowded = event.stream
        case .noMemory: isTooMuch = true
        }
      }
      return crowded == nil && !isTooMuch
    }
    damage = query.damage
    passedOver = query.passedOver
    if isTooMuch {
      throw SelectionError(
        "this is more than a test could eat; choose fewer streams, or a shorter stretch with "
          + "--since and --until")
    }
    if let crowded {
      throw SelectionError(
        "\(TerminalText.escaped(names[crowded] ?? "a stream")) has more than "
          + "\(Self.letters.count) different values, which is as many as there are letters; choose "
          + "a shorter stretch with --since and --until")
    }
  }

  /// Whether nothing matched.
  public var isEmpty: Bool { order.isEmpty }

  private enum Outcome {
    case added, noLetter, noMemory
  }

  private mutating func add(_ event: TraceEvent, _ words: TraceWords) -> Outcome {
    let frame = Int(max(words.nanoseconds(event.ticks), 0) / 1_000_000)
    if event.kind == .subscribed || event.kind == .ended {
      let isKnown = subscriptions[event.stream]?.marbles[event.subscription] != nil
      guard walk.take(isKnown ? Self.marbleBytes : Self.diagramBytes) else { return .noMemory }
      subscriptions[event.stream, default: Subscriptions()].add(event, at: frame)
      return .added
    }
    let key = Key(stream: event.stream, run: event.subscription)
    guard walk.take(diagrams[key] == nil ? Self.diagramBytes : Self.marbleBytes) else {
      return .noMemory
    }
    if diagrams[key] == nil {
      diagrams[key] = Diagram()
      order.append(key)
      lasts[event.stream] = key
      processes[event.stream] = words.processes[EventName.recording(event.name.ring)]
      runs[event.stream, default: []].insert(event.subscription)
    }
    switch event.kind {
    case .completed: diagrams[key]?.marbles.append(TimedMarble(.completed, at: frame))
    case .failed: diagrams[key]?.marbles.append(TimedMarble(.failed, at: frame))
    case .value:
      let isNew = diagrams[key]?.letters[event.payload] == nil
      // Once as it is and once in JSON, which may escape each byte.
      guard !isNew || walk.take(event.payload.bytes.count * 8) else { return .noMemory }
      guard let letter = letter(for: event, in: key, words) else { return .noLetter }
      diagrams[key]?.marbles.append(TimedMarble(.value(letter), at: frame))
    default: break
    }
    return .added
  }

  private mutating func letter(
    for event: TraceEvent, in key: Key, _ words: TraceWords
  ) -> Character? {
    guard var diagram = diagrams.removeValue(forKey: key) else { return nil }
    defer { diagrams[key] = diagram }
    if let known = diagram.letters[event.payload] { return known }
    guard diagram.legend.count < Self.letters.count else { return nil }
    let letter = Self.letters[diagram.legend.count]
    diagram.letters[event.payload] = letter
    diagram.legend.append((letter, EventObject.value(event.payload).json))
    return letter
  }

  /// Returns the diagrams, each with its legend, with a line break after each line.
  public func text() -> String {
    order.map { key in
      let name = TerminalText.name(names[key.stream] ?? "stream \(key.stream)")
      let process = processes[key.stream].map { TerminalText.escaped($0) + " " } ?? ""
      let diagram = diagrams[key] ?? Diagram()
      let isLast = lasts[key.stream] == key
      let isRun = runs[key.stream, default: []].count > 1
      return
        "\(process)\(name)\(isRun ? ", run \(key.run)" : "")\n  '\(MarbleDiagram(diagram.marbles))'\n"
        + diagram.legend.map { "  \($0.letter) = \($0.value)\n" }.joined()
        + (isLast ? subscriptionText(key.stream) : "")
    }.joined(separator: "\n")
  }

  private func subscriptionText(_ stream: UInt32) -> String {
    guard let known = subscriptions[stream] else { return "" }
    let shown = known.edges.prefix(Self.mostSubscriptions).map { edge in
      "  subscription '\(MarbleDiagram(known.marbles[edge] ?? []))'\n"
    }
    let left = known.edges.count - shown.count
    return shown.joined() + (left > 0 ? "  and \(left) more subscriptions\n" : "")
  }
}

extension ExactMarbles.Subscriptions {
  fileprivate mutating func add(_ event: TraceEvent, at frame: Int) {
    let edge = event.subscription
    if marbles[edge] == nil { edges.append(edge) }
    let marble: Marble = event.kind == .subscribed ? .subscribed : .interrupted
    marbles[edge, default: []].append(TimedMarble(marble, at: frame))
  }
}
