/// The names of types.
///
/// The runtime looks a name up under a lock that knows of no fork: when one thread forks while another
/// is asking, the child never gets an answer. So the library asks here, where nobody is when the
/// process forks, and for each type once.
package enum TypeNames {
  private struct Known {
    var qualified: [ObjectIdentifier: String] = [:]
    var short: [ObjectIdentifier: String] = [:]
  }

  // Streams are defined while other locks are held.
  private static let known = Probe.keptOverForks(Lock(Known()), isLast: true)

  /// A type's name with its module: `Shop.Order`.
  package static func qualified(_ type: Any.Type) -> String {
    known.withLock { name(of: type, among: &$0.qualified) { String(reflecting: type) } }
  }

  /// A type's name without its module.
  package static func short(_ type: Any.Type) -> String {
    known.withLock { name(of: type, among: &$0.short) { String(describing: type) } }
  }

  private static func name(
    of type: Any.Type, among known: inout [ObjectIdentifier: String], _ ask: () -> String
  ) -> String {
    let key = ObjectIdentifier(type)
    if let name = known[key] { return name }
    let name = ask()
    known[key] = name
    return name
  }
}
