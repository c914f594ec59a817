// A program whose tasks know their own numbers and those of the tasks that created them, and say so,
// to be compared with what a recording of it says. It does not record anything itself.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The runtime's functions that tell a task's number.
enum Runtime {
  static let current = unsafeBitCast(
    dlsym(dlopen(nil, RTLD_LAZY), "swift_task_getCurrent"),
    to: (@convention(c) () -> UnsafeRawPointer?).self)
  static let number = unsafeBitCast(
    dlsym(dlopen(nil, RTLD_LAZY), "swift_task_getJobTaskId"),
    to: (@convention(c) (UnsafeRawPointer) -> UInt64).self)
}

/// The number of the task that runs.
func own() -> UInt64 { Runtime.current().map(Runtime.number) ?? 0 }

enum Known {
  /// The task that created this one.
  @TaskLocal static var creator: UInt64 = 0
}

let lines = Mutex<[String]>([])

func note(_ kind: String, _ name: String = "") {
  let line = "\(own()) \(Known.creator) \(kind)\(name.isEmpty ? "" : " \(name)")"
  lines.withLock { $0.append(line) }
}

actor Total {
  private(set) var sum = 0
  func add(_ number: Int) async {
    sum += number
    await Task.yield()
  }
}

let total = Total()

/// A task that nobody waits for, cancelled in its sleep.
func sleeper() -> Task<Void, Never> {
  Task(name: "sleeper", priority: .low) {
    note("task", "sleeper")
    try? await Task.sleep(for: .seconds(600))
  }
}

func spread(_ depth: Int, _ kind: String, _ name: String = "") async -> Int {
  note(kind, name)
  await total.add(1)
  guard depth > 0 else { return 1 }
  let number = own()
  return await Known.$creator.withValue(number) {
    async let one = spread(depth - 1, "asyncLet")
    let two = Task(name: "named\(depth)", priority: .high) {
      await spread(depth - 1, "task", "named\(depth)")
    }
    let three = Task.detached {
      await Known.$creator.withValue(number) { await spread(depth - 1, "task") }
    }
    let sleeping = depth == 1 ? sleeper() : nil
    let four = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 { group.addTask { await spread(depth - 1, "groupChild") } }
      return await group.reduce(0, +)
    }
    sleeping?.cancel()
    await sleeping?.value
    let resumed = await withCheckedContinuation { continuation in
      let resumer = Task {
        note("task")
        continuation.resume(returning: 1)
      }
      resumers.withLock { $0.append(resumer) }
    }
    return await one + two.value + three.value + four + resumed
  }
}

/// Tasks whose results nobody asks for. They are waited for at the end, or some might still run then.
let resumers = Mutex<[Task<Void, Never>]>([])

let waiting = Mutex<[UnsafeContinuation<Int, Never>]>([])

/// As many tasks, which all wait at the same time.
nonisolated func living(_ count: Int) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for _ in 0..<count {
      group.addTask {
        await withUnsafeContinuation { continuation in
          waiting.withLock { $0.append(continuation) }
        }
      }
    }
    while waiting.withLock({ $0.count }) < count { await Task.yield() }
    for continuation in waiting.withLock({ $0 }) { continuation.resume(returning: 1) }
    return await group.reduce(0, +)
  }
}

let depth = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
if let word = CommandLine.arguments.dropFirst().first, word == "many" {
  // As many tasks as are asked for, one after the other; then the most memory that was ever taken.
  let count = Int(CommandLine.arguments.last ?? "") ?? 0
  for number in 0..<count { _ = await Task { number }.value }
  var usage = rusage()
  getrusage(0, &usage)  // RUSAGE_SELF, whose type differs between systems
  print(usage.ru_maxrss)
  exit(0)
}
if let word = CommandLine.arguments.dropFirst().first, word == "living" {
  print("sum \(await living(Int(CommandLine.arguments.last ?? "") ?? 0))")
  exit(0)
}
let isQuiet = CommandLine.arguments.contains("quiet")
let sum = await spread(depth, "main")
for resumer in resumers.withLock({ $0 }) { await resumer.value }
if !isQuiet { for line in lines.withLock({ $0 }) { print(line) } }
print("sum \(sum), actor \(await total.sum)")
