#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "task_state.h"

#include <dlfcn.h>
#include <stdio.h>

// Defined in VarveProbe, which may not be linked.
extern void varve_define_scheduler(uint32_t id, const char *name) __attribute__((weak));

// The types of executors seen so far, and the session in which each was last recorded. Entry 0
// stands for the global executor, entry 1 for those of further types.
enum { types_most = 1024, first_type = 2, probes_most = 32 };
static uintptr_t types[types_most];
static uint32_t sessions[types_most];
uint32_t vv_task_global_session = 0;

typedef struct {
  const uintptr_t *identity;
  uintptr_t implementation;
} executor;

// The type of the object that stands for the main actor's executor; 0 if there is none.
static uintptr_t main_type(void) {
  executor (*main_executor)(void) __attribute__((swiftcall));
  main_executor = (__typeof__(main_executor))dlsym(RTLD_DEFAULT, "swift_task_getMainExecutor");
  const uintptr_t *identity = main_executor ? main_executor().identity : NULL;
  return identity ? *identity : 0;
}

static void find_name(uintptr_t type, char *name, size_t size) {
  vv_type_name found = {"main actor", 10};
  if (type != main_type()) found = vv_type_name_of((const void *)type);
  if (!found.count) found = (vv_type_name){"executor", 8};
  snprintf(name, size, "%.*s", (int)found.count, found.bytes);
}

static uint32_t define(uint32_t entry, uint32_t gate) {
  if (__atomic_load_n(&sessions[entry], __ATOMIC_ACQUIRE) == gate >> 8) return VV_EXECUTORS_FROM + entry;
  char name[256] = "global executor";
  if (entry == 1) strcpy(name, "other executors");
  if (entry >= first_type) find_name(types[entry], name, sizeof name);
  if (varve_define_scheduler) varve_define_scheduler(VV_EXECUTORS_FROM + entry, name);
  __atomic_store_n(&sessions[entry], gate >> 8, __ATOMIC_RELEASE);
  if (entry == 0) __atomic_store_n(&vv_task_global_session, gate >> 8, __ATOMIC_RELEASE);
  return VV_EXECUTORS_FROM + entry;
}

uint32_t vv_task_executor(const void *identity, uint32_t gate) {
  if (!identity) return define(0, gate);
  // Executors are objects, which begin with their type.
  uintptr_t type = *(const uintptr_t *)identity;
  uint64_t hash = (type >> 4) * 0x9e3779b97f4a7c15ull >> 40;
  for (uint32_t probe = 0; probe < probes_most; probe++) {
    uint32_t entry = first_type + (uint32_t)((hash + probe) % (types_most - first_type));
    uintptr_t found = __atomic_load_n(&types[entry], __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(&types[entry], &found, type, false,
                                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return define(entry, gate);
    if (found == type) return define(entry, gate);
  }
  return define(1, gate);
}
