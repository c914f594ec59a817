internal import VarveProbe

/// Finds the file with a module's names and lines: the module itself or a file of debug
/// information, always of the recorded build.
struct SymbolFiles {
  /// Folders named by the user, searched first.
  let folders: [String]

  /// The result of a search.
  enum Finding: Equatable {
    case file(String)
    /// There are files of that name, but none of the recorded build.
    case otherBuild(String)
    case nothing
  }

  func find(_ module: ModuleDefinition) -> Finding {
    var stranger: String?
    for path in candidates(module) {
      guard let id = BuildID.ofFile(at: path) else { continue }
      if id == module.buildID { return .file(path) }
      if stranger == nil { stranger = path }
    }
    return stranger.map { .otherBuild($0) } ?? .nothing
  }

  /// Returns the paths to try. Files of debug information precede the module, which may be
  /// stripped.
  private func candidates(_ module: ModuleDefinition) -> [String] {
    let name = module.path.split(separator: "/").last.map(String.init) ?? module.path
    let id = module.buildID.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    let byID = id.first.map { "\($0)/\(id.dropFirst().joined()).debug" }
    var paths: [String] = []
    for folder in folders {
      if let byID { paths += ["\(folder)/.build-id/\(byID)", "\(folder)/\(byID)"] }
      paths += ["\(folder)/\(name).debug", "\(folder)/\(name)", folder + module.path]
    }
    if let byID { paths.append("/usr/lib/debug/.build-id/\(byID)") }
    let place = module.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return paths + [
      "\(module.path).debug", place.joined(separator: "/") + "/.debug/\(name).debug", module.path,
    ]
  }
}
