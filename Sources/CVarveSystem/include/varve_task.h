#pragma once
// Swift's tasks, as far as C can see them.
#include <stdbool.h>
#include <stdint.h>
#include "varve_base.h"

/// Whether a task of Swift concurrency runs on the calling thread.
bool vv_task_runs(void);

/// How many tasks can wait at once without one being forgotten.
#define VV_TASKS_NOTED 16384

/// Notes the record whose value the task that runs on the calling thread got last from an `await`. It
/// stays with the task, on whatever thread that goes on. It may be forgotten when more than
/// `VV_TASKS_NOTED` tasks have begun since the task did; another task's is never taken for it.
void vv_task_note_cause(uint64_t reference);

/// That record's reference; 0 when no task runs here, when it got none, when it was forgotten, and while
/// the thread does what another one wanted.
uint64_t vv_task_cause(void);

/// Whether anything was ever noted.
extern VV_HERE uint8_t vv_tasks_noted;
static inline bool vv_tasks_are_noted(void) {
  return __atomic_load_n(&vv_tasks_noted, __ATOMIC_RELAXED) != 0;
}

/// In an address of a stack: an `await` goes on there, it is no return address. Files have the same bit.
#define VV_RESUMPTION ((uintptr_t)1 << 63)

/// Where the runtime calls the functions of tasks that begin or go on: a stack whose frames end in this
/// return address goes on with the functions that await its innermost one. 0 until that was learned.
extern uintptr_t vv_await_entry;

/// Learns that address. To be called in an asynchronous function that another one of the same module
/// awaits, and that has not been suspended.
///
/// What it finds is believed only when it looks as the ABI has it; else stacks are walked as if there
/// were no tasks.
void vv_await_learn(void);

/// Whether that was tried.
extern uint8_t vv_await_learned;
static inline bool vv_await_is_learned(void) {
  return __atomic_load_n(&vv_await_learned, __ATOMIC_RELAXED) != 0;
}
static inline void vv_await_is_learned_store(void) {
  __atomic_store_n(&vv_await_learned, 1, __ATOMIC_RELAXED);
}

/// Stores where the functions go on that await the one with this frame, from the innermost on, at most
/// so many; returns how many there are.
int vv_await_walk(uintptr_t frame, uintptr_t *addresses, int most);
