import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("varve export: Parquet by day and program")
struct PartitionTests {
  private let folder = TemporaryFolder()
  /// Of two days: the script begins on November 14, 2023, at 22:13:20.
  private let shop: String
  /// Of the second day, by a program with a strange name.
  private let till: String

  private static let secondDay: Double = 6_400_000
  private static let shopFiles = [
    "day=2023-11-14/program=shop/4711-2023-11-14T221320.001000000Z.parquet",
    "day=2023-11-15/program=shop/4711-2023-11-15T000000.000000000Z.parquet",
  ]
  private static let tillFile =
    "day=2023-11-15/program=a%3Db 50%25/99-2023-11-15T000000.001000000Z.parquet"

  init() throws {
    shop = folder.file("shop.varve")
    till = folder.file("till.varve")
    var script = TraceScript()
    let keys = script.stream("keys")
    script.value(keys, "a", at: 1)
    script.lose(7, from: Self.secondDay, to: Self.secondDay + 1)
    script.value(keys, "b", at: Self.secondDay + 2)
    try script.write(to: shop)
    script = TraceScript()
    script.id = TraceID(low: 3, high: 4)
    script.process.program = "/usr/bin/a=b 50%"
    script.process.pid = 99
    let coins = script.stream("coins")
    script.value(coins, "c", at: Self.secondDay + 1)
    try script.write(to: till)
  }

  private func export(_ files: [String], to target: String, _ options: [String] = []) throws
    -> CommandRun
  {
    try CommandRun(["export"] + files + ["--format", "parquet", "-o", target] + options)
  }

  /// The files below a folder, with what a reader needs at both of their ends.
  private func files(in target: String) throws -> [String] {
    let found = try FileManager.default.subpathsOfDirectory(atPath: target).filter {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(target)/\($0)", isDirectory: &isFolder)
      return !isFolder.boolValue
    }
    for file in found {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(target)/\(file)"))
      #expect(bytes.prefix(4) == Data("PAR1".utf8) && bytes.suffix(4) == Data("PAR1".utf8))
    }
    return found.sorted()
  }

  @Test("a target that ends in a slash gets files by day and program, named by their first rows")
  func byDayAndProgram() throws {
    let target = folder.file("traces")
    let run = try export([shop], to: target + "/")
    // What was lost is missing, and the trace is not damaged for that.
    #expect(run.status == 0, "\(run.errors)")
    #expect(try files(in: target) == Self.shopFiles)
  }

  @Test("several runs fill one folder, and each process of a merge has files of its own")
  func together() throws {
    let (apart, together) = (folder.file("apart"), folder.file("together"))
    #expect(try export([shop], to: apart, ["--partition"]).status == 0)
    #expect(try export([till], to: apart).status == 0)
    #expect(try export([shop, till], to: together, ["--partition"]).status == 0)
    let expected = (Self.shopFiles + [Self.tillFile]).sorted()
    #expect(try files(in: apart) == expected)
    #expect(try files(in: together) == expected)
  }

  @Test("F2: nothing is overwritten unasked, and nothing is left of an export that fails")
  func fails() throws {
    let target = folder.file("traces")
    #expect(try export([shop], to: target + "/").status == 0)
    let again = try export([shop, till], to: target)
    #expect(again.status == 2 && again.errors.contains("--force overwrites it"), "\(again.errors)")
    #expect(try files(in: target) == Self.shopFiles)
    #expect(try export([shop], to: target, ["--force"]).status == 0)
    #expect(try files(in: target) == Self.shopFiles)
    // A file where a folder has to be.
    let blocked = folder.file("blocked")
    try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: blocked + "/day=2023-11-14"))
    #expect(try export([shop], to: blocked).status == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: blocked) == ["day=2023-11-14"])
  }

  @Test(
    "what cannot be by day and program is said to be so",
    arguments: [
      (["--format", "csv", "-o", "x", "--partition"], "--partition goes with --format parquet"),
      (["--format", "parquet", "--partition"], "name it: -o traces/"),
    ])
  func wrong(options: [String], said: String) throws {
    let run = try CommandRun(["export", shop] + options)
    #expect(run.status == 2 && run.errors.contains(said), "\(run.errors)")
    let file = folder.file("file")
    try Data().write(to: URL(fileURLWithPath: file))
    #expect(try export([shop], to: file, ["--partition"]).errors.contains("is no folder"))
  }
}
