public import VarveProbe

/// A frame with what is known of it.
public struct NamedFrame: Sendable, Hashable {
  /// The frame.
  public var frame: StackFrame
  /// The function, as its language writes it; nil when it is not known.
  public var function: String?
  /// The source file, if it is known.
  public var file: String?
  /// The line in it; 0 when it is not known.
  public var line: UInt32
  /// The executable or library that the code lies in.
  public var module: String?
  /// Whether the function was inlined into the next one.
  public var isInlined: Bool
  /// Whether nobody wrote it who uses the library: it is the library's own, or of what runs work, or
  /// the compiler made it.
  public var isMachinery: Bool
}

extension Symbolizer {
  /// The frames of a stack, each with the functions that were inlined into it before it. What is
  /// asked about has to be looked up before.
  public func named(_ stack: [StackFrame]) -> [NamedFrame] {
    var frames = stack.flatMap(named)
    // The standard library's generic functions are compiled into whoever calls them, and have no
    // file there.
    for index in frames.indices.dropLast().reversed() {
      let caller = frames[index + 1]
      let isOfCaller =
        frames[index].file == nil && caller.file != nil && caller.isMachinery
        && caller.module == frames[index].module
      if isOfCaller { frames[index].isMachinery = true }
    }
    return frames
  }

  private func named(_ frame: StackFrame) -> [NamedFrame] {
    let module = module(at: frame.lookup)?.path
    let ofRunner = module.map(FunctionKind.isOfMachinery(image:)) ?? false
    let functions = functions(at: frame)
    guard !functions.isEmpty else {
      return [
        NamedFrame(
          frame: frame, function: nil, file: nil, line: 0, module: module, isInlined: false,
          isMachinery: ofRunner)
      ]
    }
    return functions.enumerated().map { index, place in
      NamedFrame(
        frame: frame, function: place.function, file: place.file, line: place.line,
        module: module, isInlined: index < functions.count - 1,
        isMachinery: ofRunner || FunctionKind.isMachinery(place.function, file: place.file))
    }
  }
}
