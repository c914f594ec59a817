/// The feeds of inputs that are given as a pack. A class, because a closure must not capture a pack.
final class FeedsOfPack<Failure: Error, each Value> {
  let feeds: (repeat Feed<each Value, Failure>)

  init(_ feeds: repeat Feed<each Value, Failure>) { self.feeds = (repeat each feeds) }

  var all: [any Upstream] {
    var all: [any Upstream] = []
    for feed in repeat each feeds { all.append(feed) }
    return all
  }
}
