#pragma once
// Swift's tasks, as far as C can see them.
#include <stdbool.h>
#include <stdint.h>
#include "varve_base.h"

/// Whether a Swift task is running on the calling thread.
bool vv_task_runs(void);

/// Notes the record whose value the current task last received from an `await`. The note stays with
/// the task, on whichever thread it resumes, until it ends, and is never confused with that of another
/// task. Takes no lock and allocates nothing, but, where tasks are followed, for a task that began
/// before the recording.
void vv_task_note_cause(uint64_t reference);

/// The number of tasks for which causes are noted at a time where tasks have no room for notes: their
/// layout is not known, or the word is kept for a recorder that may follow them later, as VarveTasks is
/// linked. A note may then be dropped once so many other tasks have begun since its own.
#define VV_TASKS_NOTED 16384

/// That table, by tasks' numbers.
void vv_task_table_keep(uint64_t id, uint64_t cause);
uint64_t vv_task_table_find(uint64_t id);

/// Returns the reference that was noted for the current task; 0 if there is no current task or no
/// note, or while the thread works on behalf of another one.
uint64_t vv_task_cause(void);

/// Whether a cause was ever noted.
extern VV_HERE uint8_t vv_tasks_noted;
static inline bool vv_tasks_are_noted(void) {
  return __atomic_load_n(&vv_tasks_noted, __ATOMIC_RELAXED) != 0;
}

/// The bit that marks an address of a stack as the resumption of an `await` rather than a return
/// address. The same bit is used in files.
#define VV_RESUMPTION ((uintptr_t)1 << 63)

/// The return address of the runtime's call into a task that starts or resumes. A stack whose
/// frames end at this address continues with the functions that await its innermost one. 0 until
/// learned.
extern uintptr_t vv_await_entry;

/// Learns `vv_await_entry`. To be called from an asynchronous function that has not been suspended
/// and is awaited by another one in the same module.
///
/// The result is accepted only if it is plausible according to the ABI. Otherwise, stacks are
/// walked as if there were no tasks.
void vv_await_learn(void);

/// Learns `vv_await_entry` from the stack that begins with `frame`, in a task that the function with
/// the frame `runner` has called shortly after `caller`.
void vv_await_learn_from(uintptr_t frame, uintptr_t runner, uintptr_t caller);

/// How often that was attempted. A program whose functions have no such frames is left alone.
extern VV_HERE uint32_t vv_await_attempts;
static inline bool vv_await_may_be_learned(void) {
  return !__atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED) &&
         __atomic_load_n(&vv_await_attempts, __ATOMIC_RELAXED) < 64;
}

/// Whether learning was attempted.
extern uint8_t vv_await_learned;
static inline bool vv_await_is_learned(void) {
  return __atomic_load_n(&vv_await_learned, __ATOMIC_RELAXED) != 0;
}
static inline void vv_await_is_learned_store(void) {
  __atomic_store_n(&vv_await_learned, 1, __ATOMIC_RELAXED);
}

/// Stores the resumption addresses of the functions that await the one with this frame, innermost
/// first, at most `most`; returns their number.
int vv_await_walk(uintptr_t frame, uintptr_t *addresses, int most);
