internal import CVarveSystem
internal import VarveProbe

/// One reading of a stream: told when it begins, and once when it ends.
///
/// The beginning is told again to a recording that starts in between.
struct TracedSubscription {
  let number = vv_subscription_number()
  /// The stream that the reading feeds; 0 for code outside all streams.
  var fed: UInt32 = 0
  /// The recording that knows of the reading.
  private(set) var session: UInt32 = 0
  private(set) var hasEnded = false

  init(feeding fed: UInt32 = 0) { self.fed = fed }

  /// Records the beginning, unless the current recording knows it. Returns the record's reference,
  /// or 0.
  @discardableResult
  mutating func tellBeginning(of stream: RecordedStream, _ wanted: RecordedStream.Wanted) -> UInt64
  {
    guard !hasEnded, session != wanted.gate >> 8 else { return 0 }
    session = wanted.gate >> 8
    let payload = SubscriptionPayload(stream: fed, stack: TraceRecords.stack(.stacks, wanted))
    return stream.record(.subscribed, wanted, subscription: number) {
      $0.emit(.stream, word: payload.word, into: $1)
    }
  }

  /// Records the end, if it has not ended and the current recording knows it.
  mutating func tellEnd(of stream: RecordedStream, _ reason: EndReason) {
    guard !hasEnded else { return }
    hasEnded = true
    guard let wanted = stream.wanted, session == wanted.gate >> 8 else { return }
    let author = reason == .completed || reason == .failed ? 0 : TraceRecords.stack(.stacks, wanted)
    let payload = ReasonPayload(reason: reason.rawValue, stack: author)
    stream.tellRest(wanted)
    stream.record(.ended, wanted, subscription: number) {
      $0.emit(.reason, word: payload.word, into: $1)
    }
  }
}
