import Foundation
import Testing

/// Documents can be found, and what they point to is there.
@Suite struct LinkTests {
  @Test("The README leads to every document")
  func index() throws {
    let readme = try Repository.text(of: "README.md")
    for document in ExampleTests.documents where !document.contains("/Decisions/") {
      // A library's page lists what the library declares: its browser leads there.
      let folder = document.split(separator: "/").dropLast().last ?? ""
      let name = document.split(separator: "/").last ?? ""
      guard document != "README.md", "\(name.dropLast(3)).docc" != folder else { continue }
      #expect(readme.contains("(\(document))"), "\(document)")
    }
  }

  @Test("Every link within the repository leads somewhere", arguments: ExampleTests.documents)
  func links(_ document: String) throws {
    let link = try Regex(#"\]\(([^)#:]+)[)#]"#, as: (Substring, Substring).self)
    let folder = URL(fileURLWithPath: document, relativeTo: URL(fileURLWithPath: "/"))
      .deletingLastPathComponent()
    for match in try Repository.text(of: document).matches(of: link) {
      let target = folder.appendingPathComponent(String(match.output.1)).standardized.path
      #expect(Repository.contains(String(target.dropFirst())), "\(match.output.1)")
    }
  }
}
