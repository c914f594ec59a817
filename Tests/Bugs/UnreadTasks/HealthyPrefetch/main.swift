// Symptom: None; at most four pictures are loaded at a time, and all of them come.
// Looks at: the loading of the pictures ("prefetch")

import Foundation

actor PictureServer {
  private var running = 0
  private(set) var mostAtOnce = 0

  func picture(_ number: Int) async throws -> String {
    running += 1
    mostAtOnce = max(mostAtOnce, running)
    defer { running -= 1 }
    try await Task.sleep(for: .milliseconds(10 + number % 4 * 5))
    return "picture \(number)"
  }
}

struct Prefetcher: Sendable {
  let server: PictureServer

  func load(_ numbers: [Int]) async throws -> [Int: String] {
    try await withThrowingTaskGroup(of: (Int, String).self) { group in
      var rest = numbers[...]
      var pictures: [Int: String] = [:]
      for number in rest.prefix(4) {
        group.addTask(name: "picture \(number)") { (number, try await server.picture(number)) }
      }
      rest = rest.dropFirst(4)
      while let (number, picture) = try await group.next() {
        pictures[number] = picture
        if let next = rest.popFirst() {
          group.addTask(name: "picture \(next)") { (next, try await server.picture(next)) }
        }
      }
      return pictures
    }
  }
}

let server = PictureServer()
let prefetching = Task(name: "prefetch") {
  try await Prefetcher(server: server).load(Array(1...60))
}
let pictures = try await prefetching.value
print("\(pictures.count) pictures, \(await server.mostAtOnce) at once")
