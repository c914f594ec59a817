internal import VarveFormat
internal import VarvePlatform

/// The living processes below a process, itself included.
struct ProcessTree {
  /// A process with the path of what it runs.
  struct Member: Hashable {
    var process: pid_t
    var path: String

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  let members: [Member]

  init(below root: pid_t) {
    var children: [pid_t: [pid_t]] = [:]
    for name in FolderListing.names(in: "/proc") {
      guard let process = pid_t(name), let parent = Self.parent(of: process) else { continue }
      children[parent, default: []].append(process)
    }
    var members: [Member] = []
    var open = [root]
    while let process = open.popLast() {
      if let path = Self.path(of: process) {
        members.append(Member(process: process, path: path))
      }
      open += (children[process] ?? []).sorted(by: >)
    }
    self.members = members
  }

  /// The members that run a program's tests: not the package manager, compilers, linkers and shells.
  var tests: [Member] {
    members.filter { member in
      !Self.tools.contains(member.name)
        && !Self.toolBeginnings.contains { member.name.hasPrefix($0) }
    }
  }

  /// The names of the others, for the library that lets tasks be recorded: separated by colons, and with a
  /// `*` for any end.
  static let toolNames = (tools.sorted() + toolBeginnings.map { $0 + "*" }).joined(separator: ":")

  private static let tools: Set = [
    "swift", "swiftc", "ld", "ar", "git", "sh", "bash", "dash", "zsh", "env", "make", "ninja",
    "cmake", "timeout", "nice", "sudo", "ssh", "xcodebuild",
  ]
  private static let toolBeginnings = [
    "swift-build", "swift-test", "swift-package", "swift-run", "swift-frontend", "swift-driver",
    "swift-plugin", "swift-autolink", "clang", "ld.", "ld64", "lld", "lldb", "llvm-", "python",
  ]

  private static func path(of process: pid_t) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { raw in
      raw.baseAddress.map {
        readlink("/proc/\(process)/exe", $0.assumingMemoryBound(to: CChar.self), raw.count)
      } ?? 0
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }

  /// Parses `4711 (the name) S 17 …`: the name may contain anything.
  private static func parent(of process: pid_t) -> pid_t? {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = buffer[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    return words.count > 1 ? pid_t(String(decoding: words[1], as: UTF8.self)) : nil
  }
}
