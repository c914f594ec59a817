import Foundation
import Testing
import VarvePlatform
import VarveTraceScript

@testable import VarveFormat

@Suite("Files of traces")
struct TraceFileTests {
  private let folder = TemporaryFolder()

  private func put(_ text: String, _ path: String) {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    write(file, text, text.utf8.count)
    close(file)
  }

  private func size(_ path: String) -> Int {
    var there = stat()
    return stat(path, &there) == 0 ? Int(there.st_size) : -1
  }

  private func mode(_ path: String) -> mode_t {
    var there = stat()
    return stat(path, &there) == 0 ? there.st_mode & 0o777 : 0
  }

  /// Lets one person read a file, and its group not, by an access control list; false where the file
  /// system knows no such lists.
  private func nameReader(_ path: String) throws -> Bool {
    let script = """
      import errno, os, struct, sys
      nobody = 2**32 - 1
      entries = (1, 6, nobody), (2, 4, os.getuid()), (4, 0, nobody), (16, 4, nobody), (32, 0, nobody)
      packed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
      try:
        os.setxattr(sys.argv[1], "system.posix_acl_access", packed)
      except OSError as error:
        sys.exit(3 if error.errno == errno.ENOTSUP else 1)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path]
    try process.run()
    process.waitUntilExit()
    #expect([0, 3].contains(process.terminationStatus))
    return process.terminationStatus == 0
  }

  @Test("T5: who writes into what was there, or reads it by another name, is not disturbed")
  func newFile() throws {
    let (path, other) = (folder.file("a.varve"), folder.file("b.varve"))
    put("before", path)
    link(path, other)
    _ = try TraceFile(creating: path)
    #expect(size(path) == 0 && size(other) == 6)
  }

  @Test("who may read a file that replaces another: its group as before, not whom a mask lets in")
  func mode() throws {
    let path = folder.file("a.varve")
    put("before", path)
    chmod(path, 0o640)
    _ = try TraceFile(creating: path)
    #expect(mode(path) == 0o640)
    guard try nameReader(path) else { return }
    #expect(mode(path) == 0o640)
    _ = try TraceFile(creating: path)
    #expect(mode(path) == 0o600)
  }

  @Test("a trace in the place of somebody else's file is ours alone, results are as open as it was")
  func foreign() throws {
    let path = folder.file("a.varve")
    put("before", path)
    chmod(path, 0o644)
    #expect(FileAccess(ofFileAt: path)?.initialMode == 0o600)
    guard chown(path, 65_534, .max) == 0 else { return }
    #expect(FileAccess(ofFileAt: path)?.initialMode == 0o644)
    chmod(path, 0o604)
    #expect(FileAccess(ofFileAt: path)?.initialMode == 0o600)
    chmod(path, 0o666)
    _ = try TraceFile(creating: path)
    #expect(mode(path) == 0o600)
  }

  @Test("a link is followed, and what is no file is written to as it is")
  func links() throws {
    let (path, other) = (folder.file("a.varve"), folder.file("b.varve"))
    put("before", other)
    symlink("b.varve", path)
    _ = try TraceFile(creating: path)
    #expect(size(other) == 0)
    _ = try TraceFile(creating: "/dev/null")
    var there = stat()
    #expect(stat("/dev/null", &there) == 0 && there.st_mode & S_IFMT == S_IFCHR)
  }
}
