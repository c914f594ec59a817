package import Varve

/// Where a word stands.
public struct Hit: Hashable, Comparable, Sendable {
  /// The document's name.
  public let document: String
  /// The line, from 1.
  public let line: Int

  package init(document: String, line: Int) {
    self.document = document
    self.line = line
  }

  /// By document, then by line.
  public static func < (left: Hit, right: Hit) -> Bool {
    (left.document, left.line) < (right.document, right.line)
  }
}

/// An index of some documents: every word with the lines that it stands on.
package struct Shard: Sendable {
  /// Sorted, so that the words with one beginning lie side by side.
  private let words: [String]
  private let hits: [[Hit]]

  package init(_ documents: some Sequence<Document>) {
    var places: [String: [Hit]] = [:]
    for document in documents {
      for (number, line) in document.lines.enumerated() {
        let hit = Hit(document: document.name, line: number + 1)
        for word in Set(Self.words(in: line)) { places[word, default: []].append(hit) }
      }
    }
    words = places.keys.sorted()
    hits = words.map { places[$0] ?? [] }
  }

  /// The lines with a word that begins so, in no particular order.
  package func search(_ beginning: String) -> Set<Hit> {
    var low = 0
    var high = words.count
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < beginning { low = middle + 1 } else { high = middle }
    }
    let matching = words[low...].prefix { $0.hasPrefix(beginning) }
    return Set(matching.indices.lazy.flatMap { hits[$0] })
  }

  /// How often each word stands here.
  package var frequencies: [(word: String, count: Int)] {
    zip(words, hits).map { ($0, $1.count) }
  }

  /// The words of a line: runs of letters, in lower case.
  private static func words(in line: String) -> [String] {
    line.lowercased().utf8.split { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      .compactMap { String($0) }
  }
}

extension Shard: TraceValue {
  /// How many words it knows. Without this, each recorded shard would be written out in full and cut
  /// off afterwards.
  package var tracePayload: TracePayload { .string("\(words.count) words") }
}
