/// The names of types.
///
/// The runtime looks names up under a lock that does not survive a fork: if another thread holds it
/// at that moment, the child waits for it forever. So the library looks names up here, once for
/// each type and under a lock that is held across forks.
package enum TypeNames {
  private struct Known {
    var qualified: [ObjectIdentifier: String] = [:]
    var short: [ObjectIdentifier: String] = [:]
  }

  // Streams are defined while other locks are held.
  private static let known = Probe.keptOverForks(Lock(Known()), isLast: true)

  /// Returns a type's name with its module: `Shop.Order`.
  package static func qualified(_ type: Any.Type) -> String {
    known.withLock {
      name(of: type, among: &$0.qualified) {
        withoutContexts(String(reflecting: type))
      }
    }
  }

  /// Returns a name without what Swift says in the place of a function or a file that a type is private to:
  /// `Shop.(unknown context at $10ab3c).Order`. The address differs from run to run.
  package static func withoutContexts(_ name: String) -> String {
    guard name.contains("(") else { return name }
    var (rest, short) = (name[...], "")
    while let next = rest.first {
      if next == "(", rest.hasPrefix("(unknown context at $"), let end = rest.firstIndex(of: ")") {
        rest = rest[end...].dropFirst().drop { $0 == "." }
      } else {
        short.append(rest.removeFirst())
      }
    }
    return short
  }

  /// Returns a type's name without its module.
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
