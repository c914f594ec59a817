import Testing
import VarveAnalysis
import VarveProbe

@Suite("Kinds")
struct KindSelectionTests {
  private func kinds(_ names: String) throws -> [RecordKind] {
    let selection = try KindSelection(names: names)
    return RecordKind.allCases.filter { selection.contains($0.rawValue) }
  }

  @Test("kinds are chosen by name, some as a group")
  func names() throws {
    #expect(try kinds("value") == [.value])
    #expect(try kinds("value, failed") == [.value, .failed])
    #expect(
      try kinds("hop") == [
        .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .hopSampled,
      ])
    #expect(try kinds("terminal") == [.failed, .completed, .interrupted])
    #expect(try kinds("subscribed,disposed") == [.subscribed, .ended])
    for kind in RecordKind.allCases { #expect(try kinds(kind.name) == [kind]) }
  }

  @Test("disposed means the ends of subscriptions that somebody disposed of")
  func disposed() throws {
    let selection = try KindSelection(names: "disposed")
    let ended = RecordKind.ended.rawValue
    #expect(selection.contains(ended, reason: UInt64(EndReason.disposed.rawValue)))
    #expect(!selection.contains(ended, reason: UInt64(EndReason.completed.rawValue)))
    for both in ["disposed,ended", "ended,disposed"] {
      let all = try KindSelection(names: both)
      #expect(all.contains(ended, reason: UInt64(EndReason.completed.rawValue)))
    }
  }

  @Test("a mistyped kind is named with what it may have been")
  func mistyped() throws {
    let error = try #require(throws: SelectionError.self) {
      _ = try KindSelection(names: "value,faild")
    }
    #expect(error.message == "no kind of event is called \"faild\"; did you mean \"failed\"?")
  }

  @Test("kinds that a newer recorder may write are among all, and among nothing else")
  func future() throws {
    #expect(KindSelection.all.contains(200))
    #expect(try !KindSelection(names: "value,hop").contains(200))
  }
}
