public import Varve

/// Search as you type: from keystrokes to results.
///
///     keystrokes ─► text ─► query ─► search ─► results
///                                      ├─► progress
///                    lookup, retried ──┘
public final class SearchSession: Sendable {
  /// What the line shows.
  public let text = MutableProperty("")
  /// What the last search that nothing overtook has found.
  public let results = MutableProperty(Results.none)
  /// How much of a hundred is done: of indexing, then of the search.
  public let progress = MutableProperty(0)

  private let documents: [Document]
  private let store: PreviewStore
  private let interface: any TimedScheduler
  private let background: any TimedScheduler
  private let index = MutableProperty(Index())

  private static let parts = 4
  private static let pause = Duration.milliseconds(150)

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - interface: where keystrokes arrive and results are shown.
  ///   - background: where the work is done.
  public init(
    _ documents: [Document], store: PreviewStore, interface: any TimedScheduler,
    background: any TimedScheduler
  ) {
    self.documents = documents
    self.store = store
    self.interface = interface
    self.background = background
  }

  /// Indexes the documents, then searches for what `keyboard` types, until it completes and the last
  /// search has ended.
  public func run(
    keyboard: @escaping @Sendable (Index) -> SignalProducer<Key, Never>,
    finished: @escaping @Sendable () -> Void
  ) {
    let (keystrokes, keys) = Signal<Key, Never>.pipe()
    let named = keystrokes.named("keystrokes")
    let typed = named.scan("") { $1.typed(into: $0) }.named("text")
    text <~ typed

    let query = typed.debounce(Self.pause, on: interface, discardWhenCompleted: false)
      .skipRepeats().named("query")
    let updates = query.flatMap(.latest) { [self] in search($0) }.observe(on: interface)
    results <~ updates.compactMap(\.results).named("results")
    updates.observeCompleted(finished)

    indexing.startWithSignal { indexed, _ in
      let done = indexed.scan(0) { percent, _ in percent + 100 / Self.parts }
      progress <~ Signal.merge(done, updates.map(\.percent)).named("progress")
      indexed.observeValues { [index] shard in index.modify { $0.shards.append(shard) } }
      indexed.observeCompleted { [index] in keyboard(index.value).start(keys) }
    }
  }

  /// The index, part by part.
  private var indexing: SignalProducer<Shard, Never> {
    let size = (documents.count + Self.parts - 1) / Self.parts
    return SignalProducer(0..<Self.parts).flatMap(.concat) { [documents, background] part in
      SignalProducer<Shard, Never> { Shard(documents.dropFirst(part * size).prefix(size)) }
        .start(on: background)
    }
    .observe(on: interface).named("indexing")
  }

  /// One search: all parts of the index side by side, then a look at the first hit.
  private func search(_ query: String) -> SignalProducer<SearchUpdate, Never> {
    guard query.count > 1 else { return SignalProducer(value: .found(.none)) }
    let parts = index.value.shards.map { [background] shard in
      SignalProducer<Finding, Never> { Finding(hits: shard.search(query), searched: 1) }
        .start(on: background)
    }
    return SignalProducer.merge(parts).scan(Finding()) { $0.adding($1) }.named("search.parts")
      .flatMap(.concat) { [self] finding in
        let progress = SearchUpdate.progress(80 * finding.searched / Self.parts)
        guard finding.searched == Self.parts else { return SignalProducer(value: progress) }
        return preview(of: finding.ranked, query: query).prefix(value: progress)
      }
      .named("search")
  }

  /// The results with the text of the first hit, or without it when the store fails time and again.
  private func preview(of hits: [Hit], query: String) -> SignalProducer<SearchUpdate, Never> {
    guard let first = hits.first else {
      return SignalProducer(value: .found(Results(query: query, hits: [], preview: nil)))
    }
    return store.preview(of: first).named("lookup")
      .retry(upTo: 2)
      .map { .found(Results(query: query, hits: hits, preview: $0)) }
      .flatMapError { _ in
        SignalProducer(value: .found(Results(query: query, hits: hits, preview: nil)))
      }
  }
}
