import Testing
import VarvePlatform

/// Threads whose stacks the thread library knows nothing of: /proc is not mounted, or a sandbox forbids
/// what it asks the kernel.
@Suite(.enabled(if: CProgram.canBeMade, "not run: there is no clang to make programs with"))
struct UnknownStackTests {
  private let folder = Folder()

  /// A library that is preloaded, with which the thread library knows no bounds.
  private func blind() throws -> [String: String] {
    let library = try CProgram.make(
      Self.blindness, as: "libblind.so", in: folder, options: ["-fPIC", "-shared"])
    return ["LD_PRELOAD": library]
  }

  @Test("B1: a walk stays on a stack whose bounds are unknown, and knows its own frames")
  func walks() throws {
    let program = try CProgram.make(Self.walk, as: "walk", in: folder, withSystem: true)
    let expected = """
      main: owns its own 1, another's 0, walked 102
      thread: owns its own 1, another's 0, walked 102

      """
    for environment in [[:], try blind()] {
      let end = Child(program: program, [], environment: environment).wait()
      #expect(end.output == expected, "\(environment)")
      #expect(end.status == 0)
    }
  }

  @Test("E7: recursion is told where the bounds of the thread's stack are unknown")
  func recursion() throws {
    let child = Child(
      program: Child.beside("ReactiveChild"), ["direct"], environment: try blind())
    // It would wait for itself.
    try child.waitForEnd(atMostSeconds: 60)
    let end = child.wait()
    #expect(end.signal != 0 && end.signal != SIGKILL)
    #expect(
      end.output.contains(
        "Varve: a value was sent on 'numbers' from inside its own delivery"), "\(end.output)")
  }

  private static let blindness = """
    #include <errno.h>
    #include <pthread.h>
    int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
      (void)thread, (void)attributes;
      return EPERM;
    }

    """

  /// Its walks come by a frame that leads away from the stack.
  private static let walk = #"""
    #include <errno.h>
    #include <pthread.h>
    #include <stdio.h>
    #include "CVarveSystem.h"
    static uintptr_t elsewhere;
    static __attribute__((noinline)) int walk_broken(void) {
      volatile uintptr_t *frame = __builtin_frame_address(0);
      uintptr_t saved = frame[0], found[64];
      frame[0] = saved + ((uintptr_t)1 << 43);
      int count = vv_stack_walk(found, NULL, 64);
      uint32_t stack = vv_stack_capture();
      frame[0] = saved;
      return count + (stack ? 100 : 0);
    }
    static void *look(void *name) {
      int here = 0;
      printf("%s: owns its own %d, another's %d, walked %d\n", (const char *)name,
             vv_thread_owns((uintptr_t)&here), elsewhere ? vv_thread_owns(elsewhere) : 0, walk_broken());
      elsewhere = (uintptr_t)&here;
      return NULL;
    }
    int main(void) {
      look("main");
      pthread_t thread;
      pthread_create(&thread, NULL, look, "thread");
      pthread_join(thread, NULL);
      return 0;
    }

    """#
}
