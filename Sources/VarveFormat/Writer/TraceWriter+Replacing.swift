internal import VarvePlatform

extension TraceWriter {
  /// Checks that creating a trace at `path` would destroy nothing but an older trace.
  ///
  /// - Throws: A `TraceFileError` of code `wrongUse` if there is something else: a file that is
  ///   neither a trace nor empty, a folder, a device.
  public static func checkReplaceable(_ path: String) throws(TraceFileError) {
    var status = stat()
    // There is nothing, or nothing visible: creating the file shows which.
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
  /// Returns whether a path leads to the file being written.
  package func isAt(_ path: String) -> Bool { file.isAt(path) }

  /// Whether the file was removed. Its contents then disappear with the writer.
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
