#pragma once
// What the library VarveTasks, which `varve run` preloads, tells of the streams that a program makes with
// `AsyncStream` and `AsyncThrowingStream`. The types are those of its own header.
#include <stdbool.h>
#include <stdint.h>

/// A stream that is made.
typedef struct vv_stream_making {
  const void *element;  // the type of its elements
  uintptr_t frame;      // of the function that the program's code called
  int64_t limit;        // how many elements it keeps
  uint8_t policy;       // which ones it drops then: VV_KEEPS_NEWEST, VV_KEEPS_OLDEST, or none
  bool throws;
} vv_stream_making;

/// Values of `policy`: the tags of `AsyncStream.Continuation.BufferingPolicy`.
enum { VV_KEEPS_OLDEST = 0, VV_KEEPS_NEWEST = 1 };

/// What is kept while an element, or an end, is passed on: its record, and what the thread delivered
/// before.
typedef struct vv_stream_passage {
  uint64_t record, outer;
  uint32_t ring, session;
} vv_stream_passage;

// Defined in VarveRecorder, which is not in every program that links this library.
void varve_stream_made(void *storage, const vv_stream_making *what) __attribute__((weak));
bool varve_stream_yields(void *storage, const void *value, uintptr_t frame,
                         vv_stream_passage *passage) __attribute__((weak));
void varve_stream_yielded(void *storage, const void *result, const vv_stream_passage *passage)
    __attribute__((weak));
void varve_stream_finishes(void *storage, const void *failure, uintptr_t frame,
                           vv_stream_passage *passage) __attribute__((weak));
void varve_stream_finished(const vv_stream_passage *passage) __attribute__((weak));
