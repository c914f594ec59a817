#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "own.h"
#include "varve_tasks.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__clang__)
#include <string.h>

// Stands in front of the functions of `AsyncStream` and `AsyncThrowingStream` that make a stream, and
// that its continuation has. Their arguments are passed on as they are; of those that are looked at,
// the standard library's interface, which is stable, says what they are.

#define EXPORTED VARVE_IN_FRONT __attribute__((swiftcall))
#define RESULT __attribute__((swift_indirect_result))
#define SELF __attribute__((swift_context))

static const varve_stream_follower *follower;

VARVE_IN_FRONT void varve_streams_attach(
    int version, const varve_stream_follower *given) {
  if (version == VARVE_STREAMS_VERSION) __atomic_store_n(&follower, given, __ATOMIC_RELEASE);
}

static inline const varve_stream_follower *attached(void) {
  return __atomic_load_n(&follower, __ATOMIC_ACQUIRE);
}

#define NEXT(function, name)                                                     \
  static __typeof__(&function) found;                                            \
  __typeof__(&function) next = __atomic_load_n(&found, __ATOMIC_RELAXED);        \
  if (__builtin_expect(!next, 0)) {                                              \
    next = (__typeof__(&function))varve_tasks_next(name);                        \
    __atomic_store_n(&found, next, __ATOMIC_RELAXED);                            \
  }

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

// MARK: Yields

typedef __attribute__((swiftcall)) void yielding(RESULT void *result, void *value, void *second,
                                                 void *third, SELF void *self);

static inline __attribute__((always_inline)) void pass(yielding *next, void *result, void *value,
                                                       void *second, void *third, void *self,
                                                       bool has_value, uintptr_t frame) {
  const varve_stream_follower *who = attached();
  void *storage = *(void **)self;
  varve_stream_passage passage = {0, 0, 0, 0};
  if (!who || !who->yields(storage, has_value ? value : NULL, frame, &passage))
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

#define FINISH(function, name, has_failure)                                                       \
  EXPORTED void function(void *first, void *second, void *third, SELF void *self) __asm__(name);  \
  EXPORTED void function(void *first, void *second, void *third, SELF void *self) {               \
    NEXT(function, name);                                                                         \
    const varve_stream_follower *who = attached();                                                \
    void *storage = *(void **)self;                                                               \
    varve_stream_passage passage = {0, 0, 0, 0};                                                  \
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);                                      \
    if (who) who->finishes(storage, has_failure ? first : NULL, frame, &passage);                 \
    next(first, second, third, self);                                                             \
    if (who) who->finished(&passage);                                                             \
  }

FINISH(finish, "$sScS12ContinuationV6finishyyF", false)
FINISH(finish_throwing, "$sScs12ContinuationV6finish8throwingyq_Sgn_tF", true)

// MARK: Streams

// What a stream is made with: the program's closure, which is given the continuation, and may yield at
// once.
typedef __attribute__((swiftcall)) void building(void *continuation, SELF void *context);

typedef struct making {
  varve_stream_making what;
  building *build;
  void *context;
} making;

static __attribute__((swiftcall)) void build_followed(void *continuation, SELF void *context) {
  const making *now = context;
  has_made(&now->what, *(void **)continuation);
  now->build(continuation, now->context);
}

#define MAKE(function, name, throws)                                                              \
  EXPORTED void function(RESULT void *stream, void *type, void *policy, building *build,          \
                         void *context, void *element, void *sixth) __asm__(name);                \
  EXPORTED void function(RESULT void *stream, void *type, void *policy, building *build,          \
                         void *context, void *element, void *sixth) {                             \
    NEXT(function, name);                                                                         \
    making now = {making_of(element, policy, throws, (uintptr_t)__builtin_frame_address(0)),      \
                  build, context};                                                                \
    next(stream, type, policy, build_followed, &now, element, sixth);                             \
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
