#pragma once
// The working and idle periods of the drain thread, the bell that wakes it, and bells for other
// waits. There is one drain thread at a time.
#include <stdbool.h>
#include <stdint.h>
#if !defined(__linux__)
#include <pthread.h>
#endif

/// An event that one thread waits for and others signal. A signal that comes before the wait is not
/// lost, and several signals count as one.
typedef struct vv_bell {
  uint32_t pending;  // signaled, and not consumed yet
#if !defined(__linux__)
  pthread_mutex_t mutex;
  pthread_cond_t struck;
#endif
} vv_bell;

void vv_bell_make(vv_bell *bell);
void vv_bell_destroy(vv_bell *bell);

/// Wakes the waiter. Costs one exchange while an earlier signal is pending.
void vv_bell_ring(vv_bell *bell);

/// Like `vv_bell_ring`, for signal handlers. On systems without a wakeup that is allowed there, the
/// waiter notices the call when its time is up.
void vv_bell_ring_from_handler(vv_bell *bell);

/// Waits for a signal, at most this long; returns whether there was one. Everything that the
/// ringing thread wrote before is then visible.
bool vv_bell_wait(vv_bell *bell, uint64_t nanoseconds);

/// Waits without a time limit.
#define VV_FOREVER UINT64_MAX

/// The bell that wakes the drain thread.
extern vv_bell vv_drain_bell;

/// Nonzero while the file cannot be written: no thread then waits for room, whatever the policy.
extern uint32_t vv_drain_is_failing;

/// Sets whether writing to the file currently fails.
void vv_drain_set_failing(bool failing);

/// Wakes the drain thread.
static inline void vv_drain_call(void) { vv_bell_ring(&vv_drain_bell); }

/// Wakes the drain thread to write, unless writing fails: then it retries at its own pace.
static inline void vv_drain_call_to_write(void) {
  if (!__atomic_load_n(&vv_drain_is_failing, __ATOMIC_RELAXED)) vv_drain_call();
}

/// Begins the drain thread's working period, once no fork is in progress.
void vv_drain_begin(void);

/// Waits for a call of the drain thread, at most this long. The thread is idle meanwhile.
void vv_drain_listen(uint64_t nanoseconds);

/// Lets a waiting fork proceed. For long work, at points where the drain thread holds no lock.
void vv_drain_pause(void);

/// Ends the drain thread's working period.
void vv_drain_end(void);

/// Enclose a system call that may wait for a disk: if the calling thread is the drain thread, it is
/// idle in between. They preserve `errno`.
void vv_drain_rest(void);
void vv_drain_work(void);

/// Prepares for a fork: waits until the drain thread is idle, and keeps it idle. While working, it
/// may hold a lock of Swift's runtime, which the system does not know of, and which would stay
/// locked in the child.
void vv_drain_hold(void);

/// Lets the drain thread continue after a fork, in the parent.
void vv_drain_let_go(void);

/// Resets the state after a fork, in the child, which has no drain thread.
void vv_drain_forget(void);
