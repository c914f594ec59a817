internal import VarveProbe

/// The encoding of stacks, of the modules that contain their addresses, of addresses' names, and of
/// what tasks have in common.
extension DefinitionCodec {
  static func append(_ stack: StackDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + Layout.kind.offset] = Kind.stack
    bytes.replace(at: start + Layout.id.offset, little: stack.id)
    let frames = stack.frames.prefix(mostFrames)
    bytes.append(varint: UInt64(frames.count))
    for frame in frames { bytes.append(little: frame.word) }
  }

  static func append(_ module: ModuleDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + Layout.kind.offset] = Kind.module
    bytes.replace(at: start + Layout.id.offset, little: module.id)
    bytes.append(little: module.bias)
    bytes.append(little: module.addresses.lowerBound)
    bytes.append(little: module.addresses.upperBound)
    let buildID = module.buildID.prefix(longestBuildID)
    bytes.append(varint: UInt64(buildID.count))
    bytes.append(contentsOf: buildID)
    bytes.append(text: module.path, most: longestText)
  }

  static func append(_ symbol: SymbolDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + Layout.kind.offset] = Kind.symbol
    bytes.append(little: symbol.address)
    let functions = symbol.functions.prefix(mostFunctions)
    bytes.append(varint: UInt64(functions.count))
    for place in functions {
      bytes.append(text: place.function, most: longestFunction)
      bytes.append(text: place.file ?? "", most: longestFunction)
      bytes.append(varint: UInt64(place.line))
    }
  }

  static func append(_ template: TaskTemplateDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + Layout.kind.offset] = Kind.taskTemplate
    bytes.replace(at: start + Layout.id.offset, little: template.id)
    bytes.append(varint: UInt64(template.making))
    bytes.append(varint: UInt64(template.priority))
    bytes.append(varint: UInt64(template.stack))
    bytes.append(text: template.name, most: longestText)
  }

  static func append(_ process: ProcessDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + Layout.kind.offset] = Kind.process
    bytes.replace(at: start + Layout.id.offset, little: process.recording)
    bytes.append(little: process.process.started)
    bytes.append(varint: UInt64(process.process.pid))
    bytes.append(text: process.process.program, most: longestText)
    bytes.append(text: process.process.host, most: longestText)
  }

  /// Keeps a symbol with all its functions within the limit.
  private static let longestFunction = 480
}

extension DefinitionLog {
  static func stack(id: UInt32, from cursor: inout ByteCursor) throws(MalformedBytes)
    -> StackDefinition
  {
    let count = try cursor.takeCount(most: DefinitionCodec.mostFrames)
    var frames: [StackFrame] = []
    frames.reserveCapacity(min(count, cursor.remaining / MemoryLayout<UInt64>.size))
    for _ in 0..<count { frames.append(StackFrame(word: try cursor.take(UInt64.self))) }
    return StackDefinition(id: id, frames: frames)
  }

  static func module(id: UInt32, from cursor: inout ByteCursor) throws(MalformedBytes)
    -> ModuleDefinition
  {
    let bias = try cursor.take(UInt64.self)
    let start = try cursor.take(UInt64.self)
    let end = try cursor.take(UInt64.self)
    guard start <= end else { throw MalformedBytes(offset: cursor.offset) }
    let length = try cursor.takeCount(most: DefinitionCodec.longestBuildID)
    let buildID = Array(try cursor.take(bytes: length))
    return ModuleDefinition(
      id: id, path: try cursor.takeText(), buildID: buildID, bias: bias, addresses: start..<end)
  }

  static func taskTemplate(
    id: UInt32, from cursor: inout ByteCursor
  ) throws(MalformedBytes) -> TaskTemplateDefinition {
    let making = UInt8(try cursor.takeCount(most: Int(UInt8.max)))
    let priority = UInt8(try cursor.takeCount(most: Int(UInt8.max)))
    let stack = UInt32(try cursor.takeCount(most: Int(UInt32.max)))
    return TaskTemplateDefinition(
      id: id, making: making, priority: priority, name: try cursor.takeText(), stack: stack)
  }

  static func process(
    recording: UInt32, from cursor: inout ByteCursor
  ) throws(MalformedBytes) -> ProcessDefinition {
    let started = try cursor.take(UInt64.self)
    let pid = UInt32(try cursor.takeCount(most: Int(UInt32.max)))
    let (program, host) = (try cursor.takeText(), try cursor.takeText())
    return ProcessDefinition(
      recording: recording,
      process: ProcessDescription(
        program: program, arguments: [], pid: pid, host: host, started: started))
  }

  static func symbol(from cursor: inout ByteCursor) throws(MalformedBytes) -> SymbolDefinition {
    let address = try cursor.take(UInt64.self)
    let count = try cursor.takeCount(most: DefinitionCodec.mostFunctions)
    var functions: [FunctionPlace] = []
    for _ in 0..<count {
      let function = try cursor.takeText()
      let file = try cursor.takeText()
      let line = UInt32(try cursor.takeCount(most: Int(UInt32.max)))
      functions.append(
        FunctionPlace(function: function, file: file.isEmpty ? nil : file, line: line))
    }
    return SymbolDefinition(address: address, functions: functions)
  }
}
