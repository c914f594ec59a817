internal import VarvePlatform

/// A library that is preloaded into the programs that are recorded.
struct PreloadedLibrary {
  /// The name of the library's product.
  private let product: String

  /// The library that interposes Dispatch.
  static let hops = PreloadedLibrary(product: "VarveHops")
  /// The library that lets a recorder follow tasks.
  static let tasks = PreloadedLibrary(product: "VarveTasks")

  /// Returns the value for `LD_PRELOAD`: the libraries, and the value before.
  static func preloading(_ libraries: [PreloadedLibrary]) throws(CommandEnd) -> String {
    #if os(Linux)
      var paths: [String] = []
      for library in libraries {
        guard let path = library.path else {
          throw CommandEnd(.wrongUsage, "--hops needs \(library.name); \(library.howToGetIt)")
        }
        paths.append(path)
      }
      if let before = getenv("LD_PRELOAD").map({ String(cString: $0) }), !before.isEmpty {
        paths.append(before)
      }
      return paths.joined(separator: ":")
    #else
      throw CommandEnd(.wrongUsage, "--hops works only on Linux")
    #endif
  }

  /// Whether the library is there, on a system on which it works.
  var isThere: Bool {
    #if os(Linux)
      path != nil
    #else
      false
    #endif
  }

  /// Says that the library is missing, and how to get it; nil if it is there, or would not work here.
  var absence: String? {
    #if os(Linux)
      isThere ? nil : "\(name) is missing; \(howToGetIt)"
    #else
      nil
    #endif
  }

  private var name: String { "lib\(product).so" }

  private var path: String? { places.first(where: FileSystem.exists) }

  /// The possible places of the library, as built or as installed.
  private var places: [String] {
    Self.folder.map { ["\($0)/\(name)", "\($0)/../lib/\(name)", "\($0)/../lib/varve/\(name)"] }
      ?? []
  }

  /// Explains how to build the library. The package manager builds it only on request, and the
  /// command cannot link it, because it would interpose the command's own Dispatch.
  private var howToGetIt: String {
    let folder = Self.folder ?? ""
    let parts = folder.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let build = parts.lastIndex(of: ".build"), build < parts.count - 1 else {
      return """
        it belongs beside varve or in ../lib. Build it where varve was built, by \
        `swift build -c release --product \(product)`, and copy it to \(folder)
        """
    }
    let package = parts[..<build].joined(separator: "/")
    return """
      build it: swift build -c \(parts[parts.count - 1]) --package-path "\(package)" \
      --product \(product)
      """
  }

  /// The folder of the command.
  private static var folder: String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    let command = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return command.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }
}
