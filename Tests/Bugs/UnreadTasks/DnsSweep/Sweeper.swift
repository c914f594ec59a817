import Foundation

struct Answer: Sendable {
  let name: String
  let address: String
}

protocol Resolver: Sendable {
  func resolve(_ name: String) async -> Answer
}

/// A name server at the other end of the world.
struct RemoteResolver: Resolver {
  let delay: Duration

  func resolve(_ name: String) async -> Answer {
    try? await Task.sleep(for: delay)
    let last = name.utf8.reduce(0) { ($0 + Int($1)) % 250 }
    return Answer(name: name, address: "203.0.113.\(last + 1)")
  }
}

struct Sweeper<Server: Resolver>: Sendable {
  let resolver: Server

  func lookUp(_ names: [String]) async -> [Answer] {
    await withTaskGroup(of: Answer.self) { group in
      var answers: [Answer] = []
      for name in names {
        group.addTask(name: "lookup \(name)") {
          await resolver.resolve(name)
        }
        if let answer = await group.next() {  // culprit
          answers.append(answer)
        }
      }
      return answers
    }
  }
}
