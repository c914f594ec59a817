#pragma once
// Follows the tasks of Swift concurrency, also those of code that does not use Varve, and records
// what they do: created, scheduled, run, suspended, cancelled, ended.
//
// The runtime itself tells of them. For ThreadSanitizer, it has two variables for functions that it
// calls when a task changes hands (`task_calls.c`). The calls around each run of a task reach the
// library VarveTasks, if it was preloaded or linked. What happened, and to which task, follows from
// the caller and from the task's memory, whose layout is believed only after it was checked.
//
// Each call comes while the task belongs to the calling thread alone: before it is handed to an
// executor or becomes resumable, or after it was taken over. So its memory is read plainly, and what
// is known of it is changed without synchronization.
#include "varve_hop.h"

#define VV_TASK_NAME_LARGEST 104

/// The layout of a task, version 1: the same as in `TaskLayout` of VarveAnalysis.
enum {
  vv_task_flags = 32,
  vv_task_id_low = 36,
  vv_task_reserved = 48,  // null in all versions of this layout: points to what is known of the task
  vv_task_resume = 56,
  vv_task_context = 64,
  vv_task_private = 80,
  vv_task_status = 96,
  vv_task_records = 104,
  vv_task_id_high = 144,
  vv_task_size = 208,
};
enum { vv_task_is_complete = 0x2000, vv_task_depends = 0x4000 };
enum { vv_task_is_child = 1 << 24, vv_task_has_result = 1 << 25, vv_task_is_grouped = 1 << 26 };

static inline uint32_t vv_task_half(const void *task, int offset) {
  return *(const uint32_t *)((const char *)task + offset);
}
static inline uintptr_t vv_task_word(const void *task, int offset) {
  return *(const uintptr_t *)((const char *)task + offset);
}

/// A task's number, unique in the process.
static inline uint64_t vv_task_number(const void *task) {
  return (uint64_t)vv_task_half(task, vv_task_id_high) << 32 | vv_task_half(task, vv_task_id_low);
}

/// The error with which a task that has ended has failed; null if it has not. The result lies behind
/// what a child, and a child of a group, have of their own.
static inline void *vv_task_error(const void *task) {
  enum { of_child = 16, of_group = 8, result_error = 16 };
  uint32_t flags = vv_task_half(task, vv_task_flags);
  if (!(flags & vv_task_has_result)) return NULL;
  int result = vv_task_size + (flags & vv_task_is_child ? of_child : 0) +
               (flags & vv_task_is_grouped ? of_group : 0);
  return (void *)vv_task_word(task, result + result_error);
}

// MARK: What happens to tasks (task_records.c)

/// The task is about to be handed to an executor, and was not known to be. `frame` is that of the
/// function that was called by the runtime.
void vv_task_is_enqueued(void *task, uint32_t gate, uintptr_t frame);
/// The task has begun to run on this thread; the function with this frame will call it.
void vv_task_has_entered(void *task, uintptr_t caller, uintptr_t frame);
/// The task stops running on this thread, and awaits something.
void vv_task_suspends(void *task);
/// The task has ended.
void vv_task_has_ended(void *task);
/// The task, which has ended, has thrown this error; nobody can know of it yet.
void vv_task_has_failed(void *task, void *error, uint32_t gate, uintptr_t frame);
/// Somebody asks for the result of a task that has failed.
void vv_task_failure_is_read(void *task, uintptr_t frame);
/// The task's continuation is about to be resumed; the task may still run on another thread.
void vv_task_is_resumed(void *task, uintptr_t frame);
/// The task is about to be cancelled; it may run, or end, on another thread.
void vv_task_is_cancelled(void *task, uintptr_t frame);

/// Keeps what was noted for the current task with what is known of it (task.c).
void vv_task_keep_note(vv_thread *thread, void *task, uint64_t cause);
/// Returns what was noted for the current task; 0 if nothing was.
uint64_t vv_task_note(const void *task);

/// What the task that runs here does next is no longer caused by the beginning of its run.
void vv_task_forget_beginning(vv_thread *thread);
/// It is caused by that again, unless by something else meanwhile.
void vv_task_recall_beginning(vv_thread *thread);

/// The number of states kept for tasks, including free ones, for tests and measurements.
uint64_t vv_task_states(void);

// MARK: Following (task_calls.c)

/// Whether tasks are followed.
bool vv_tasks_are_followed(void);

/// Whether the library VarveTasks has been found, so that tasks are followed, now or later, if they
/// can be.
bool vv_tasks_are_attached(void);

/// Whether the program links the library VarveTasks, so that `vv_tasks_follow_linked` may be called.
bool vv_tasks_are_linked(void);

/// Follows tasks from now on, unless that is done, or cannot be done: then there is an obstacle. Calls
/// must not overlap.
void vv_tasks_follow_linked(void);

/// Says that tasks before `task`, which was just made, may have been made while nothing was recorded:
/// when such a task is met, who made it is not known.
void vv_tasks_are_new_from(const void *task);

/// Begins the run of the task that runs on this thread, if it began before tasks were followed: what it
/// does from now on is known to be its doing.
void vv_tasks_meet_current(void);

/// Returns a function or variable of the runtime; null if there is none.
VV_HERE void *vv_tasks_find(const char *name);

/// Why tasks are not followed although they should be, or which part of it is missing; null if
/// there is nothing to say.
const char *vv_tasks_obstacle(void);

/// Writes that into the trace, if a recording is running.
void vv_tasks_tell_obstacle(void);

/// Whether `address` is in the code of the library that runs tasks.
bool vv_tasks_run_at(uintptr_t address);

// MARK: Names of types (task_names.c)

/// A text that lives as long as the process.
typedef struct vv_type_name {
  const char *bytes;
  uintptr_t count;
} vv_type_name;

/// Returns the name of a type, without that of its module; an empty one if it cannot be found.
VV_HERE vv_type_name vv_type_name_of(const void *type);

/// Returns the name of an error's type, without that of its module; an empty one if it is not known.
VV_HERE vv_type_name vv_task_error_type(void *error);

// MARK: Definitions (task_templates.c, task_executors.c)

/// What tasks of one place have in common.
typedef struct vv_task_template {
  uint64_t hash;
  uint32_t session;  // in which it was last recorded
  uint32_t stack;
  uint8_t making;    // VarveProbe.TaskMaking
  uint8_t priority;
  uint8_t name_bytes;
  char name[VV_TASK_NAME_LARGEST];
} vv_task_template;

/// Returns the number of the template, from 1, after defining it for the recording; 0 if there are
/// too many. A name for which there is no room is left out.
uint32_t vv_task_template_find(uint8_t making, uint8_t priority, const char *name, uint32_t stack,
                               uint32_t gate);

/// Returns the template with this number; null if there is none.
const vv_task_template *vv_task_template_at(uint32_t number);

/// The ids of executors as schedulers begin here: VarveReactive counts its own from 1.
#define VV_EXECUTORS_FROM 0x80000000u

/// Returns the scheduler that stands for the executor with this identity, or for the global one if
/// it is null, after defining it for the recording. Actors of one type share a scheduler.
uint32_t vv_task_executor(const void *identity, uint32_t gate);

void vv_stack_define_now(uint32_t stack, uint32_t gate);

/// Ensures that the recording has a stack.
static inline void vv_stack_define(uint32_t stack, uint32_t gate) {
  if (stack && !vv_stack_is_defined(&vv_stacks[stack], gate >> 8)) vv_stack_define_now(stack, gate);
}
