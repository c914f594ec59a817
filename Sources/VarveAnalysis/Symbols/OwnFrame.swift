public import VarveProbe

/// The innermost frame of a stack that is in the program's own words: not this library's, not what
/// runs work, not what the compiler made.
public struct OwnFrame: Sendable, Hashable {
  /// The function, as its language writes it.
  public var function: String
  /// Where in the source it was.
  public var place: Place
}

extension Symbolizer {
  /// The innermost frame of the program's own; nil when its line is not known. What is asked about
  /// has to be looked up before.
  public func ownFrame(of stack: [StackFrame]) -> OwnFrame? {
    guard let frame = named(stack).first(where: { !$0.isMachinery }), let function = frame.function,
      let file = frame.file, frame.line > 0
    else { return nil }
    return OwnFrame(function: function, place: Place(path: file, line: frame.line))
  }
}

extension Place {
  /// A place by a path, as debug information has it: the folder stands where `#fileID` has the
  /// module.
  fileprivate init(path: String, line: UInt32) {
    let parts = path.split(separator: "/").suffix(2)
    self.init(file: parts.joined(separator: "/"), line: line)
  }
}
