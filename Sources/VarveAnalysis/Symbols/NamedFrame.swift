public import VarveProbe

/// A frame with its function and source location.
public struct NamedFrame: Sendable, Hashable {
  /// The frame.
  public var frame: StackFrame
  /// The function as its language writes it; nil when unknown.
  public var function: String?
  /// The source file, if known.
  public var file: String?
  /// The line in the file; 0 when unknown.
  public var line: UInt32
  /// The executable or library that contains the code, if known.
  public var module: String?
  /// Whether the function was inlined into the next one.
  public var isInlined: Bool
  /// Whether the code is not the user's: it belongs to the library or to whatever runs work, or the
  /// compiler generated it.
  public var isMachinery: Bool
  /// Whether the function is known to return a producer.
  public var returnsProducer = false
  /// Whether the code belongs to a package that the program depends on.
  public var isOfDependency: Bool { file.map(FunctionKind.isOfDependency(file:)) ?? false }
}

extension Collection<NamedFrame> {
  /// The innermost frame of the program's own code. If that is in a package that the program depends
  /// on, the frame from which the program's code called it is returned, where there is one.
  public var mostOwn: NamedFrame? {
    let own = lazy.filter { !$0.isMachinery }
    guard let first = own.first, first.isOfDependency else { return own.first }
    return own.first { $0.line > 0 && $0.file != nil && !$0.isOfDependency } ?? first
  }
}

extension Symbolizer {
  /// Returns the frames of a stack, each preceded by the functions inlined into it. The frames have
  /// to be looked up first.
  public func named(_ stack: [StackFrame]) -> [NamedFrame] {
    var frames = stack.flatMap(named)
    if let first = frames.firstIndex(where: { !$0.isMachinery }), frames[first].line == 0,
      let place = placeAhead(of: frames[first].frame)
    {
      (frames[first].line, frames[first].file) = (place.line, place.file)
    }
    // The standard library's generic functions are compiled into their callers, and have no file
    // there.
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
        isMachinery: ofRunner || FunctionKind.isMachinery(place.function, file: place.file),
        returnsProducer: place.returnsProducer)
    }
  }
}
