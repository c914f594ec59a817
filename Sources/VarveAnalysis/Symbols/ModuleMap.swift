internal import VarveFormat
internal import VarveProbe

/// Finds the module that an address lies in. Of several that lay there one after the other, the one
/// counts that was loaded last.
struct ModuleMap {
  /// Where one module's addresses end and another's begin, and which lies there from then on.
  private var starts: [UInt64]
  private var owners: [ModuleDefinition?]

  init(_ modules: some Sequence<ModuleDefinition>) {
    let newestFirst = modules.sorted { $0.id > $1.id }
    let ends = newestFirst.flatMap { [$0.addresses.lowerBound, $0.addresses.upperBound] }
    starts = Set(ends).sorted()
    owners = Array(repeating: nil, count: starts.count)
    // From each part, the next one that belongs to nobody yet, as far as is known: what belongs to a
    // newer module is passed over at once.
    var free = Array(0...starts.count)
    func nextFree(_ part: Int) -> Int {
      var found = part
      while free[found] != found {
        free[found] = free[free[found]]
        found = free[found]
      }
      return found
    }
    for module in newestFirst {
      let end = starts.partitionPoint { $0 >= module.addresses.upperBound }
      var part = nextFree(starts.partitionPoint { $0 >= module.addresses.lowerBound })
      while part < end {
        owners[part] = module
        free[part] = part + 1
        part = nextFree(part)
      }
    }
  }

  /// The module whose code an address is.
  subscript(address: UInt64) -> ModuleDefinition? {
    let after = starts.partitionPoint { $0 > address }
    return after > 0 ? owners[after - 1] : nil
  }
}
