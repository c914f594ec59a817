#pragma once
// Lets a recorder follow the tasks of Swift concurrency in a program that preloads this library
// (`varve run`). It stands in front of the two functions of the runtime that are called around each
// run of a task, and finds a recorder: that of the program, or else a recorder in a library of its
// own, which is opened when the first task is seen. A program without tasks runs as it would.
#include <stdint.h>

#define VARVE_TASKS_VERSION 1

/// The callbacks of a follower.
typedef struct varve_task_follower {
  /// Called after a task has begun to run on the calling thread. `access` is the part of the task
  /// that the runtime names; `frame` is the frame of the function that will call the task, and
  /// `caller` an address in it.
  void (*entered)(void *access, uintptr_t caller, uintptr_t frame);
  /// Called before a task stops running on the calling thread, to await something.
  void (*exits)(void *access);
} varve_task_follower;

/// Attaches the follower, which must remain valid for the life of the process.
void varve_tasks_attach(int version, const varve_task_follower *follower);

/// The calling thread's word for the follower, null at first. It lies at the same distance from the
/// thread pointer in each thread, where one instruction reads it.
void **varve_tasks_thread_word(void);
