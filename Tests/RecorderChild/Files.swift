import VarveFormat
import VarvePlatform
import VarveRecorder

/// Makes a snapshot, or says why not and exits.
func snapshot(to path: String) {
  do throws(TraceFileError) {
    try Recorder.snapshot(to: path)
  } catch {
    print("no snapshot: \(error)")
    exit(3)
  }
}

/// Waits until a file is in the trace's folder whose name holds some word, or is that word.
func waitForFile(containing word: String, besides path: String, exactly: Bool = false) {
  let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/")
  for _ in 0..<20_000 {
    let names = names(in: folder)
    if names.contains(where: { exactly ? $0 == word : $0.contains(word) && !$0.hasSuffix("-next") })
    {
      return
    }
    usleep(1_000)
  }
  print("no file named \(word) has come")
  exit(5)
}

private func names(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    names.append(
      withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}
