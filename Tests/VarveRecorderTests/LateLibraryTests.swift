import Testing

/// The recorder in a plug-in: its variables of threads are made when a thread first asks for them, which
/// allocates.
@Suite(.enabled(if: CProgram.canBeMade, "not run: there is no clang to make programs with"))
struct LateLibraryTests {
  private let folder = Folder()

  @Test("T5: the handler of crashes allocates nothing on a thread that never recorded")
  func allocatesNothing() throws {
    let plugin = try CProgram.make(
      Self.plugin, as: "plugin.so", in: folder, withSystem: true, options: ["-fPIC", "-shared"])
    let host = try CProgram.make(Self.host, as: "host", in: folder)
    let end = Child(program: host, [plugin, folder.file("live")]).wait()
    #expect(end.output == "marked 1, allocated 0\n")
    #expect(end.status == 0)
  }

  private static let plugin = """
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <unistd.h>
    #include "CVarveSystem.h"
    int begin(const char *path) {
      int file = open(path, O_RDWR | O_CREAT, 0600);
      if (file < 0 || ftruncate(file, VV_SIDECAR_HEADER_BYTES) != 0 || !vv_sidecar_map(file)) return 1;
      vv_crash_watch();
      return 0;
    }
    int is_marked(int number) {
      return vv_sidecar_mapped()->crash.signal == number;
    }

    """

  private static let host = #"""
    #include <dlfcn.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
    extern void *__libc_memalign(size_t, size_t);
    static int counts, calls;
    void *malloc(size_t size) { calls += counts; return __libc_malloc(size); }
    void *calloc(size_t count, size_t size) { calls += counts; return __libc_calloc(count, size); }
    void *realloc(void *at, size_t size) { calls += counts; return __libc_realloc(at, size); }
    void *memalign(size_t to, size_t size) { calls += counts; return __libc_memalign(to, size); }
    void *aligned_alloc(size_t to, size_t size) { calls += counts; return __libc_memalign(to, size); }
    static void survive(int number) { (void)number; }
    static void *strike(void *nothing) {
      counts = 1;
      raise(SIGQUIT);
      counts = 0;
      return nothing;
    }
    int main(int count, char **words) {
      signal(SIGQUIT, survive);
      void *plugin = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
      if (count < 3 || !plugin) return puts(dlerror()), 1;
      int (*begin)(const char *) = (int (*)(const char *))dlsym(plugin, "begin");
      int (*is_marked)(int) = (int (*)(int))dlsym(plugin, "is_marked");
      if (begin(words[2]) != 0) return puts("cannot begin"), 1;
      pthread_t thread;
      pthread_create(&thread, NULL, strike, NULL);
      pthread_join(thread, NULL);
      printf("marked %d, allocated %d\n", is_marked(SIGQUIT), calls);
      return 0;
    }

    """#
}
