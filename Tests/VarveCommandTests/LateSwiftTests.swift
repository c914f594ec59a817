import Foundation
import Testing
import VarveTraceScript

/// A program in C that loads Swift late, with a plug-in and for that alone, under the library that
/// stands in front of Dispatch.
@Suite(
  "A program that loads Swift late",
  .enabled(if: Compilers.areThere, "not run: there is no clang or no swiftc"))
struct LateSwiftTests {
  private let folder = TemporaryFolder()

  @Test("B4: its queues and tasks work, followed or not", arguments: ["plain", "follow"])
  func works(mode: String) throws {
    let (host, plugin) = try LateSwift.make(in: folder)
    let hops = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("libVarveHops.so").path
    let run = try CommandRun(
      [plugin, mode],
      environment: ["LD_PRELOAD": hops, "SWIFT_BACKTRACE": "enable=no"], program: host)
    #expect(run.output == "sum 11055, followed \(mode == "follow")\n")
    #expect(run.status == 0, "\(run.errors)")
  }
}

private enum LateSwift {
  static func make(in folder: TemporaryFolder) throws -> (host: String, plugin: String) {
    let library = ["-emit-library", "-parse-as-library", "-module-name", "Plugin"]
    return (
      try Compilers.make(hostText, "host.c", to: "host", ["-ldl"], in: folder),
      try Compilers.make(pluginText, "plugin.swift", to: "libplugin.so", library, in: folder)
    )
  }

  private static let hostText = """
    #include <dlfcn.h>
    #include <stdio.h>
    int main(int count, char **words) {
      void *plugin = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
      void (*go)(void) = plugin ? (void (*)(void))dlsym(plugin, "go") : NULL;
      if (!go) return puts(dlerror()), 1;
      go();
      return 0;
    }

    """

  /// What follows does as `VarveReactive` does, and counts.
  private static let pluginText = #"""
    import Dispatch
    import Synchronization

    typealias Work = @convention(c) (UnsafeMutableRawPointer?) -> Void
    struct Follower {
      var scheduled: @convention(c) (UnsafePointer<CChar>?, UnsafeRawPointer?) -> UnsafeMutableRawPointer?
      var run: @convention(c) (UnsafeMutableRawPointer?, Work, UnsafeMutableRawPointer?) -> Void
      var runAgain: @convention(c) (UnsafeMutableRawPointer?, Work, UnsafeMutableRawPointer?) -> Void
      var forget: @convention(c) (UnsafeMutableRawPointer?) -> Void
    }
    let scheduled = Atomic<Int>(0)
    let ran = Atomic<Int>(0)
    let follower = UnsafeMutablePointer<Follower>.allocate(capacity: 1)

    @_silgen_name("varve_hops_attach") func attach(_ version: CInt, _ follower: UnsafeRawPointer)

    @_cdecl("go") public func go() {
      if CommandLine.arguments.contains("follow") {
        follower.initialize(
          to: Follower(
            scheduled: { _, _ in
              scheduled.add(1, ordering: .relaxed)
              return UnsafeMutableRawPointer(bitPattern: 8)
            },
            run: { _, work, context in
              ran.add(1, ordering: .relaxed)
              work(context)
            },
            runAgain: { _, work, context in work(context) }, forget: { _ in }))
        attach(1, UnsafeRawPointer(follower))
      }
      let queue = DispatchQueue(label: "late")
      let group = DispatchGroup()
      let sum = Atomic<Int>(0)
      for number in 1...10 {
        queue.async(group: group) { sum.add(number, ordering: .relaxed) }
        queue.async { sum.add(100, ordering: .relaxed) }
      }
      group.wait()
      let done = DispatchSemaphore(value: 0)
      Task {
        await Task.yield()
        sum.add(10_000, ordering: .relaxed)
        done.signal()
      }
      done.wait()
      queue.sync {}
      print("sum \(sum.load(ordering: .relaxed)), followed \(ran.load(ordering: .relaxed) >= 20)")
    }

    """#
}
