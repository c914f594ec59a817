internal import VarveProbe

/// Finds, in the source of a function that goes on elsewhere, what it sets there and what other code of the file
/// sets on the main actor.
struct MainActorUses {
  private var sources = SourceLines()

  /// Returns the first line below one of a function that sets something which is set on the main actor
  /// elsewhere in the file, and what that is; nil if there is none, or if the source is not there.
  mutating func stray(below frame: NamedFrame) -> (name: String, place: Place)? {
    guard let file = frame.file, let source = sources.source(at: frame), let body = source.body,
      !source.isOnMainActor(source.asked.lowerBound)
    else { return nil }
    let all = source.statements(in: 0..<source.code.count).compactMap { statement in
      statement.member.map { (member: $0, position: statement.position) }
    }
    let known = Set(all.filter { source.isOnMainActor($0.position) }.map(\.member))
    let stray = all.first {
      (source.asked.lowerBound..<body.upperBound).contains($0.position)
        && known.contains($0.member) && source.body(around: $0.position) == body
    }
    return stray.map {
      (
        $0.member.joined(separator: "."),
        Place(path: file, line: UInt32(source.line(at: $0.position)))
      )
    }
  }
}

extension PlainSource {
  /// Whether code belongs to the main actor by what is written around it: `MainActor.run { … }`,
  /// `DispatchQueue.main.async { … }`, or the `@MainActor` of a closure, a function, or a type.
  fileprivate func isOnMainActor(_ position: Int) -> Bool {
    var position = position
    while let opening = opening(before: position) {
      let braces: [UInt8] = ["{", "}"].map { UInt8(ascii: $0) }
      let start = (code[..<opening].lastIndex { braces.contains($0) } ?? -1) + 1
      // An attribute may have a line of its own.
      let heads = statements(in: start..<opening).suffix(2)
      let inner = statements(in: (opening + 1)..<code.count).first
      if heads.last?.isOfMainActor == true || heads.first?.texts == ["@", "MainActor"]
        || inner?.texts.prefix(2) == ["@", "MainActor"]
      {
        return true
      }
      position = opening
    }
    return false
  }
}

extension SourceStatement {
  fileprivate var isOfMainActor: Bool {
    let texts = texts
    return texts.contains("MainActor")
      || texts.indices.dropLast(2).contains {
        Array(texts[$0...($0 + 2)]) == ["DispatchQueue", ".", "main"]
      }
  }

  /// What it sets, if that is something of an object: the name of both, such as `label` and `text`.
  fileprivate var member: [String]? {
    let texts = texts
    guard let equals = texts.firstIndex(of: "="), equals > 2 else { return nil }
    let target = texts[..<equals].filter { $0 != "?" }
    guard target.allSatisfy({ Self.isName($0) || $0 == "." }), target.count > 2,
      target[target.count - 3] != "self", Self.isName(target[target.count - 1]),
      target[target.count - 2] == "."
    else { return nil }
    return [target[target.count - 3], target[target.count - 1]]
  }
}
