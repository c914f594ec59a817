internal import VarveProbe

/// Numbers that are unique among several traces. 0 means none and stays 0; a number is kept if no
/// earlier trace has it.
struct NumberPool {
  private struct Key: Hashable {
    var number: UInt32
    var trace: Int
  }

  private var given: [Key: UInt32] = [:]
  private var taken: Set<UInt32> = []
  private var next: UInt32 = 1
  private var latest: (key: Key, number: UInt32)?

  mutating func number(_ number: UInt32, _ trace: Int) -> UInt32 {
    if number == 0 { return 0 }
    let key = Key(number: number, trace: trace)
    if let latest, latest.key == key { return latest.number }
    let found = given[key] ?? give(key)
    latest = (key, found)
    return found
  }

  private mutating func give(_ key: Key) -> UInt32 {
    var number = key.number
    if taken.contains(number) {
      // The executors of tasks stay among themselves.
      let base = number & SchedulerDefinition.executors
      while taken.contains(base | next) { next += 1 }
      number = base | next
    }
    taken.insert(number)
    given[key] = number
    return number
  }
}
