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

  /// Returns a line for each way.
  ///
  /// - Parameters:
  ///   - sign: what stands before what was brought by a hop.
  ///   - name: returns the name of a lane.
  func notes(_ sign: Character, name: (Int) -> String) -> [TimelineNotes.Note] {
    timeline.hops.prefix(Self.most).map { hops in
      let longest = DurationWords.text(hops.longest, ascii: words.style.ascii)
      let count = Counted.text(UInt64(hops.count), "hop", "hops")
      return TimelineNotes.Note(
        sign: sign, tag: hops.tag, place: words.place(of: timeline.streams[hops.lane]),
        name: name(hops.lane),
        count: TimelineNotes.Phrase(
          hops.count == 1 ? "\(count), \(longest)" : "\(count), longest \(longest)",
          brief: "\(count), \(longest)"),
        text: TimelineNotes.Phrase(sides(hops) { $0 }, brief: sides(hops, brief)))
    }
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
