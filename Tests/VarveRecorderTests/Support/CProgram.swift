import Testing
import VarvePlatform

/// What a test compiles: programs in which the recorder's C code meets what no program of this package
/// brings about.
enum CProgram {
  /// Whether there is a compiler. Where there is none, the tests say that they did not run.
  static let canBeMade = Child(program: "/usr/bin/env", ["clang", "--version"]).wait().status == 0

  /// Compiles a C text into a file, with all of `CVarveSystem` if asked for.
  static func make(
    _ text: String, as name: String, in folder: Folder, withSystem: Bool = false,
    options: [String] = []
  ) throws -> String {
    let source = folder.file(name + ".c")
    Folder.write(Array(text.utf8), to: source)
    var words = ["clang", "-O1", "-fno-omit-frame-pointer", "-o", folder.file(name), source]
    if withSystem {
      words += ["-I\(system)/include"] + sources
    }
    let end = Child(program: "/usr/bin/env", words + options + ["-lpthread", "-ldl"]).wait()
    try #require(end.status == 0, "\(end.output)")
    return folder.file(name)
  }

  private static let system: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/") + "/Sources/CVarveSystem"
  }()

  private static let sources: [String] = {
    guard let folder = opendir(system) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".c") { names.append("\(system)/\(name)") }
    }
    return names
  }()
}
