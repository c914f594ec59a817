#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_hop.h"

#include <stdlib.h>
#if defined(__linux__)
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#endif
#include "varve_emit.h"

uint32_t vv_capture = 0;

// MARK: Memory

// Nodes are allocated by one thread and mostly freed by another. Each thread keeps up to two
// batches of free nodes; surplus batches go to a shared stack, from which other threads refill.
enum { batch = 64 };

// The first node of the topmost batch, in the lower 48 bits, and a change count above them. A
// thread that takes a batch reads it before it owns it, and the count reveals whether the batch was
// taken and returned in the meantime (the ABA problem).
static uint64_t top = 0;
static uint64_t nodes = 0;

static inline vv_hop *first_node(uint64_t word) { return (vv_hop *)(word & 0xffffffffffffull); }
static inline uint64_t changed(uint64_t word, const vv_hop *first) {
  return ((word >> 48) + 1) << 48 | (uint64_t)(uintptr_t)first;
}

static void give(vv_hop *first) {
  uint64_t known = __atomic_load_n(&top, __ATOMIC_RELAXED);
  do {
    __atomic_store_n(&first->next_batch, first_node(known), __ATOMIC_RELAXED);
  } while (!__atomic_compare_exchange_n(&top, &known, changed(known, first), true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

static vv_hop *take_batch(void) {
  uint64_t known = __atomic_load_n(&top, __ATOMIC_ACQUIRE);
  vv_hop *first;
  do {
    first = first_node(known);
    if (!first) return NULL;
  } while (!__atomic_compare_exchange_n(
      &top, &known, changed(known, __atomic_load_n(&first->next_batch, __ATOMIC_RELAXED)), true,
      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
  return first;
}

static vv_hop *make_batch(void) {
  vv_hop *made = malloc(batch * sizeof *made);
  if (!made) return NULL;
  for (int index = 0; index < batch; index++)
    made[index].parent = index + 1 < batch ? &made[index + 1] : NULL;
  __atomic_add_fetch(&nodes, batch, __ATOMIC_RELAXED);
  return made;
}

static __attribute__((noinline)) vv_hop *refill(vv_thread *thread) {
  vv_thread_watch_end();
  vv_hop *first = take_batch();
  if (!first) first = make_batch();
  thread->hops_free = 0;
  for (vv_hop *hop = first; hop; hop = hop->parent) thread->hops_free++;
  return first;
}

static inline vv_hop *allocate(vv_thread *thread) {
  vv_hop *hop = thread->free_hop;
  if (__builtin_expect(!hop, 0)) hop = refill(thread);
  if (!hop) return NULL;
  thread->free_hop = hop->parent;
  thread->hops_free--;
  return hop;
}

// Gives the newer of two batches to the shared stack.
static __attribute__((noinline)) void shed(vv_thread *thread) {
  vv_hop *first = thread->free_hop, *last = first;
  for (int index = 1; index < batch; index++) last = last->parent;
  thread->free_hop = last->parent;
  thread->hops_free -= batch;
  last->parent = NULL;
  give(first);
}

static inline void deallocate(vv_thread *thread, vv_hop *hop) {
  hop->parent = thread->free_hop;
  thread->free_hop = hop;
  if (__builtin_expect(++thread->hops_free >= 2 * batch, 0)) shed(thread);
}

// Gives the free nodes of an ending thread to the shared stack.
static void leave_thread(vv_thread *thread) {
  vv_hop *first = thread->free_hop;
  thread->free_hop = NULL;
  thread->hops_free = 0;
  if (first) give(first);
}

__attribute__((constructor(101))) static void watch_threads(void) { vv_thread_at_end(leave_thread); }

uint64_t vv_hop_nodes(void) { return __atomic_load_n(&nodes, __ATOMIC_RELAXED); }

// MARK: Chains

// Fills a node in storage that the caller provides.
static void describe(vv_hop *hop, vv_way way, uint64_t id, uint32_t scheduler, uint32_t stack) {
  vv_hop *parent = vv_way_node(way);
  hop->id = id;
  hop->stack = stack;
  hop->scheduler = scheduler;
  hop->parent = parent;
  hop->repeats = 0;
  hop->depth = 1;
  hop->is_cut = 0;
  if (!parent) return;
  hop->is_cut = parent->is_cut;
  if (stack == 0 || parent->stack != stack || parent->scheduler != scheduler) {
    hop->depth = parent->depth + 1;
    return;
  }
  hop->parent = vv_hop_retain(parent->parent);
  hop->repeats = parent->repeats < UINT32_MAX ? parent->repeats + 1 : UINT32_MAX;
  hop->depth = parent->depth;
  vv_hop_release(parent);
}

vv_hop *vv_hop_make(vv_thread *thread, vv_way way, uint64_t id, uint32_t scheduler,
                    uint32_t stack) {
  vv_hop *hop = allocate(thread);
  if (!hop) {
    vv_way_release(way);
    return NULL;
  }
  hop->owners = 1;
  describe(hop, way, id, scheduler, stack);
  return hop;
}

void vv_hop_release(vv_hop *hop) {
  vv_thread *thread = vv_thread_current();
  // Releases parents in a loop rather than recursively, because a chain may be long.
  while (hop && __atomic_sub_fetch(&hop->owners, 1, __ATOMIC_ACQ_REL) == 0) {
    vv_hop *parent = hop->parent;
    deallocate(thread, hop);
    hop = parent;
  }
}

// Other threads may be changing the count, but never from or to 0: only a node's own thread moves
// it off the stack.
static inline bool is_shared(const vv_hop *hop) {
  return __atomic_load_n(&hop->owners, __ATOMIC_RELAXED) != 0;
}

static inline void copy_facts(vv_hop *to, const vv_hop *from) {
  to->id = from->id;
  to->stack = from->stack;
  to->scheduler = from->scheduler;
  to->repeats = from->repeats;
}

vv_hop *vv_hop_share(vv_thread *thread) {
  vv_hop *running = thread->running;
  if (!running || is_shared(running)) return vv_hop_retain(running);
  vv_hop *shared = allocate(thread);
  if (!shared) return NULL;
  copy_facts(shared, running);
  shared->parent = running->parent;
  shared->depth = running->depth;
  shared->is_cut = running->is_cut;
  // The thread and the caller.
  shared->owners = 2;
  thread->running = shared;
  return shared;
}

// Replaces the parents of a node on the stack with copies of the newest of them. This happens when
// work begins rather than when it is scheduled, so that all work scheduled by it shares the copies.
static __attribute__((noinline)) void cut(vv_thread *thread, vv_hop *hop) {
  vv_hop *newest = NULL, **end = &newest;
  const vv_hop *from = hop->parent;
  for (uint32_t depth = VV_HOP_CHAIN - 1; depth > 0; depth--, from = from->parent) {
    vv_hop *copy = allocate(thread);
    if (!copy) break;
    copy_facts(copy, from);
    copy->owners = 1;
    copy->depth = depth;
    copy->is_cut = 1;
    copy->parent = NULL;
    *end = copy;
    end = &copy->parent;
  }
  if (!newest) return;
  vv_hop_release(hop->parent);
  hop->parent = newest;
  hop->depth = VV_HOP_CHAIN;
  hop->is_cut = 1;
}

vv_hop *vv_hop_begin(vv_thread *thread, vv_hop *place, vv_way way, uint64_t id, uint32_t scheduler,
                     uint32_t stack) {
  vv_hop *before = thread->running;
  if (way == 0) {
    thread->running = NULL;
    return before;
  }
  place->owners = 0;
  describe(place, way, id, scheduler, stack);
  if (__builtin_expect(place->depth >= 2 * VV_HOP_CHAIN, 0)) cut(thread, place);
  thread->running = place;
  return before;
}

void vv_hop_end(vv_thread *thread, vv_hop *before) {
  vv_hop *ran = thread->running;
  thread->running = before;
  if (!ran) return;
  // The thread owns a reference to a shared node; an unshared one goes away with the stack.
  vv_hop *owned = is_shared(ran) ? ran : ran->parent;
  if (owned) vv_hop_release(owned);
}

// MARK: Work that other libraries schedule

#if defined(__linux__)
// The interface of the library VarveHops, as declared in its header; used if it was preloaded.
typedef struct {
  void *(*scheduled)(const char *queue, const void *function);
  void (*run)(void *hop, void (*work)(void *), void *context);
  void (*run_again)(void *hop, void (*work)(void *), void *context);
  void (*forget)(void *hop);
} hop_follower;
enum { hops_version = 1 };

// Defined in VarveReactive, which may not be linked.
extern void *varve_hop_scheduled(const char *name, uint32_t stack) __attribute__((weak));
extern void varve_hop_run(void *hop, void (*work)(void *), void *context) __attribute__((weak));
extern void varve_hop_run_again(void *hop, void (*work)(void *), void *context)
    __attribute__((weak));
extern void varve_hop_forget(void *hop) __attribute__((weak));

// VarveProbe.Wish.stacks
enum { wish_stacks = 1 << 4 };

static const void *concurrency;  // the base address of libswift_Concurrency, or null
static pthread_once_t concurrency_once = PTHREAD_ONCE_INIT;

static void find_concurrency(void) {
  const void *function = dlsym(RTLD_DEFAULT, "swift_task_create");
  Dl_info found;
  if (function && dladdr(function, &found)) concurrency = found.dli_fbase;
}

// Whether a function belongs to the library that runs Swift's tasks. A lookup takes the linker a
// microsecond and there are few such functions, so each thread caches its last result.
static bool runs_tasks(vv_thread *thread, const void *function) {
  if (!function) return false;
  if (thread->known_function == function) return thread->runs_tasks;
  pthread_once(&concurrency_once, find_concurrency);
  Dl_info found;
  thread->known_function = function;
  thread->runs_tasks = concurrency && dladdr(function, &found) && found.dli_fbase == concurrency;
  return thread->runs_tasks;
}

static void *scheduled(const char *queue, const void *function) {
  vv_thread *thread = vv_thread_current();
  bool wanted = vv_capture_load() || (vv_gate_load() & wish_stacks);
  if (!wanted || thread->is_handing_over) return NULL;
  char name[160];
  if (runs_tasks(thread, function))
    strcpy(name, "Swift concurrency");
  else
    snprintf(name, sizeof name, *queue ? "DispatchQueue(%s)" : "Dispatch", queue);
  // Work done while following other work is not itself followed.
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
