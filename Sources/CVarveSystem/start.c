#include <stdlib.h>

// In VarveRecorder, which need not be linked: streams do without a recorder.
#if defined(__APPLE__)
#include <dlfcn.h>
static void (*recorder(void))(void) {
  return (void (*)(void))dlsym(RTLD_DEFAULT, "varve_recorder_start_from_environment");
}
#else
extern void varve_recorder_start_from_environment(void) __attribute__((weak));
static void (*recorder(void))(void) { return varve_recorder_start_from_environment; }
#endif

// Runs before `main`, after the constructors that have a priority (the clock's) and those of the
// libraries that the program is linked with.
__attribute__((constructor)) static void start_from_environment(void) {
  const char *path = getenv("VARVE_TRACE");
  void (*start)(void) = recorder();
  if (path && *path && start) start();
}
