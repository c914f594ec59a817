internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

/// A folder with files in folders by day and program.
///
/// The files are drafts at its top until all of them are complete; then each moves to its place. So
/// those who read the folder meanwhile see nothing of it, and nothing is left of an export that fails.
final class PartitionFolder: PartitionedFiles {
  /// Why there can be no more files.
  private(set) var failure: CommandEnd?

  private struct File {
    let draft: String
    let folders: [String]
    let name: String
  }

  private let path: String
  private let replaces: Bool
  private var files: [File] = []
  private var names: Set<String> = []
  private var descriptors: [ObjectIdentifier: Int32] = [:]

  /// The number of files of an export. `UnfinishedFiles` has to know them all.
  private static let mostFiles = 4_096
  private static let buffer = 1 << 14

  /// Makes the folder if it is not there.
  ///
  /// - Parameter force: whether existing files may be replaced.
  init(_ path: String, force: Bool) throws(CommandEnd) {
    self.path = path
    replaces = force
    if mkdir(path, 0o777) == 0 {
      UnfinishedFiles.add(path)
    } else if errno != EEXIST {
      throw OutputFile.unwritable(path)
    } else if !FileSystem.isFolder(path) {
      throw CommandEnd(.wrongUsage, "\(path) is no folder: files by day and program need one")
    }
  }

  func begin(_ partition: TracePartition) -> ByteOutput? {
    do throws(CommandEnd) {
      return try open(partition)
    } catch {
      failure = error
      return nil
    }
  }

  private func open(_ partition: TracePartition) throws(CommandEnd) -> ByteOutput {
    guard files.count < Self.mostFiles else {
      throw CommandEnd(
        .wrongUsage,
        "the trace is of more than \(Self.mostFiles) days and programs; --since and --until choose some"
      )
    }
    let place = target(partition.folders, partition.file)
    // The name of a file is that of its first row, which no other one has.
    guard names.insert(place).inserted, replaces || FileSystem.status(place) == nil else {
      throw Self.isThere(place)
    }
    let draft = RewrittenFile.draft(of: "\(path)/.\(files.count)")
    UnfinishedFiles.add(draft)
    // As in `OutputFile`.
    unlink(draft)
    let flags = O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW
    let descriptor = VarvePlatform.open(draft, flags, 0o666)
    guard descriptor >= 0 else { throw OutputFile.unwritable(path) }
    files.append(File(draft: draft, folders: partition.folders, name: partition.file))
    let output = ByteOutput(capacity: Self.buffer) { Descriptor.write($0, to: descriptor) }
    descriptors[ObjectIdentifier(output)] = descriptor
    return output
  }

  func end(_ output: ByteOutput) {
    output.flush()
    if let error = output.systemError {
      failure = CommandEnd(
        .unreadable, "cannot write \(path): \(String(cString: strerror(error)))")
    }
    guard let descriptor = descriptors.removeValue(forKey: ObjectIdentifier(output)) else { return }
    close(descriptor)
  }

  /// Moves all files to their places.
  func publish() throws(CommandEnd) {
    if let failure { throw failure }
    for file in files {
      var folder = path
      for name in file.folders {
        folder += "/\(name)"
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
          throw OutputFile.unwritable(folder)
        }
      }
      let place = target(file.folders, file.name)
      // As in `OutputFile`.
      if !replaces, link(file.draft, place) == 0 {
        UnfinishedFiles.remove(file.draft)
        continue
      }
      if !replaces, errno == EEXIST { throw Self.isThere(place) }
      guard rename(file.draft, place) == 0 else { throw OutputFile.unwritable(place) }
      UnfinishedFiles.keep(file.draft)
    }
    UnfinishedFiles.keep(path)
  }

  private func target(_ folders: [String], _ name: String) -> String {
    ([path] + folders + [name]).joined(separator: "/")
  }

  private static func isThere(_ path: String) -> CommandEnd {
    CommandEnd(.wrongUsage, "\(path) already exists; --force overwrites it")
  }
}
