/// An executable or a library, as loaded into the process.
public struct ModuleDefinition: Sendable, Hashable {
  /// Unique in the process, from 1.
  public var id: UInt32
  /// The path of the file.
  public var path: String
  /// The file's build ID when it was loaded (its `NT_GNU_BUILD_ID` note); empty if it had none.
  public var buildID: [UInt8]
  /// The load bias: subtract it from an address to get the address in the file's symbol table.
  public var bias: UInt64
  /// The addresses of its code.
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
