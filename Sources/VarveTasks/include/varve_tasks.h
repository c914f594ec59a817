#pragma once
// Lets a recorder follow the tasks of Swift concurrency in a program. It stands in front of the two
// functions of the runtime that are called around each run of a task, and in front of what makes an
// `AsyncStream`, and of what a continuation of one can do.
//
// It comes in two forms. A program that links it, as a product of the package, follows its tasks from
// inside, if `Recorder.Options.recordsTasks` asks for it; until then, each run takes two more calls.
// In a program that preloads it (`varve run`), it finds a recorder: that of the program, or else one in a
// library of its own, which is opened when the first task is seen. A program without tasks runs as it
// would.
#include <stdbool.h>
#include <stdint.h>

#if !defined(VARVE_PRELOADED)
// A program that links the library may be preloaded with it, too: each has its own names.
#define varve_tasks_attach varve_linked_tasks_attach
#define varve_tasks_thread_word varve_linked_tasks_thread_word
#define varve_tasks_come_first varve_linked_tasks_come_first
#define varve_streams_attach varve_linked_streams_attach
#endif

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

/// Whether the runtime calls this library's functions around runs, and not those of another one, or
/// its own. It does not if the library is linked into one that the program loads late.
bool varve_tasks_come_first(void);

#define VARVE_STREAMS_VERSION 1

/// A stream that is made.
typedef struct varve_stream_making {
  const void *element;  // the type of its elements
  uintptr_t frame;      // of the function that the program's code called
  int64_t limit;        // how many elements it keeps
  uint8_t policy;       // which ones it drops then: the newest, the oldest, or none
  bool throws;
} varve_stream_making;

/// What the follower keeps while an element, or an end, is passed on.
typedef struct varve_stream_passage {
  uint64_t record, outer;
  uint32_t ring, session;
} varve_stream_passage;

/// The callbacks of a follower of streams. A stream is known by its storage.
typedef struct varve_stream_follower {
  void (*made)(void *storage, const varve_stream_making *what);
  /// An element is about to be passed on; null stands for `()`. Returns whether the stream is known.
  bool (*yields)(void *storage, const void *value, uintptr_t frame, varve_stream_passage *passage);
  /// It was passed on, with that result.
  void (*yielded)(void *storage, const void *result, const varve_stream_passage *passage);
  /// The stream is about to be finished; `failure` is the address of an optional error, or null.
  void (*finishes)(void *storage, const void *failure, uintptr_t frame,
                   varve_stream_passage *passage);
  void (*finished)(const varve_stream_passage *passage);
} varve_stream_follower;

/// Attaches the follower, which must remain valid for the life of the process.
void varve_streams_attach(int version, const varve_stream_follower *follower);
