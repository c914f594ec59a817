#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_tasks.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__clang__)
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stands in front of the functions of `AsyncStream` and `AsyncThrowingStream` that make a stream, and
// that its continuation has. Their arguments are passed on as they are; of those that are looked at,
// the standard library's interface, which is stable, says what they are.

#define EXPORTED __attribute__((visibility("default"), swiftcall))
#define RESULT __attribute__((swift_indirect_result))
#define SELF __attribute__((swift_context))

static const varve_stream_follower *follower;

__attribute__((visibility("default"))) void varve_streams_attach(
    int version, const varve_stream_follower *given) {
  if (version == VARVE_STREAMS_VERSION) __atomic_store_n(&follower, given, __ATOMIC_RELEASE);
}

static inline const varve_stream_follower *attached(void) {
  return __atomic_load_n(&follower, __ATOMIC_ACQUIRE);
}

static __attribute__((noinline, cold)) void *next_symbol(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  void *library = found ? NULL : dlopen("libswift_Concurrency.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library) found = dlsym(library, name);
  if (found) return found;
  fprintf(stderr, "varve: %s was called, and no library of the program has it\n", name);
  abort();
}

#define NEXT(function, name)                                                     \
  static __typeof__(&function) found;                                            \
  __typeof__(&function) next = __atomic_load_n(&found, __ATOMIC_RELAXED);        \
  if (__builtin_expect(!next, 0)) {                                              \
    next = (__typeof__(&function))next_symbol(name);                             \
    __atomic_store_n(&found, next, __ATOMIC_RELAXED);                            \
  }

// A stream that is being made: its closure may yield before the function that makes it returns.
typedef struct making {
  varve_stream_making what;
  void *storage;  // once it is known
  struct making *outer;
} making;

static __thread __attribute__((tls_model("initial-exec"))) making *current;

static varve_stream_making making_of(const void *element, const void *policy, bool throws,
                                     uintptr_t frame) {
  varve_stream_making what = {element, frame, 0, 0, throws};
  memcpy(&what.limit, policy, sizeof what.limit);
  memcpy(&what.policy, (const char *)policy + sizeof what.limit, 1);
  return what;
}

static void has_made(const varve_stream_making *what, void *storage) {
  const varve_stream_follower *who = attached();
  if (who && storage) who->made(storage, what);
}

// A stream that the follower does not know may be the one that is being made.
static bool is_being_made(const varve_stream_follower *who, void *storage) {
  if (!current || current->storage) return false;
  current->storage = storage;
  who->made(storage, &current->what);
  return true;
}

// MARK: Yields

static bool yields(const varve_stream_follower *who, void *storage, const void *value,
                   uintptr_t frame, varve_stream_passage *passage) {
  return who->yields(storage, value, frame, passage) ||
         (is_being_made(who, storage) && who->yields(storage, value, frame, passage));
}

typedef __attribute__((swiftcall)) void yielding(RESULT void *result, void *value, void *second, void *third,
                               SELF void *self);

static inline __attribute__((always_inline)) void pass(yielding *next, void *result, void *value,
                                                       void *second, void *third, void *self,
                                                       bool has_value, uintptr_t frame) {
  const varve_stream_follower *who = attached();
  void *storage = *(void **)self;
  varve_stream_passage passage = {0, 0, 0, 0};
  if (!who || !yields(who, storage, has_value ? value : NULL, frame, &passage))
    return next(result, value, second, third, self);
  next(result, value, second, third, self);
  who->yielded(storage, result, &passage);
}

#define YIELD(function, name, has_value)                                                          \
  EXPORTED void function(RESULT void *result, void *value, void *second, void *third,             \
                         SELF void *self) __asm__(name);                                          \
  EXPORTED void function(RESULT void *result, void *value, void *second, void *third,             \
                         SELF void *self) {                                                       \
    NEXT(function, name);                                                                         \
    pass(next, result, value, second, third, self, has_value,                                     \
         (uintptr_t)__builtin_frame_address(0));                                                  \
  }

YIELD(yield, "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF", true)
YIELD(yield_nothing, "$sScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF", false)
YIELD(yield_throwing, "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF", true)
YIELD(yield_nothing_throwing, "$sScs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF", false)

// MARK: Ends

static void finishes(const varve_stream_follower *who, void *storage, const void *failure,
                     uintptr_t frame, varve_stream_passage *passage) {
  if (!who->finishes(storage, failure, frame, passage) && is_being_made(who, storage))
    who->finishes(storage, failure, frame, passage);
}

#define FINISH(function, name, has_failure)                                                       \
  EXPORTED void function(void *first, void *second, void *third, SELF void *self) __asm__(name);  \
  EXPORTED void function(void *first, void *second, void *third, SELF void *self) {               \
    NEXT(function, name);                                                                         \
    const varve_stream_follower *who = attached();                                                \
    void *storage = *(void **)self;                                                               \
    varve_stream_passage passage = {0, 0, 0, 0};                                                  \
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);                                      \
    if (who) finishes(who, storage, has_failure ? first : NULL, frame, &passage);                 \
    next(first, second, third, self);                                                             \
    if (who) who->finished(&passage);                                                             \
  }

