internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes events as the page reads them.
struct ViewerEventText {
  private let words: TraceWords
  /// The first tick of the trace, from which the page counts.
  let first: UInt64

  /// The number of bytes of a value that the page has in lists.
  static let longestValue = 4_096

  init(_ words: TraceWords, first: UInt64) {
    self.words = words
    self.first = first
  }

  /// The tick of an event as the page counts.
  func tick(_ event: TraceEvent) -> UInt64 { event.ticks - min(event.ticks, first) }

  /// The name of a thread, given by its ring.
  func thread(_ ring: UInt32) -> String { words.thread(ring) }

  /// The members of an event besides its lane, with so many bytes of its value.
  func members(_ event: TraceEvent, bytes longest: Int = longestValue) -> String {
    let (value, type) = EventObject.value(event.payload.cut(to: longest))
    let kept = event.payload.bytes.count
    let length = event.payload.cutBytes ?? (kept > longest ? UInt64(kept) : nil)
    let causes = event.causes.map { JSONText.quoted($0.description) }.joined(separator: ",")
    return """
      "event":"\(event.name)","tick":\(tick(event)),\
      "kind":\(JSONText.quoted(event.kind?.name ?? "unknown")),"value":\(value),\
      "type":\(type.map { "\"\($0)\"" } ?? "null"),"truncated":\(length != nil),\
      "value_bytes":\(length.map { String($0) } ?? "null"),\
      "thread":\(JSONText.quoted(words.thread(event.ring))),\
      "subscription":\(event.subscription == 0 ? "null" : String(event.subscription)),\
      "reason":\(event.reason.map { "\"\($0)\"" } ?? "null"),"causes":[\(causes)]
      """
  }

  /// An event as an object; without a lane where it has none.
  func object(_ event: TraceEvent, lane: Int?, bytes longest: Int = longestValue) -> String {
    "{\"lane\":\(lane.map { String($0) } ?? "null"),\(members(event, bytes: longest))}"
  }
}
