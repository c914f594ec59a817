#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_task.h"

#include <dlfcn.h>
#include <stddef.h>
#include "varve_follow.h"

// Part of the runtime's ABI. Weak, because a program may not link Swift concurrency.
extern __attribute__((swiftcall)) void *swift_task_getCurrent(void) __attribute__((weak));
extern void swift_task_create(void) __attribute__((weak));
extern __attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *task) __attribute__((weak));

bool vv_task_runs(void) { return swift_task_getCurrent && swift_task_getCurrent() != NULL; }

// MARK: Causes noted for tasks

// Indexed by task id, which is unique in a process, unlike a task's address, which may be reused.
// Ids are consecutive, so entries are used in turn, and a task loses its entry only if it waits
// while as many others as there are entries note a cause. Two tasks that share an entry overwrite
// each other, possibly at the same time, so an entry is valid only if its two halves match. Unused
// entries take no physical memory.
typedef struct {
  uint64_t check, cause;
} noted_cause;
static noted_cause noted_causes[VV_TASKS_NOTED];

uint8_t vv_tasks_noted = 0;

static inline uint64_t check_of(uint64_t task, uint64_t cause) {
  return task ^ cause * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t running_task(void) {
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  return task && swift_task_getJobTaskId ? swift_task_getJobTaskId(task) : 0;
}

void vv_task_note_cause(uint64_t cause) {
  uint64_t task = running_task();
  if (!task) return;
  vv_task_forget_beginning(vv_thread_current());
  noted_cause *place = &noted_causes[task % VV_TASKS_NOTED];
  __atomic_store_n(&place->cause, cause, __ATOMIC_RELAXED);
  __atomic_store_n(&place->check, check_of(task, cause), __ATOMIC_RELAXED);
  if (!vv_tasks_are_noted()) __atomic_store_n(&vv_tasks_noted, 1, __ATOMIC_RELAXED);
}

uint64_t vv_task_cause(void) {
  if (vv_thread_current()->is_attributed) return 0;
  uint64_t task = running_task();
  if (!task) return 0;
  noted_cause *place = &noted_causes[task % VV_TASKS_NOTED];
  uint64_t cause = __atomic_load_n(&place->cause, __ATOMIC_RELAXED);
  uint64_t check = __atomic_load_n(&place->check, __ATOMIC_RELAXED);
  return check == check_of(task, cause) ? cause : 0;
}

// MARK: How tasks await each other

uintptr_t vv_await_entry = 0;
uint8_t vv_await_learned = 0;

// The beginning of an asynchronous function's context, which outlives its suspensions. The
// function's frame has a pointer to it below the saved frame pointer.
typedef struct awaiting {
  struct awaiting *caller;  // the context of the awaiting function
  uintptr_t resume;         // the address at which that function resumes
} awaiting;

static inline const awaiting *of_frame(uintptr_t frame) {
  return ((const awaiting *const *)frame)[-1];
}

int vv_await_walk(uintptr_t frame, uintptr_t *addresses, int most) {
  int count = 0;
  for (const awaiting *own = of_frame(frame); own && count < most; own = own->caller) {
    if (own->resume < 4096) break;
    addresses[count++] = own->resume | VV_RESUMPTION;
  }
  return count;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/uio.h>
#include <unistd.h>

// Reads memory that may not be mapped.
static bool read_safely(const void *from, void *to, size_t bytes) {
  struct iovec here = {to, bytes}, there = {(void *)from, bytes};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

static const void *module_of(uintptr_t address) {
  Dl_info found;
  return address && dladdr((void *)address, &found) ? found.dli_fbase : NULL;
}

// Whether the chain begins in `module`, if one is given, contains only addresses of code, and ends.
static bool is_plausible(const awaiting *own, const void *module) {
  for (int length = 0; length < 64; length++) {
    awaiting read;
    if (!own) return length > 1;
    if ((uintptr_t)own & 7 || !read_safely(own, &read, sizeof read)) return false;
    if (!read.resume) return length > 1;
    const void *where = module_of(read.resume);
    if (!where || (length == 0 && module && where != module)) return false;
    own = read.caller;
  }
  return false;
}

__attribute__((noinline)) void vv_await_learn(void) {
  uintptr_t own = (uintptr_t)__builtin_frame_address(0);
  uintptr_t asynchronous = ((uintptr_t *)own)[0], module = ((uintptr_t *)own)[1];
  if (!vv_task_runs() || asynchronous <= own || asynchronous & 7 || !vv_thread_owns(asynchronous) ||
      !vv_thread_owns(asynchronous + 15))
    return;
  uintptr_t entry = ((uintptr_t *)asynchronous)[1];
  const void *runtime = module_of((uintptr_t)&swift_task_create);
  if (!runtime || module_of(entry) != runtime) return;
  if (!is_plausible(of_frame(asynchronous), module_of(module))) return;
  __atomic_store_n(&vv_await_entry, entry, __ATOMIC_RELAXED);
}

VV_UNCHECKED void vv_await_learn_from(uintptr_t frame, uintptr_t runner, uintptr_t caller) {
  // The code of that function between the runtime's call that tells of the run, and the run itself.
  enum { longest_code = 256, most_attempts = 64 };
  static uint32_t attempts = 0;
  if (__atomic_fetch_add(&attempts, 1, __ATOMIC_RELAXED) >= most_attempts) return;
  for (int steps = 0; steps < VV_STACK_FRAMES && frame < runner && !(frame & 7); steps++) {
    uintptr_t next = ((uintptr_t *)frame)[0], entry = ((uintptr_t *)frame)[1];
    if (next == runner) {
      if (entry - caller < longest_code && is_plausible(of_frame(frame), NULL))
        __atomic_store_n(&vv_await_entry, entry, __ATOMIC_RELAXED);
      return;
    }
    if (next <= frame) return;
    frame = next;
  }
}
#else
void vv_await_learn(void) {}
void vv_await_learn_from(uintptr_t frame, uintptr_t runner, uintptr_t caller) {
  (void)frame, (void)runner, (void)caller;
}
#endif
