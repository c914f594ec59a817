internal import VarvePlatform

extension TraceWriter {
  /// Checks that creating a trace at `path` would cost nobody anything but an older trace.
  ///
  /// - Throws: a `TraceFileError` of code `wrongUse` when something else is there: a file that is
  ///   neither a trace nor empty, a folder, a device.
  public static func checkReplaceable(_ path: String) throws(TraceFileError) {
    var status = stat()
    // Nothing there, or nothing that can be seen: creating the file tells which.
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TraceFileError(.wrongUse, "\(path) is not a file; a trace needs one")
    }
    guard status.st_size > 0 else { return }
    let file = try TraceFile(reading: path)
    let bytes = try file.beginning(TraceHeaderCodec.magic.count)
    guard bytes == TraceHeaderCodec.magic else {
      throw TraceFileError(.wrongUse, "\(path) exists and is no trace; it is left alone")
    }
  }
}

extension TraceWriter {
  /// Whether a path leads to the file that is written.
  package func isAt(_ path: String) -> Bool { file.isAt(path) }

  /// Whether somebody has removed the file. What is written goes with it when the writer goes.
  package var isRemoved: Bool { file.isRemoved }
}

extension TraceFile {
  fileprivate func beginning(_ count: Int) throws(TraceFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let outcome = bytes.withUnsafeMutableBytes { bytes in
      Result { () throws(TraceFileError) in try read(into: bytes, at: 0) }
    }
    return Array(bytes.prefix(try outcome.get()))
  }
}
