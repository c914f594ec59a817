// Symptom: The feed's refresh never ends, though all three sources have answered.
// Looks at: the refresh ("refresh")

import Foundation

struct Post: Sendable {
  var text: String
}

final class Push: Sendable {
  let posts: AsyncStream<Post>
  private let input: AsyncStream<Post>.Continuation

  init() {
    (posts, input) = AsyncStream.makeStream()
  }

  func simulate() {
    let input = input
    Task(name: "push server") {
      for number in 1...3 {
        try? await Task.sleep(for: .milliseconds(8))
        input.yield(Post(text: "pushed \(number)"))
      }
    }
  }
}

func fetch(_ source: String) async -> [Post] {
  try? await Task.sleep(for: .milliseconds(source.count * 3))
  return [Post(text: "\(source) 1"), Post(text: "\(source) 2")]
}

func collect(_ push: Push) async -> [Post] {
  var all: [Post] = []
  for await post in push.posts {  // culprit
    all.append(post)
  }
  return all
}

func refresh(_ push: Push) async -> [Post] {
  await withTaskGroup(of: [Post].self) { group in
    for source in ["friends", "news"] {
      group.addTask(name: source) { await fetch(source) }
    }
    group.addTask(name: "push") { await collect(push) }
    var posts: [Post] = []
    for await part in group { posts += part }
    return posts
  }
}

let push = Push()
push.simulate()
let task = Task(name: "refresh") { await refresh(push) }
print("\(await task.value.count) posts")
