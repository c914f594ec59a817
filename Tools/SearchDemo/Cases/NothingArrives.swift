import Varve

/// A list that is made of the query, the index and the settings, and stays empty: the settings are
/// loaded by nobody.
struct NothingArrives {
  func run() {
    let (queries, query) = Signal<String, Never>.pipe(named: "query")
    let (indexes, index) = Signal<[String], Never>.pipe(named: "index")
    let (settings, loaded) = Signal<Bool, Never>.pipe(named: "settings")  // culprit
    let list = Signal.combineLatest(queries, indexes, settings)
      .map { query, index, isExact in
        index.filter { isExact ? $0 == query : $0.hasPrefix(query) }
      }
      .named("list")
    list.observeValues { print("found \($0.count)") }

    index.send(value: ["lake", "lamp", "slide", "varve"])
    for end in 1...4 { query.send(value: String("lake".prefix(end))) }
    print("nothing was found, not even nothing")
    withExtendedLifetime(loaded) {}
  }
}
