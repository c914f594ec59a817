#pragma once
// The platform's mutex, where Swift code can inline it. Unlike lighter locks it may be held over a
// fork, and ThreadSanitizer knows it.
#include <pthread.h>

typedef struct vv_mutex {
  pthread_mutex_t lock;
} vv_mutex;

static inline void vv_mutex_make(vv_mutex *mutex) { pthread_mutex_init(&mutex->lock, NULL); }
static inline void vv_mutex_lock(vv_mutex *mutex) { pthread_mutex_lock(&mutex->lock); }
static inline void vv_mutex_unlock(vv_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
static inline void vv_mutex_destroy(vv_mutex *mutex) { pthread_mutex_destroy(&mutex->lock); }
