#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "own.h"
#include "varve_tasks.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const varve_task_follower *follower;

static inline const varve_task_follower *attached(void) {
  return __atomic_load_n(&follower, __ATOMIC_ACQUIRE);
}

const varve_task_follower *varve_tasks_follower(void) { return attached(); }

VARVE_IN_FRONT void varve_tasks_attach(int version, const varve_task_follower *given) {
  if (version != VARVE_TASKS_VERSION || attached()) return;
  varve_tasks_leave_variables();
  __atomic_store_n(&follower, given, __ATOMIC_RELEASE);
}

static __thread __attribute__((tls_model("initial-exec"))) void *thread_word;

VARVE_IN_FRONT void **varve_tasks_thread_word(void) { return &thread_word; }

__attribute__((noinline, cold)) void *varve_tasks_next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  static const char *const libraries[] = {"libswiftCore.so", "libswift_Concurrency.so"};
  for (int index = 0; !found && index < 2; index++) {
    void *library = dlopen(libraries[index], RTLD_LAZY | RTLD_NOLOAD);
    if (library) found = dlsym(library, name);
  }
  if (found) return found;
  fprintf(stderr, "varve: %s was called, and no library of the program has it\n", name);
  abort();
}

// MARK: The runtime's calls around runs

#define NEXT(name)                                                           \
  static __typeof__(&name) found_##name;                                     \
  __typeof__(&name) next = __atomic_load_n(&found_##name, __ATOMIC_RELAXED); \
  if (__builtin_expect(!next, 0)) {                                          \
    next = (__typeof__(&name))varve_tasks_next(#name);                       \
    __atomic_store_n(&found_##name, next, __ATOMIC_RELAXED);                 \
  }

VARVE_IN_FRONT void swift_task_enterThreadLocalContext(char *access);
VARVE_IN_FRONT void swift_task_exitThreadLocalContext(char *access);

static void enter(char *access) {
  NEXT(swift_task_enterThreadLocalContext);
  next(access);
  const varve_task_follower *who = attached();
  if (__builtin_expect(!who, 0)) {
    varve_tasks_open_recorder();
    who = attached();
    if (!who) return;
  }
  const uintptr_t *frame = __builtin_frame_address(0);
  who->entered(access, frame[1], frame[0]);
}

static void leave(char *access) {
  NEXT(swift_task_exitThreadLocalContext);
  const varve_task_follower *who = attached();
  if (who) who->exits(access);
  next(access);
}

// By aliases, so that each has an address that is its own, whichever library comes first.
void swift_task_enterThreadLocalContext(char *access) __attribute__((alias("enter")));
void swift_task_exitThreadLocalContext(char *access) __attribute__((alias("leave")));

VARVE_IN_FRONT bool varve_tasks_come_first(void) {
  return dlsym(RTLD_DEFAULT, "swift_task_enterThreadLocalContext") == (void *)enter &&
         dlsym(RTLD_DEFAULT, "swift_task_exitThreadLocalContext") == (void *)leave;
}
#else
void varve_tasks_attach(int version, const varve_task_follower *given) { (void)version, (void)given; }
void **varve_tasks_thread_word(void) { return 0; }
bool varve_tasks_come_first(void) { return false; }
#endif
