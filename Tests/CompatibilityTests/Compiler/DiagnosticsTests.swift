// These look at modes for themselves: once is enough.
#if swift(>=6)
  import Foundation
  import Testing

  @Suite(.serialized) struct DiagnosticsTests {
    @Test(
      "E6: what is safe compiles without a word; what races is a warning, in Swift 6 mode",
      arguments: ["Safe", "Races", "Mutations", "Globals", "Crossings", "Concurrency"], [5, 6])
    func sendable(_ name: String, mode: Int) throws {
      let file = try ClientFile(name)
      let found = try Compiler.diagnostics(of: file.url, mode: mode)
      #expect(found == file.expected(mode: mode))
    }

    @Test(
      "E6: warnings are errors to those who want that, and safe code has none", arguments: [5, 6])
    func warningsAsErrors(mode: Int) throws {
      let safe = try ClientFile("Safe")
      #expect(try Compiler.diagnostics(of: safe.url, mode: mode, ["-warnings-as-errors"]).isEmpty)
      let races = try ClientFile("Races")
      let errors = try Compiler.diagnostics(of: races.url, mode: mode, ["-warnings-as-errors"])
      #expect(Set(errors.map(\.line)) == Set(races.expected(mode: mode).map(\.line)))
      #expect(errors.allSatisfy { $0.severity == "error" })
    }

    @Test(
      "long chains are solved in few steps, whichever product is imported",
      arguments: ["ReactiveSwiftCompatibility", "Varve"], [5, 6])
    func chains(module: String, mode: Int) throws {
      let chains = try ClientFile("Chains")
      let text = chains.text.replacingOccurrences(of: "ReactiveSwiftCompatibility", with: module)
      let copy = FileManager.default.temporaryDirectory
        .appendingPathComponent("chains-\(UUID()).swift")
      try text.write(to: copy, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: copy) }
      let found = try Compiler.diagnostics(
        of: copy, mode: mode, ["-Xfrontend", "-solver-scope-threshold=1000"])
      #expect(found.isEmpty)
    }

    @Test("the bound on the steps is one: a far lower one is overstepped")
    func bound() throws {
      let found = try Compiler.diagnostics(
        of: ClientFile("Chains").url, mode: 6, ["-Xfrontend", "-solver-scope-threshold=20"])
      #expect(!found.isEmpty)
    }
  }
#endif
