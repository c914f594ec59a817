import Testing
import VarveAnalysis

@Suite("Name patterns")
struct NamePatternTests {
  /// A pattern, a name, and whether the pattern means it.
  private static let globs: [(String, String, Bool)] = [
    ("login", "login", true),
    ("login", "login.username", false),
    ("login*", "login.username", true),
    ("*name", "login.username", true),
    ("*.*", "login.username", true),
    ("*", "", true),
    ("", "", true),
    ("?", "", false),
    ("?", "é", true),
    ("l?gin", "login", true),
    ("l??gin", "login", false),
    ("search.take(first: 3)", "search.take(first: 3)", true),
    ("search.take(first: ?)", "search.take(first: 3)", true),
    ("search.take*", "search.take(first: 3).filter(_:)", true),
    ("[ab]", "a", false),
    ("[ab]", "[ab]", true),
    ("a.b", "axb", false),
    ("a+b|c\\^$", "a+b|c\\^$", true),
    ("**a**", "bab", true),
    ("a*b*c", "aXbYbZc", true),
    ("a*b*c", "aXbYbZ", false),
    ("*a*a*a*a*a*a*a*b", String(repeating: "a", count: 200), false),
    ("Login", "login", false),
    ("//", "//", true),
  ]

  @Test("in a glob, all but * and ? stands for itself", arguments: globs)
  func glob(pattern: String, name: String, expected: Bool) throws {
    #expect(try NamePattern(pattern).matches(name) == expected)
  }

  @Test(
    "between slashes stands a regular expression, which may match any part",
    arguments: [
      ("/gin/", "login", true), ("/^gin/", "login", false), ("/^l.*n$/", "login", true),
      ("/search\\.(a|b)/", "my.search.b", true), ("/search\\.(a|b)/", "search.c", false),
    ])
  func expressions(pattern: String, name: String, expected: Bool) throws {
    #expect(try NamePattern(pattern).matches(name) == expected)
  }

  @Test("case matters unless it is told not to", arguments: ["LOGIN*", "/^LOG/"])
  func cases(pattern: String) throws {
    #expect(try !NamePattern(pattern).matches("login.username"))
    #expect(try NamePattern(pattern, ignoresCase: true).matches("login.username"))
  }

  @Test("what is no regular expression is refused with its text")
  func malformed() throws {
    let error = try #require(throws: SelectionError.self) { _ = try NamePattern("/a(/") }
    #expect(error.message.hasPrefix("/a(/ is not a regular expression"))
  }

  @Test(
    "the nearest names are found by spelling",
    arguments: [
      ("logn*", ["login"]), ("serach", ["search"]), ("LOGIN", ["login"]),
      ("sear", ["search"]), ("zzz", []),
    ])
  func nearest(name: String, expected: [String]) {
    let names = ["login", "logout", "search", "keystrokes"]
    #expect(NearestName.of(name, among: names) == expected)
  }
}
