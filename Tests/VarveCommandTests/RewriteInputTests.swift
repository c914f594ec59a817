import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("What verify, repair, merge and scrub take: files, folders, standard input")
struct RewriteInputTests {
  private let folder = TemporaryFolder()
  private let results = TemporaryFolder()
  private let shop: String
  private let till: String

  init() throws {
    shop = folder.file("shop.varve")
    till = folder.file("till.varve")
    try SearchTrace().script.write(to: shop, blockEvents: 8)
    var script = SearchTrace().script
    script.id = TraceID(low: 3, high: 4)
    try script.write(to: till, blockEvents: 8)
  }

  /// Runs the command with a file as its standard input.
  private func pipe(_ file: String, _ arguments: [String]) throws -> CommandRun {
    try CommandRun(
      ["-c", "cat \"$1\" | { shift; \"$0\" \"$@\"; }", CommandRun.command.path, file]
        + arguments, environment: ["TMPDIR": results.path], program: "/bin/sh")
  }

  private func damage(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test(
    "F3: a file that cannot be made has the name that was asked for, and the reason",
    arguments: ["repair", "merge", "scrub", "symbolicate"])
  func unwritable(verb: String) throws {
    let target = results.file("none/new.varve")
    let run = try CommandRun([verb, shop, "-o", target, "-q"])
    #expect(run.status == 3)
    let line = try #require(run.errors.split(separator: "\n").last)
    #expect(line.hasSuffix("cannot create \(target): No such file or directory"), "\(line)")
  }

  @Test("F3: verify checks each trace of a folder, and standard input")
  func verify() throws {
    let both = try CommandRun(["verify", folder.path])
    #expect(both.status == 0)
    #expect(both.output.hasPrefix("\(shop): intact: 39 events in "))
    #expect(both.output.contains("\n\(till): intact: 39 events in "))
    try damage(till)
    let damaged = try CommandRun(["verify", folder.path, "--format", "json"])
    #expect(damaged.status == 4)
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(damaged.output.utf8)) as? [[String: Any]])
    #expect(list.map { $0["file"] as? String } == [shop, till])
    #expect(list.map { $0["intact"] as? Bool } == [true, false])
    let lines = try CommandRun(["verify", folder.path, "--format", "ndjson"]).output
      .split(separator: "\n")
    let objects = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
    }
    #expect(objects == list.map { $0 as NSDictionary })
    let rows = try CommandRun(["verify", folder.path, "--format", "csv"]).output
      .split(separator: "\r\n")
    #expect(rows.count == 3 && rows[0].hasPrefix("file,intact,events,"), "\(rows)")
    // The flags of every output are taken here, too.
    let plain = try CommandRun(["verify", shop, "--ascii", "--no-pager", "--color", "never"])
    #expect(plain.status == 0 && plain.output.hasPrefix("intact"))
    // One that cannot be read leaves the others to be checked.
    try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.file("none.varve")))
    let strange = try CommandRun(["verify", folder.path])
    #expect(strange.status == 3)
    #expect(strange.errors.contains("none.varve"))
    #expect(
      strange.output.contains("\(shop): intact") && strange.output.contains("\(till): damaged"))
    let piped = try pipe(shop, ["verify", "-"])
    #expect(piped.status == 0 && piped.output.hasPrefix("intact: 39 events in "))
    #expect(try CommandRun(["verify", "-"]).errors.hasPrefix("varve: -: "))
  }

  @Test("merge takes folders and standard input, and never what it is about to write over")
  func merge() throws {
    let all = folder.file("all.varve")
    for arguments in [["-o", all], ["-o", all, "--force"]] {
      let merged = try CommandRun(["merge", folder.path] + arguments)
      #expect(merged.status == 0, "\(merged.errors)")
      #expect(merged.errors.contains("78 events of 2 traces in \(all)"))
    }
    unlink(all)
    let piped = try pipe(shop, ["merge", "-", till, "-o", results.file("both.varve")])
    #expect(piped.status == 0 && piped.errors.contains("78 events of 2 traces"))
    #expect(results.names == ["both.varve"])
    let one = try CommandRun(["merge", shop, "-o", results.file("one.varve")])
    #expect(one.errors.contains("39 events of 1 trace in "))
  }

  @Test("repair and scrub take one trace: a file, standard input, a folder that holds no other")
  func one() throws {
    for verb in ["repair", "scrub", "symbolicate"] {
      let out = results.file("\(verb).varve")
      let piped = try pipe(shop, [verb, "-", "-o", out])
      #expect(piped.status == 0, "\(piped.errors)")
      #expect(try TraceReader(path: out).events == 39)
      let many = try CommandRun([verb, folder.path, "-o", out, "--force"])
      #expect(many.status == 2)
      #expect(many.errors.contains("\(verb) takes one trace, and this folder has 2"))
      #expect(try CommandRun([verb, TemporaryFolder().path, "-o", out]).status == 3)
    }
    unlink(till)
    let alone = try CommandRun(["repair", folder.path, "-o", results.file("alone.varve")])
    #expect(alone.status == 0)
    #expect(results.names.allSatisfy { $0.hasSuffix(".varve") })
  }
}
