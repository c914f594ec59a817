import Testing
import VarveProbe

@Suite struct RecursiveWriteTests {
  private let folder = Folder()

  @Test("Y4: a file says of a property's value that it was set inside the property's own delivery")
  func marked() throws {
    let path = folder.file("run.varve")
    let end = Child.run("recursive", [path, "3", "policy=block"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path)
    let echo = try #require(trace.streams.values.first { $0.name == "echo" }).id
    let kinds = [RecordKind.value.rawValue, RecordKind.log.rawValue]
    let told = trace.rings.values.joined()
      .filter { $0.stream == echo && kinds.contains($0.kind) }
      .map { $0.kind == RecordKind.value.rawValue ? "\($0.word)" : $0.text }
    let mark = "changed inside its own delivery"
    #expect(told == ["1", mark, "2", mark, "3"])
  }
}
