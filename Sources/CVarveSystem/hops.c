#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#if defined(__linux__)
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "unwound_stack.h"
#include "varve_emit.h"
#include "varve_hop.h"

// The library VarveHops, when it was preloaded: what it takes, as its header has it.
typedef struct {
  void *(*scheduled)(const char *queue, const void *function);
  void (*run)(void *hop, void (*work)(void *), void *context);
  void (*run_again)(void *hop, void (*work)(void *), void *context);
  void (*forget)(void *hop);
} hop_follower;
enum { hops_version = 1 };

// In VarveReactive, which need not be linked.
extern void *varve_hop_scheduled(const char *name, uint32_t stack) __attribute__((weak));
extern void varve_hop_run(void *hop, void (*work)(void *), void *context) __attribute__((weak));
extern void varve_hop_run_again(void *hop, void (*work)(void *), void *context)
    __attribute__((weak));
extern void varve_hop_forget(void *hop) __attribute__((weak));

// VarveProbe.Wish.stacks
enum { wish_stacks = 1 << 4 };

static const void *concurrency;  // where libswift_Concurrency lies, or null
static pthread_once_t concurrency_once = PTHREAD_ONCE_INIT;

static void find_concurrency(void) {
  const void *function = dlsym(RTLD_DEFAULT, "swift_task_create");
  Dl_info found;
  if (function && dladdr(function, &found)) concurrency = found.dli_fbase;
}

// Whether a function belongs to the library that runs Swift's tasks. Functions that are asked for
// are few, and looking one up takes the linker a microsecond: the last answers are remembered.
static bool runs_tasks(const void *function) {
  static _Thread_local const void *known;
  static _Thread_local bool answer;
  if (!function) return false;
  if (known == function) return answer;
  pthread_once(&concurrency_once, find_concurrency);
  Dl_info found;
  known = function;
  answer = concurrency && dladdr(function, &found) && found.dli_fbase == concurrency;
  return answer;
}

static void *scheduled(const char *queue, const void *function) {
  vv_thread *thread = vv_thread_current();
  bool wanted = vv_capture_load() || (vv_gate_load() & wish_stacks);
  if (!wanted || thread->is_handing_over) return NULL;
  char name[160];
  if (runs_tasks(function))
    strcpy(name, "Swift concurrency");
  else
    snprintf(name, sizeof name, *queue ? "DispatchQueue(%s)" : "Dispatch", queue);
  // What is done to follow work is not followed.
  thread->is_handing_over = 1;
  void *hop = varve_hop_scheduled(name, vv_stack_capture_unwound());
  thread->is_handing_over = 0;
  return hop;
}

__attribute__((constructor)) static void attach_to_hops(void) {
  void (*attach)(int, const hop_follower *) =
      (void (*)(int, const hop_follower *))dlsym(RTLD_DEFAULT, "varve_hops_attach");
  if (!attach || !varve_hop_scheduled) return;
  static hop_follower follower;
  follower = (hop_follower){scheduled, varve_hop_run, varve_hop_run_again, varve_hop_forget};
  attach(hops_version, &follower);
}
#endif
