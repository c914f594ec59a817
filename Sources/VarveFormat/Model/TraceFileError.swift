/// An error that occurred while opening, reading, or writing a trace.
public struct TraceFileError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error. More may be added.
  public struct Code: Sendable, Hashable {
    private enum Name: Sendable, Hashable {
      case notATrace, unreadable, damaged, newerVersion, unwritable, wrongUse
    }
    private let name: Name
    /// The file is not a trace.
    public static let notATrace = Code(name: .notATrace)
    /// The system refused to read: no such file, no permission, an input error.
    public static let unreadable = Code(name: .unreadable)
    /// A part of the file contradicts itself or its checksum.
    public static let damaged = Code(name: .damaged)
    /// A later version of Varve wrote the file.
    public static let newerVersion = Code(name: .newerVersion)
    /// The system refused to write.
    public static let unwritable = Code(name: .unwritable)
    /// The caller asked for something impossible.
    public static let wrongUse = Code(name: .wrongUse)
  }

  /// The kind of error.
  public var code: Code
  /// A sentence for people: what is wrong and what to try.
  public var message: String
  /// The position in the file, if known.
  public var offset: UInt64?
  /// The block's index, from 0, if known.
  public var block: Int?
  /// The system's error number, if the system refused.
  public var systemError: Int32?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, offset: UInt64? = nil, block: Int? = nil,
    systemError: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.block = block
    self.systemError = systemError
  }

  /// The message, with the position if known.
  public var description: String {
    var text = message
    if let block { text += " (block \(block))" }
    if let offset { text += " (at byte \(offset))" }
    return text
  }
}
