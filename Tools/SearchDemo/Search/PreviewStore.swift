import Synchronization
public import Varve

/// Where the text of a hit is looked up. It stands for a server: it takes its time, and every third
/// request fails.
public final class PreviewStore: Sendable {
  /// What a request fails with.
  public struct Unavailable: Error {}

  private let documents: [String: Document]
  private let scheduler: any TimedScheduler
  private let seed: UInt64
  private let requests = Atomic<UInt64>(0)

  /// Creates a store of some documents that answers on `scheduler`.
  public init(_ documents: [Document], seed: UInt64, answersOn scheduler: any TimedScheduler) {
    self.documents = Dictionary(documents.map { ($0.name, $0) }) { first, _ in first }
    self.seed = seed
    self.scheduler = scheduler
  }

  /// The text of the line at `hit`; each start is a request.
  func preview(of hit: Hit) -> SignalProducer<String, Unavailable> {
    SignalProducer { [self] observer, lifetime in
      let request = requests.add(1, ordering: .relaxed).newValue
      var random = SeededRandom(seed: seed &+ request)
      let latency = Duration.milliseconds(Int.random(in: 180...420, using: &random))
      lifetime += scheduler.schedule(after: latency) { [self] in
        if request.isMultiple(of: 3) {
          observer.send(error: Unavailable())
        } else {
          observer.send(value: text(at: hit))
          observer.sendCompleted()
        }
      }
    }
  }

  private func text(at hit: Hit) -> String {
    guard let lines = documents[hit.document]?.lines, lines.indices.contains(hit.line - 1) else {
      return ""
    }
    return lines[hit.line - 1]
  }
}
