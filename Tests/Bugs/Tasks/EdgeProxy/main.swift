// Symptom: The log is full of warnings that a channel is used on another thread than that of its
// event loop.
// Looks at: the requests of the proxy ("request")

import Dispatch
import Foundation

final class EventLoop: SerialExecutor {
  private static let current = DispatchSpecificKey<String>()
  private let queue: DispatchQueue
  let name: String

  init(name: String) {
    self.name = name
    queue = DispatchQueue(label: name)
    queue.setSpecific(key: Self.current, value: name)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == name }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func execute(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

// Safety: it is only used on its loop.
final class Channel: @unchecked Sendable {
  private let loop: EventLoop
  private var output: [String] = []
  private var closed = false

  init(loop: EventLoop) {
    self.loop = loop
  }

  func write(_ line: String) {
    if !loop.isCurrent { print("warning: “\(line)” is written outside of \(loop.name)") }
    guard !closed else { return }
    output.append(line)
  }

  func close() -> [String] {
    if !loop.isCurrent { print("warning: closed outside of \(loop.name)") }
    closed = true
    return output
  }
}

/// Looks names up on a thread of its own, as the C library blocks.
final class Resolver: Sendable {
  private let queue = DispatchQueue(label: "resolver")

  func resolve(_ host: String, then completion: @escaping @Sendable (String) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.02) {
      let last = host.utf8.reduce(0) { ($0 + Int($1)) % 250 }
      completion("10.0.4.\(last)")
    }
  }
}

actor Proxy {
  private let loop: EventLoop
  private let resolver: Resolver
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(loop: EventLoop, resolver: Resolver) {
    self.loop = loop
    self.resolver = resolver
  }

  func handle(_ host: String) async -> [String] {
    let channel = Channel(loop: loop)
    channel.write("HELLO")
    await withCheckedContinuation { connected in
      resolver.resolve(host) { address in
        channel.write("CONNECT \(address)")  // culprit
        connected.resume()
      }
    }
    channel.write("GET / HTTP/1.1 Host: \(host)")
    return channel.close()
  }
}

let proxy = Proxy(loop: EventLoop(name: "loop-1"), resolver: Resolver())
await withTaskGroup(of: (String, Int).self) { group in
  for host in ["api.shop.example", "img.shop.example", "pay.shop.example"] {
    group.addTask(name: "request") { (host, await proxy.handle(host).count) }
  }
  for await (host, lines) in group {
    print("\(host): \(lines) lines sent")
  }
}
