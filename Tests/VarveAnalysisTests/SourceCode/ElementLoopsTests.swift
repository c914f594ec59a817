import Testing
import VarveProbe

@testable import VarveAnalysis

/// What loops over groups and streams do with each element, by their source.
@Suite("Loops over elements")
struct ElementLoopsTests {
  /// A loop whose head is in line 2.
  private func file(_ loop: String, above: String = "", below: String = "") throws -> SourceFile {
    try SourceFile("func all() async { \(above)\n\(loop)\n\(below)\n}\n")
  }

  private func append(
    _ loop: String, above: String = "", below: String = "return list"
  ) throws -> UInt32? {
    let file = try file(loop, above: above, below: below)
    var loops = ElementLoops()
    return loops.append(byLoopAt: file.frame(2))?.place.line
  }

  @Test("G1: the line that appends each element, bare, to a list is told; a sum is none")
  func appends() throws {
    #expect(try append("for try await one in group {\nlist.append(one)\n}") == 3)
    #expect(try append("while let one = await group.next() {\n\nself.list += [one]\n}") == 4)
    #expect(try append("for await page in group {\nlist.append(contentsOf: page)\n}") == 3)
    #expect(try append("for await one in group {\nsum += one\n}") == nil)
    let joining = "for await one in group {\nall += one\n}"
    #expect(try append(joining, above: "var all: [UInt8] = []") == 3)
    #expect(try append(joining, above: "var all = Data()") == 3)
    #expect(try append(joining, above: "var all = 0") == nil)
    #expect(try append("for await (index, one) in group {\nlist[index] = one\n}") == nil)
    #expect(try append("for one in list {\nlist.append(one)\n}") == nil)
    let loop = "for await one in group {\nlist.append(one)\n}"
    #expect(try append(loop, below: "list.sort { $0.id < $1.id }\nreturn list") == nil)
    #expect(try append(loop, below: "return list.reduce(0, +)") == nil)
  }

  private func skip(_ body: String, above: String = "start()") throws -> UInt32? {
    let file = try file("while let one = await group.next() {\n\(body)\n}", above: above)
    var loops = ElementLoops()
    return loops.skip(inLoopAt: file.frame(2))?.line
  }

  @Test("G1: the only `continue` above what takes the next piece of work is told")
  func skips() throws {
    let guarded = "guard one.isGood else {\ncontinue\n}"
    #expect(try skip("\(guarded)\nstart()") == 4)
    #expect(try skip("\(guarded)\nif let id = ids.next() {\ngroup.addTask { get(id) }\n}") == 4)
    #expect(
      try skip("switch one {\ncase .failure: continue\ncase .success: list.append(one)\n}\nstart()")
        == 4)
    // What is below is not what fills the group at first, or stands above, or is done in an inner loop.
    #expect(try skip("\(guarded)\ngroup.addTask { await retry(one) }") == nil)
    #expect(try skip("start()\n\(guarded)\nlist.append(one)") == nil)
    #expect(try skip("for part in one {\nif part < 1 { continue }\n}\nstart()") == nil)
    #expect(try skip("\(guarded)\nif one.isOld { continue }\nstart()") == nil)
  }

  private func exit(_ body: String) throws -> UInt32? {
    let file = try file("for await one in all {\n\(body)\n}")
    var loops = ElementLoops()
    return loops.exit(ofLoopAt: file.frame(2))?.line
  }

  @Test("G1: the only way out of a loop is told, unless it goes out with what was looked for")
  func exits() throws {
    #expect(try exit("guard let one = read(one) else {\nreturn\n}\nshow(one)") == 4)
    #expect(try exit("if one.isOld { break }") == 3)
    #expect(try exit("switch one {\ncase 1: break\ndefault: return\n}") == 5)
    #expect(try exit("switch one {\ncase 1:\nbreak\ndefault:\nshow(one)\n}") == nil)
    #expect(try exit("for part in one {\nif part < 1 { break }\n}") == nil)
    #expect(try exit("if one.isGood { return one }") == nil)
    #expect(try exit("run {\nreturn\n}") == nil)
    #expect(try exit("if one < 1 { return }\nif one > 2 { break }") == nil)
  }
}
