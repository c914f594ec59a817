#include "task_state.h"

#include <stdlib.h>

// As with hops (hop.c): states are kept in batches, of which each thread has up to two.
enum { batch = 64 };
static uint64_t top = 0;
static uint64_t states = 0;

static inline vv_task_state *first_state(uint64_t word) {
  return (vv_task_state *)(word & 0xffffffffffffull);
}

static void give(vv_task_state *first) {
  uint64_t known = __atomic_load_n(&top, __ATOMIC_RELAXED), now;
  do {
    __atomic_store_n(&first->next_batch, first_state(known), __ATOMIC_RELAXED);
    now = ((known >> 48) + 1) << 48 | (uint64_t)(uintptr_t)first;
  } while (!__atomic_compare_exchange_n(&top, &known, now, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

static vv_task_state *take_batch(void) {
  uint64_t known = __atomic_load_n(&top, __ATOMIC_ACQUIRE), now;
  vv_task_state *first;
  do {
    first = first_state(known);
    if (!first) return NULL;
    now = ((known >> 48) + 1) << 48 |
          (uint64_t)(uintptr_t)__atomic_load_n(&first->next_batch, __ATOMIC_RELAXED);
  } while (!__atomic_compare_exchange_n(&top, &known, now, true, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE));
  return first;
}

static vv_task_state *make_batch(void) {
  vv_task_state *made = NULL;
  if (posix_memalign((void **)&made, _Alignof(vv_task_state), batch * sizeof *made)) return NULL;
  for (int index = 0; index < batch; index++)
    made[index].next = index + 1 < batch ? &made[index + 1] : NULL;
  __atomic_add_fetch(&states, batch, __ATOMIC_RELAXED);
  return made;
}

static __attribute__((noinline)) vv_task_state *refill(vv_thread *thread) {
  vv_thread_watch_end();
  vv_task_state *first = take_batch();
  if (!first) first = make_batch();
  thread->tasks_free = 0;
  for (vv_task_state *state = first; state; state = state->next) thread->tasks_free++;
  return first;
}

vv_task_state *vv_task_state_make(vv_thread *thread) {
  vv_task_state *state = thread->free_task ? thread->free_task : refill(thread);
  if (!state) return NULL;
  thread->free_task = state->next;
  thread->tasks_free--;
  // What a run sets before it is read is left as it is.
  memset(state, 0, offsetof(vv_task_state, outer_cause));
  state->noted = 0;
  state->way = 0;
  return state;
}

static __attribute__((noinline)) void shed(vv_thread *thread) {
  vv_task_state *first = thread->free_task, *last = first;
  for (int index = 1; index < batch; index++) last = last->next;
  thread->free_task = last->next;
  thread->tasks_free -= batch;
  last->next = NULL;
  give(first);
}

void vv_task_state_free(vv_thread *thread, vv_task_state *state) {
  state->next = thread->free_task;
  thread->free_task = state;
  if (__builtin_expect(++thread->tasks_free >= 2 * batch, 0)) shed(thread);
}

static void leave_thread(vv_thread *thread) {
  vv_task_state *first = thread->free_task;
  thread->free_task = NULL;
  thread->tasks_free = 0;
  if (first) give(first);
}

__attribute__((constructor(101))) static void watch_threads(void) { vv_thread_at_end(leave_thread); }

uint64_t vv_task_states(void) { return __atomic_load_n(&states, __ATOMIC_RELAXED); }
