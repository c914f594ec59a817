#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "own.h"
#include "varve_tasks.h"

// Finds a recorder for a program that has none, when its first task is seen.

#if defined(__linux__) && defined(VARVE_PRELOADED)
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*runtime_call)(void *object);

// The runtime's variables for functions that it calls when an object changes hands. Until a
// recorder is attached, they lead here, so that the first task opens one.
static runtime_call *acquire, *release;
static const void **task_type;

__attribute__((noinline)) static void first_release(void *object) {
  // Tasks, and nothing else, begin with this pointer; all objects given here can be read.
  if (*(const void **)object != *task_type) return;
  if (!varve_tasks_follower()) varve_tasks_open_recorder();
  runtime_call next = __atomic_load_n(release, __ATOMIC_ACQUIRE);
  if (!next || next == first_release) return;
  // The recorder must see the runtime as its caller.
  __attribute__((musttail)) return next(object);
}

void varve_tasks_leave_variables(void) {
  if (!release) return;
  runtime_call own = first_release;
  __atomic_compare_exchange_n(release, &own, NULL, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// MARK: The recorder

static pthread_once_t opening = PTHREAD_ONCE_INIT;

// Whether this program is among those that the environment names as ones to leave alone: names separated
// by colons, each of which may end in a `*`. `varve test` names the tools that run tests.
static bool is_left_alone(void) {
  const char *names = getenv("VARVE_TASKS_NOT");
  char path[4096];
  ssize_t count = names ? readlink("/proc/self/exe", path, sizeof path - 1) : 0;
  if (count <= 0) return false;
  path[count] = 0;
  const char *slash = strrchr(path, '/');
  const char *own = slash ? slash + 1 : path;
  while (*names) {
    size_t length = strcspn(names, ":");
    bool is_beginning = length > 0 && names[length - 1] == '*';
    size_t compared = is_beginning ? length - 1 : length;
    if (strncmp(own, names, compared) == 0 && (is_beginning || own[compared] == 0)) return true;
    names += length + (names[length] == ':');
  }
  return false;
}

// Whether this process may record: the first one with tasks, which notes its number in the environment
// for its children, or any, if each process has a trace of its own.
static bool is_chosen(bool may_note) {
  const char *trace = getenv("VARVE_TRACE");
  if (!trace || !*trace || is_left_alone()) return false;
  if (strstr(trace, "%p")) return true;
  char own[32];
  snprintf(own, sizeof own, "%ld", (long)getpid());
  const char *chosen = getenv("VARVE_TASKS_OF");
  if (chosen) return strcmp(chosen, own) == 0;
  if (may_note) setenv("VARVE_TASKS_OF", own, 1);
  return true;
}

static void open_now(void) {
  Dl_info own;
  char path[4096];
  if (varve_tasks_follower() || !is_chosen(false) || !dladdr((const void *)open_now, &own))
    return varve_tasks_leave_variables();
  const char *end = strrchr(own.dli_fname, '/');
  int folder = end ? (int)(end - own.dli_fname) : 0;
  snprintf(path, sizeof path, "%.*s%slibVarveGuestRecorder.so", folder, own.dli_fname,
           folder ? "/" : "");
  // The recorder attaches itself.
  if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
    fprintf(stderr, "varve: tasks are not recorded: %s\n", dlerror());
  if (!varve_tasks_follower()) varve_tasks_leave_variables();
}

void varve_tasks_open_recorder(void) { pthread_once(&opening, open_now); }

__attribute__((constructor)) static void watch_for_tasks(void) {
  if (!getenv("VARVE_TRACE")) return;
  acquire = dlsym(RTLD_DEFAULT, "_swift_tsan_acquire");
  release = dlsym(RTLD_DEFAULT, "_swift_tsan_release");
  task_type = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskMetadata");
  if (!acquire || !release || !task_type || *acquire || *release) {
    release = NULL;
    return;
  }
  // Now, while there are no other threads that read the environment.
  if (!is_chosen(true)) {
    release = NULL;
    return;
  }
  __atomic_store_n(release, first_release, __ATOMIC_RELEASE);
}
#else
void varve_tasks_open_recorder(void) {}
void varve_tasks_leave_variables(void) {}
#endif
