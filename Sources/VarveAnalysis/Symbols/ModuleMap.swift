internal import VarveFormat
internal import VarveProbe

/// Finds the module at an address. If several modules were loaded there one after another, the last
/// one is found.
struct ModuleMap {
  /// The addresses at which ranges of `owners` begin.
  private var starts: [UInt64]
  private var owners: [ModuleDefinition?]

  init(_ modules: some Sequence<ModuleDefinition>) {
    let newestFirst = modules.sorted { $0.id > $1.id }
    let ends = newestFirst.flatMap { [$0.addresses.lowerBound, $0.addresses.upperBound] }
    starts = Set(ends).sorted()
    owners = Array(repeating: nil, count: starts.count)
    // For each range, the next one that has no owner yet, as far as known. Ranges owned by newer
    // modules are skipped at once.
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

  /// The module whose code contains an address.
  subscript(address: UInt64) -> ModuleDefinition? {
    let after = starts.partitionPoint { $0 > address }
    return after > 0 ? owners[after - 1] : nil
  }
}
