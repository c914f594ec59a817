import VarvePlatform

/// A disk of 4 MiB that one program sees and that is gone afterwards.
struct SmallDisk {
  private let folder: Folder

  init(_ folder: Folder) { self.folder = folder }

  /// Whether this machine lets us have one.
  static let isPossible: Bool =
    shell("unshare -m sh -c 'mount -t tmpfs -o size=4m none /media'").status == 0

  /// Runs a play of `RecorderChild` that records to that disk, and brings the trace into the folder.
  func run(_ play: String, _ arguments: [String]) -> Child.End {
    let words = (["/media/run.varve"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let script =
      "mount -t tmpfs -o size=4m none /media && \"$0\" \(play) \(words); end=$?; "
      + "cp /media/run.varve* '\(folder.path)'; exit $end"
    return Self.shell("unshare -m sh -c \"$1\" \"$0\"", [Child.path, script])
  }

  private static func shell(_ script: String, _ arguments: [String] = []) -> Child.End {
    Child(program: "/bin/sh", ["-c", script] + arguments).wait()
  }
}
