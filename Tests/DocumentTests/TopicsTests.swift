import Foundation
import Testing

/// What the catalogues of documentation list is what their modules declare.
@Suite("Topics of the documentation") struct TopicsTests {
  private static let modules = Repository.files(in: "Sources", endingIn: ".docc").map {
    URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
  }

  /// The symbols at the top of the lists below `## Topics`.
  private func listed(in module: String) throws -> [String] {
    let lines = try Repository.lines(of: "Sources/\(module)/\(module).docc/\(module).md")
    return lines.drop { $0 != "## Topics" }.compactMap { line in
      line.hasPrefix("- ``") && line.hasSuffix("``") ? String(line.dropFirst(4).dropLast(2)) : nil
    }
  }

  @Test("Each library has a catalogue")
  func catalogues() throws {
    let product = try Regex(#"^\s*\.library\(name: "(\w+)""#, as: (Substring, Substring).self)
    let libraries = try Repository.lines(of: "Package.swift").compactMap { line in
      line.firstMatch(of: product).map { String($0.output.1) }
    }
    #expect(libraries.count > 10)
    // Nobody imports what is written in C: its header says what it is, and `Docs/Tasks.md` how it is used.
    let ofSwift = libraries.filter { library in
      Repository.files(in: "Sources/\(library)", endingIn: ".swift").count > 0
    }
    #expect(libraries.filter { !ofSwift.contains($0) } == ["VarveTasks"])
    #expect(ofSwift.sorted() == Self.modules.sorted())
  }

  #if os(Linux)
    // Elsewhere, to look at a module takes the system's SDK too.
    @Test("A catalogue lists each public declaration of its module once", arguments: modules)
    func topics(_ module: String) throws {
      let listed = try listed(in: module)
      let declared = try SymbolGraph(of: module).names
      for name in Set(declared).subtracting(listed).sorted() {
        Issue.record("\(module).md does not list \(name)")
      }
      for name in Set(listed).subtracting(declared).sorted() {
        Issue.record("\(module) does not declare \(name), which \(module).md lists")
      }
      #expect(Set(listed).count == listed.count, "\(module).md lists something twice")
    }
  #endif
}
