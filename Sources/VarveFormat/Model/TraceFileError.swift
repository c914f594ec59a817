/// Why a trace could not be opened, read or written.
public struct TraceFileError: Error, Sendable, CustomStringConvertible {
  /// What kind of thing went wrong. More may be added.
  public struct Code: Sendable, Hashable {
    private enum Name: Sendable, Hashable {
      case notATrace, unreadable, damaged, newerVersion, unwritable, wrongUse
    }
    private let name: Name
    /// The file is something else.
    public static let notATrace = Code(name: .notATrace)
    /// The system refused: no such file, no permission, an input error.
    public static let unreadable = Code(name: .unreadable)
    /// A part of the file contradicts itself or its checksum.
    public static let damaged = Code(name: .damaged)
    /// A later version of Varve wrote the file.
    public static let newerVersion = Code(name: .newerVersion)
    /// The system refused to write.
    public static let unwritable = Code(name: .unwritable)
    /// The caller asked for something that cannot be.
    public static let wrongUse = Code(name: .wrongUse)
  }

  /// What kind of thing went wrong.
  public var code: Code
  /// What is wrong and what to try, in a sentence for people.
  public var message: String
  /// Where in the file, if that is known.
  public var offset: UInt64?
  /// Which block, counted from 0, if that is known.
  public var block: Int?
  /// The system's error number, if the system said no.
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

  /// The message, with the place when it is known.
  public var description: String {
    var text = message
    if let block { text += " (block \(block))" }
    if let offset { text += " (at byte \(offset))" }
    return text
  }
}