FINISH(finish, "$sScS12ContinuationV6finishyyF", false)
FINISH(finish_throwing, "$sScs12ContinuationV6finish8throwingyq_Sgn_tF", true)

// MARK: Streams

// A stream is a reference to its context, which has the storage after its header.
enum { context_storage = 16 };

#define MAKE(function, name, throws)                                                              \
  EXPORTED void function(RESULT void *stream, void *type, void *policy, void *build,              \
                         void *context, void *element, void *sixth) __asm__(name);                \
  EXPORTED void function(RESULT void *stream, void *type, void *policy, void *build,              \
                         void *context, void *element, void *sixth) {                             \
    NEXT(function, name);                                                                         \
    making now = {making_of(element, policy, throws, (uintptr_t)__builtin_frame_address(0)),      \
                  NULL, current};                                                                 \
    current = &now;                                                                               \
    next(stream, type, policy, build, context, element, sixth);                                   \
    current = now.outer;                                                                          \
    if (!now.storage) has_made(&now.what, *(void **)(*(char **)stream + context_storage));        \
  }

MAKE(make, "$sScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC",
     false)
MAKE(make_throwing,
     "$sScs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAEyxsAB_"
     "p_GXEtcsAB_pRs_rlufC",
     true)

#define MAKE_PAIR(function, name, throws)                                                         \
  EXPORTED void function(void *stream, void *continuation, void *type, void *policy,              \
                         void *element, void *sixth) __asm__(name);                               \
  EXPORTED void function(void *stream, void *continuation, void *type, void *policy,              \
                         void *element, void *sixth) {                                            \
    NEXT(function, name);                                                                         \
    varve_stream_making what =                                                                    \
        making_of(element, policy, throws, (uintptr_t)__builtin_frame_address(0));                \
    next(stream, continuation, type, policy, element, sixth);                                     \
    has_made(&what, *(void **)continuation);                                                      \
  }

MAKE_PAIR(make_pair,
          "$sScS10makeStream2of15bufferingPolicyScSyxG6stream_ScS12ContinuationVyx_G12continuationtxm_"
          "AG09BufferingE0Oyx__GtFZ",
          false)
MAKE_PAIR(make_throwing_pair,
          "$sScs10makeStream2of8throwing15bufferingPolicyScsyxs5Error_pG6stream_Scs12ContinuationVyxsAE"
          "_p_G12continuationtxm_sAE_pmAI09BufferingF0OyxsAE_p__GtsAE_pRs_rlFZ",
          true)
#else
void varve_streams_attach(int version, const varve_stream_follower *given) {
  (void)version, (void)given;
}
#endif
