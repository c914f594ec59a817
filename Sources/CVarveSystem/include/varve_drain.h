#pragma once
// The drain thread's times of work and of rest. There is one such thread at a time.
#include <stdbool.h>
#include <stdint.h>
#include "varve_bell.h"

/// What the drain thread listens to.
extern vv_bell vv_drain_bell;

/// Set while the file cannot be written: nobody waits for room then, whatever the policy.
extern uint32_t vv_drain_is_failing;

/// Tells whether the file can be written at present.
void vv_drain_set_failing(bool failing);

/// Calls the drain thread.
static inline void vv_drain_call(void) { vv_bell_ring(&vv_drain_bell); }

/// Calls it to write, unless the file cannot be written: then it tries again at its own pace.
static inline void vv_drain_call_to_write(void) {
  if (!__atomic_load_n(&vv_drain_is_failing, __ATOMIC_RELAXED)) vv_drain_call();
}

/// The drain thread begins its work, when no fork is under way.
void vv_drain_begin(void);

/// The drain thread waits for a call, at most so long. It is at rest meanwhile.
void vv_drain_listen(uint64_t nanoseconds);

/// In the midst of long work, where the drain thread holds nothing: lets a fork pass that waits.
void vv_drain_pause(void);

/// The drain thread has done its work.
void vv_drain_end(void);

/// Around a call of the system that may have to wait for a disk: if the calling thread is the drain
/// thread, it is at rest meanwhile. `errno` stays.
void vv_drain_rest(void);
void vv_drain_work(void);

/// Before a fork: returns when the drain thread is at rest, and keeps it there. In the midst of its
/// work it may be inside a lock of Swift's runtime, of which the system knows nothing, and which would
/// stay locked in the child.
void vv_drain_hold(void);

/// After a fork, in the parent.
void vv_drain_let_go(void);

/// After a fork, in the child, where no drain thread is left.
void vv_drain_forget(void);
