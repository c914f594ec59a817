#pragma once
// The mark that a crash leaves in the sidecar's header, for the handler.
#include <stdint.h>

// What struck a thread, as the handler sees it.
typedef struct vv_strike {
  int signal;
  uint64_t address;     // that a fault is about, or 0
  const void *context;  // of the thread
  uintptr_t handler;    // the handler's own frame
} vv_strike;

// Marks the header, unless it bears a mark that may be true: later signals, of other threads that
// die too or of the handlers themselves, leave the first one as it is. Returns the mark, or 0.
uint64_t vv_crash_mark(const vv_strike *strike);

// The program goes on: the handlers came back and the struck code is at work again.
void vv_crash_unmark(uint64_t mark);

// The program ends as soon as the handler has come back. Until then the thread is where a thread is
// that has left the handler by a jump.
void vv_crash_settle(uint64_t mark);
