import SearchDemo
import Testing

@Suite("Shard")
struct ShardTests {
  private let shard = Shard([
    Document(name: "a.txt", text: "A signal.\nNothing here.\nSignals, and a signal again."),
    Document(name: "b.txt", text: "sign\nassign"),
  ])

  @Test("finds the lines with a word that begins as asked, each once, in any case")
  func beginning() {
    #expect(
      shard.search("signal") == [Hit(document: "a.txt", line: 1), Hit(document: "a.txt", line: 3)])
    #expect(shard.search("sign").count == 3)
  }

  @Test("finds nothing for what stands nowhere", arguments: ["signalled", "zebra", "aa"])
  func nothing(query: String) {
    #expect(shard.search(query).isEmpty)
  }

  @Test("counts the lines of each word")
  func frequencies() {
    let counts = Dictionary(uniqueKeysWithValues: shard.frequencies.map { ($0.word, $0.count) })
    #expect(counts["signal"] == 2)
    #expect(counts["assign"] == 1)
    #expect(counts["zebra"] == nil)
  }
}
