import Foundation
import Testing
import VarveAnalysis
import VarveTraceScript

@Suite("Lines of source by the name of their file")
struct SourceLinesTests {
  private let folder = TemporaryFolder()

  private func write(_ text: String, in part: String) throws -> String {
    let own = folder.file(part)
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    let file = own + "/OnlyHere.swift"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test("G4: a file that is known by its name alone is shown, and none if two have that name")
  func bareNames() throws {
    var sources = SourceLines()
    let (one, other) = (try write("one", in: "one"), try write("other", in: "other"))
    #expect(sources.lines(of: one) == ["one"])
    #expect(sources.lines(of: "OnlyHere.swift") == ["one"])
    #expect(sources.lines(of: other) == ["other"])
    #expect(sources.lines(of: "OnlyHere.swift") == nil)
    #expect(sources.lines(of: "other/OnlyHere.swift") == ["other"])
  }

  @Test("G4: a link to a file is no other file")
  func links() throws {
    var sources = SourceLines()
    let one = try write("one", in: "one")
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.file("one"))
    #expect(sources.lines(of: one) == ["one"])
    #expect(sources.lines(of: link + "/OnlyHere.swift") == ["one"])
    #expect(sources.lines(of: "OnlyHere.swift") == ["one"])
    // A module need not be called as its folder is.
    #expect(sources.lines(of: "Shop/OnlyHere.swift") == ["one"])
  }
}
