import Testing

@testable import VarveAnalysis

/// Names of functions as people write them.
@Suite struct SwiftNameTests {
  @Test(arguments: [
    ("Shop.Search.run(Swift.Int) -> ()", "Search.run(_:)"),
    ("Shop.Search.run(query: Swift.String, Swift.Int) -> Swift.Int", "Search.run(query:_:)"),
    ("static Shop.Search.main() -> ()", "static Search.main()"),
    (
      "closure #1 (Swift.Int) -> () in Shop.Search.run(on: (Swift.Int) -> ()) -> ()",
      "closure #1 in Search.run(on:)"
    ),
    (
      "closure #2 @Sendable () -> () in closure #1 () -> () in Shop.f() -> ()",
      "closure #2 in closure #1 in f()"
    ),
    ("Shop.Search.(hidden in _0123456789ABCDEF)(a: Swift.Int) -> ()", "Search.hidden(a:)"),
    ("generic specialization <Swift.Int> of Shop.f<A>(A) -> A", "f(_:)"),
    ("partial apply forwarder for closure #1 () -> () in Shop.f() -> ()", "closure #1 in f()"),
    ("(extension in Shop):Swift.Array.pick<A where A: Swift.Hashable>(A) -> ()", "Array.pick(_:)"),
    ("Shop.Search.count.getter : Swift.Int", "Search.count.getter"),
    ("VarveReactive.ScheduledWork.run() -> ()", "VarveReactive.ScheduledWork.run()"),
    ("(extension in Shop):VarveReactive.Signal.pick<A>(A) -> ()", "Signal.pick(_:)"),
    ("(extension in VarveReactive):Swift.Sequence.f() -> ()", "VarveReactive.Sequence.f()"),
    ("VarveRecorder.Recorder.stop() -> ()", "VarveRecorder.Recorder.stop()"),
    (
      "function signature specialization <Arg[0] = Dead> of generic specialization "
        + "<VarveReactive.Signal<Swift.Int, Swift.Never>> of Shop.f<A>(A) -> A", "f(_:)"
    ),
    ("main", "main"),
    ("(2) suspend resume partial function for Shop.f(a: Swift.Int) async -> ()", "f(a:)"),
    (
      "(13) await resume partial function for partial apply forwarder for closure #1 () -> () in "
        + "Shop.f() -> ()", "closure #1 in f()"
    ),
  ])
  func `types and modules are left out`(full: String, short: String) {
    #expect(SwiftName.short(full) == short)
  }

  @Test func `mangled names are read, others left as they are`() {
    #expect(SwiftName.readable("$s4Shop6SearchC3runyyF") == "Search.run()")
    #expect(SwiftName.readable("start_thread") == "start_thread")
    #expect(SwiftName.readable("$s not a name") == "$s not a name")
  }

  @Test func `what symbolisers print is read, inlined functions first`() {
    let text = """
      0x1234
      $s4Shop6SearchC3runyyF
      /src/Search.swift:12
      main
      /src/main.swift:3 (discriminator 2)
      0x5678
      ??
      ??:0
      0x9abc
      start
      ??:?
      """
    let found = SymbolTool.parse(text)
    #expect(found[0x1234]?.map(\.function) == ["Search.run()", "main"])
    #expect(found[0x1234]?.map(\.line) == [12, 3])
    #expect(found[0x1234]?.last?.file == "/src/main.swift")
    #expect(found[0x5678] == nil)
    #expect(found[0x9abc]?.map(\.function) == ["start"])
    #expect(found[0x9abc]?.first?.file == nil)
  }
}
