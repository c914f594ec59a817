import Glibc
import Testing
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

  @Test("T5: who writes into what was there, or reads it by another name, is not disturbed")
  func newFile() throws {
    let (path, other) = (folder.file("a.varve"), folder.file("b.varve"))
    put("before", path)
    link(path, other)
    _ = try TraceFile(creating: path)
    #expect(size(path) == 0 && size(other) == 6)
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
