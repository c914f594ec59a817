#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_task.h"

#include <dlfcn.h>
#include <stddef.h>
#include "varve_thread.h"

// Of the runtime's ABI. A program need not be linked with tasks.
extern __attribute__((swiftcall)) void *swift_task_getCurrent(void) __attribute__((weak));
extern void swift_task_create(void) __attribute__((weak));

bool vv_task_runs(void) { return swift_task_getCurrent && swift_task_getCurrent() != NULL; }

uintptr_t vv_await_entry = 0;
uint8_t vv_await_learned = 0;

// How what an asynchronous function keeps over its suspensions begins. A function's frame holds a
// pointer to it below the frame pointer that it saved.
typedef struct awaiting {
  struct awaiting *caller;  // of the function that awaits
  uintptr_t resume;         // where that goes on
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

// Reads memory that may not be there.
static bool read_safely(const void *from, void *to, size_t bytes) {
  struct iovec here = {to, bytes}, there = {(void *)from, bytes};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

static const void *module_of(uintptr_t address) {
  Dl_info found;
  return address && dladdr((void *)address, &found) ? found.dli_fbase : NULL;
}

// Whether the chain begins in `module`, goes through code only, and ends.
static bool is_plausible(const awaiting *own, const void *module) {
  for (int length = 0; length < 64; length++) {
    awaiting read;
    if (!own) return length > 1;
    if ((uintptr_t)own & 7 || !read_safely(own, &read, sizeof read)) return false;
    if (!read.resume) return length > 1;
    const void *where = module_of(read.resume);
    if (!where || (length == 0 && where != module)) return false;
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
#else
void vv_await_learn(void) {}
#endif
