#pragma once
// What the other headers are built from: how the hot path's variables and functions are declared, how a
// thread waits for a few instructions of another one, and the platform's mutex.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

// Where the linker does not see by itself that a variable lies in this image, every look at it would
// cost an instruction more, which fetches its address.
#if defined(__ELF__)
#define VV_HERE __attribute__((visibility("hidden")))
#else
#define VV_HERE
#endif

/// A function that the hot path calls seldom: it leaves all registers as they are, so that the hot path
/// need not put anything aside for it.
#define VV_SELDOM __attribute__((preserve_most, cold))

// For functions that look at what frames hold, which is anybody's, without asking their owner.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VV_UNCHECKED __attribute__((no_sanitize("address", "thread")))
#endif
#endif
#ifndef VV_UNCHECKED
#define VV_UNCHECKED
#endif

/// Says to the processor that this is a loop that waits.
static inline void vv_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// One turn of a loop that waits for another thread to take a step of a few instructions. That thread
/// may have lost its processor to those that wait: now and then it is let go first.
static inline void vv_wait_a_turn(uint32_t *turns) {
  if (++*turns % 64) vv_pause();
  else sched_yield();
}

/// The platform's mutex, where Swift code can inline it. Unlike lighter locks it may be held over a
/// fork, and ThreadSanitizer knows it.
typedef struct vv_mutex {
  pthread_mutex_t lock;
} vv_mutex;

static inline void vv_mutex_make(vv_mutex *mutex) { pthread_mutex_init(&mutex->lock, NULL); }
static inline void vv_mutex_lock(vv_mutex *mutex) { pthread_mutex_lock(&mutex->lock); }
static inline void vv_mutex_unlock(vv_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
static inline void vv_mutex_destroy(vv_mutex *mutex) { pthread_mutex_destroy(&mutex->lock); }
