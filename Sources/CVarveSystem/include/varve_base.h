#pragma once
// The basis of the other headers: attributes for the hot path's variables and functions, spinning,
// and the platform's mutex.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

// Tells the compiler that a variable is in this image. Otherwise each access would take another
// instruction, to load the variable's address.
#if defined(__ELF__)
#define VV_HERE __attribute__((visibility("hidden")))
#else
#define VV_HERE
#endif

/// Marks a function that the hot path rarely calls. It preserves all registers, so that the hot
/// path does not have to save any for it.
#define VV_SELDOM __attribute__((preserve_most, cold))

// Marks a function that reads the frames of arbitrary functions, without sanitizer checks.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VV_UNCHECKED __attribute__((no_sanitize("address", "thread")))
#endif
#endif
#ifndef VV_UNCHECKED
#define VV_UNCHECKED
#endif

/// Tells the processor that this is a spin-wait loop.
static inline void vv_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Performs one iteration of a loop that waits for a few instructions of another thread. That
/// thread may have lost its processor to the waiting ones, so every 64th iteration yields.
static inline void vv_wait_a_turn(uint32_t *turns) {
  if (++*turns % 64) vv_pause();
  else sched_yield();
}

/// The platform's mutex, inlinable in Swift code. Unlike lighter locks, it may be held across a
/// fork, and ThreadSanitizer supports it.
typedef struct vv_mutex {
  pthread_mutex_t lock;
} vv_mutex;

static inline void vv_mutex_make(vv_mutex *mutex) { pthread_mutex_init(&mutex->lock, NULL); }
static inline void vv_mutex_lock(vv_mutex *mutex) { pthread_mutex_lock(&mutex->lock); }
static inline void vv_mutex_unlock(vv_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
static inline void vv_mutex_destroy(vv_mutex *mutex) { pthread_mutex_destroy(&mutex->lock); }
