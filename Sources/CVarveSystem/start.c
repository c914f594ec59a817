#include <stdbool.h>
#include <stdlib.h>

// In VarveRecorder, which need not be linked: streams do without a recorder.
#if defined(__APPLE__)
#include <dlfcn.h>
static void (*recorder(void))(void) {
  return (void (*)(void))dlsym(RTLD_DEFAULT, "varve_recorder_start_from_environment");
}
static bool only_reads(void) {
  return dlsym(RTLD_DEFAULT, "varve_program_only_reads") != NULL;
}
#else
extern void varve_recorder_start_from_environment(void) __attribute__((weak));
static void (*recorder(void))(void) { return varve_recorder_start_from_environment; }
// In programs that link the recorder and read traces: the trace that the variable names may be the
// one that they are to read.
extern void varve_program_only_reads(void) __attribute__((weak));
static bool only_reads(void) { return varve_program_only_reads != NULL; }
#endif

// Runs before `main`, after the constructors that have a priority (the clock's) and those of the
// libraries that the program is linked with.
__attribute__((constructor)) static void start_from_environment(void) {
  const char *path = getenv("VARVE_TRACE");
  void (*start)(void) = recorder();
  if (path && *path && start && !only_reads()) start();
}
