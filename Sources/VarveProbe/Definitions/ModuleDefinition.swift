/// An executable or a library as it was loaded into the process.
public struct ModuleDefinition: Sendable, Hashable {
  /// Unique in the process, from 1.
  public var id: UInt32
  /// The file.
  public var path: String
  /// The build id that the file had (its `NT_GNU_BUILD_ID` note); empty when it had none.
  public var buildID: [UInt8]
  /// What is added to the file's own addresses: an address less this is what its symbols say.
  public var bias: UInt64
  /// The addresses that its code takes.
  public var addresses: Range<UInt64>

  /// Creates a definition.
  public init(id: UInt32, path: String, buildID: [UInt8], bias: UInt64, addresses: Range<UInt64>) {
    self.id = id
    self.path = path
    self.buildID = buildID
    self.bias = bias
    self.addresses = addresses
  }
}
