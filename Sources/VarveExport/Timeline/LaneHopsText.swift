internal import VarveMarbles

/// The lines below the lanes that name the schedulers between which hops are drawn.
struct LaneHopsText {
  private let timeline: Timeline
  private let words: TraceWords

  /// The greatest number of lines.
  private static let most = 8

  init(_ timeline: Timeline, _ words: TraceWords) {
    self.timeline = timeline
    self.words = words
  }

  /// Returns a line for each way, in cells: the event that waited longest, its time, the stream,
  /// how often and how long, and the schedulers.
  ///
  /// - Parameters:
  ///   - sign: what stands before what was brought by a hop.
  ///   - name: returns the name of a lane.
  func notes(_ sign: Character, name: (Int) -> String) -> [[String]] {
    let shown = timeline.hops.prefix(Self.most)
    let cells = shown.map { hops in
      let time = ElapsedTime.exact(nanoseconds: hops.tag.time / 1_000_000 * 1_000_000)
      let longest = DurationWords.text(hops.longest, ascii: words.style.ascii)
      let count = Counted.text(UInt64(hops.count), "hop", "hops")
      return [
        "\(sign) #\(hops.tag.event)", time, words.style.short(name(hops.lane), to: 20),
        hops.count == 1 ? "\(count), \(longest)" : "\(count), longest \(longest)",
      ]
    }
    let widths = (0..<4).map { column in cells.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    let room = words.style.width.map { $0 - widths.reduce(0, +) - 2 * widths.count }
    let whole = shown.map { sides($0) { $0 } }
    let isNarrow = room.map { room in whole.contains { DisplayWidth.of($0) > room } } ?? false
    let ways = isNarrow ? shown.map { sides($0, brief) } : whole
    return zip(cells, ways).map { $0 + [$1] }
  }

  private func sides(_ hops: Timeline.Hops, _ form: (String) -> String) -> String {
    let from =
      switch hops.from {
      case .scheduler(let id): words.scheduler(id)
      case .thread(let ring): words.thread(ring)
      }
    let arrow = words.style.ascii ? "->" : "→"
    return "\(form(from)) \(arrow) \(form(words.scheduler(hops.to)))"
  }

  /// Returns `search` for `shop[4711] QueueScheduler(search)`: the part that tells schedulers apart.
  private func brief(_ name: String) -> String {
    var name = Substring(name)
    if let process = name.firstRange(of: "] ") { name = name[process.upperBound...] }
    guard name.last == ")", let open = name.firstIndex(of: "(") else { return String(name) }
    let own = name[open...].dropFirst().dropLast()
    return String(own.isEmpty ? name : own)
  }

  /// The number of ways that have no line.
  var hidden: Int { max(timeline.hops.count - Self.most, 0) }
}
