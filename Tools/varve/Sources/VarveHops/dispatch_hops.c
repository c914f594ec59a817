#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_hops.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

typedef void (*function)(void *);

static const varve_hop_follower *follower;

EXPORTED void varve_hops_attach(int version, const varve_hop_follower *given) {
  if (version == VARVE_HOPS_VERSION) __atomic_store_n(&follower, given, __ATOMIC_RELEASE);
}

static inline const varve_hop_follower *attached(void) {
  return __atomic_load_n(&follower, __ATOMIC_ACQUIRE);
}

// Dispatch where a program loads it late, with a plug-in and for that alone (`RTLD_LOCAL`): its calls
// come here, since preloaded libraries go before all others, but the libraries behind this one do not
// have the function. What is found stays loaded: a work item may be in its hands.
static void *late_symbol(const char *name, const void *caller) {
  void *found = NULL;
  void *library = dlopen("libdispatch.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library) found = dlsym(library, name);
  if (found) return found;
  // Under another name it is the caller's, or one of those that the caller was linked with.
  Dl_info module, own;
  if (!caller || !dladdr(caller, &module)) return NULL;
  library = dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  found = library ? dlsym(library, name) : NULL;
  // The program's own list begins with what was preloaded.
  if (!found || !dladdr((const void *)late_symbol, &own) || !dladdr(found, &module)) return NULL;
  return module.dli_fbase == own.dli_fbase ? NULL : found;
}

static __attribute__((noinline, cold)) void *next_symbol(const char *name, const void *caller) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) found = late_symbol(name, caller);
  if (found) return found;
  fprintf(stderr, "varve: %s was called, and no library of the program has it\n", name);
  abort();
}

// The function of the same name that this one stands in front of. Threads that ask for it at the same
// time get the same answer.
#define NEXT(name)                                                               \
  static __typeof__(&name) found_##name;                                         \
  __typeof__(&name) next = __atomic_load_n(&found_##name, __ATOMIC_RELAXED);     \
  if (__builtin_expect(!next, 0)) {                                              \
    next = (__typeof__(&name))next_symbol(#name, __builtin_return_address(0));   \
    __atomic_store_n(&found_##name, next, __ATOMIC_RELAXED);                     \
  }

// MARK: Blocks

// How blocks begin, by the ABI that all compilers agree on.
typedef struct block {
  void *isa;
  int flags, reserved;
  function invoke;
  const void *descriptor;
} block;

// What is used of the system's libraries. It is looked up and not linked: a program that uses no
// Dispatch, a shell for instance, must start as it would without this library.
static struct {
  void *(*copy)(const void *block);
  void (*release)(const void *block);
  const char *(*label)(void *queue);
  void *heap_block;  // the class of blocks on the heap
  function special;  // what blocks are invoked by that `dispatch_block_create` made
} system_;
static pthread_once_t system_once = PTHREAD_ONCE_INIT;

static void do_nothing(void *own) { (void)own; }

static void *find(void *where, const char *name) {
  void *found = dlsym(where, name);
  return found ? found : late_symbol(name, NULL);
}

static void look_up(void) {
  system_.copy = (void *(*)(const void *))find(RTLD_DEFAULT, "_Block_copy");
  system_.release = (void (*)(const void *))find(RTLD_DEFAULT, "_Block_release");
  system_.label = (const char *(*)(void *))find(RTLD_DEFAULT, "dispatch_queue_get_label");
  system_.heap_block = find(RTLD_DEFAULT, "_NSConcreteMallocBlock");
  void *global_block = find(RTLD_DEFAULT, "_NSConcreteGlobalBlock");
  block *(*create)(unsigned long, block *) =
      (block * (*)(unsigned long, block *))find(RTLD_NEXT, "dispatch_block_create");
  if (!system_.copy || !system_.release || !global_block || !create) return;
  static const unsigned long descriptor[] = {0, sizeof(block)};
  static block empty = {.flags = 1 << 28, .invoke = do_nothing, .descriptor = descriptor};
  empty.isa = global_block;
  block *made = create(0, &empty);
  if (!made) return;
  system_.special = made->invoke;
  system_.release(made);
}

static bool knows_blocks(void) {
  pthread_once(&system_once, look_up);
  return system_.special && system_.heap_block;
}

static void *follow(void *queue, const void *called) {
  const varve_hop_follower *who = attached();
  if (!who) return NULL;
  pthread_once(&system_once, look_up);
  const char *label = queue && system_.label ? system_.label(queue) : NULL;
  return who->scheduled(label ? label : "", called);
}

// A block that is made by hand, since one that the compiler makes cannot tell when it goes without
// having run.
typedef struct hop_block {
  block head;
  block *work;
  void *hop;  // null once it was used up
  bool runs_again;
} hop_block;

static void call(void *work) { ((block *)work)->invoke(work); }

static void run_block(void *given) {
  hop_block *own = given;
  if (own->runs_again) {
    attached()->run_again(own->hop, call, own->work);
    return;
  }
  // Somebody may submit one block twice; the first run takes the hop.
  void *hop = __atomic_exchange_n(&own->hop, NULL, __ATOMIC_ACQ_REL);
  if (hop)
    attached()->run(hop, call, own->work);
  else
    call(own->work);
}

static void copy_block(void *to, const void *from) { (void)to, (void)from; }

static void end_block(const void *given) {
  hop_block *own = (hop_block *)given;
  void *hop = __atomic_exchange_n(&own->hop, NULL, __ATOMIC_ACQ_REL);
  if (hop) attached()->forget(hop);
  system_.release(own->work);
}

static const struct {
  unsigned long reserved, size;
  void (*copy)(void *to, const void *from);
  void (*dispose)(const void *own);
} hop_descriptor = {0, sizeof(hop_block), copy_block, end_block};

// A block on the heap with one owner, which runs `work` as a hop; null when it is not to be followed.
//
// Blocks that `dispatch_block_create` made (DispatchWorkItem) carry data which Dispatch finds by what
// they are invoked by: flags such as barrier, who waits for it, whether it was cancelled. Another
// block around it would hide that, so the block inside was wrapped when they were made.
static block *wrap(block *work, void *queue, bool runs_again) {
  if (!work || !attached() || !knows_blocks() || work->invoke == system_.special) return NULL;
  void *hop = follow(queue, NULL);
  if (!hop) return NULL;
  hop_block *own = malloc(sizeof *own);
  if (!own) {
    attached()->forget(hop);
    return NULL;
  }
  own->head.isa = system_.heap_block;
  // It is to be freed, has functions to copy and dispose of it, and one owner, which counts as two.
  own->head.flags = 1 << 24 | 1 << 25 | 2;
  own->head.reserved = 0;
  own->head.invoke = run_block;
  own->head.descriptor = &hop_descriptor;
  own->work = system_.copy(work);
  own->hop = hop;
  own->runs_again = runs_again;
  return &own->head;
}

static void drop(block *wrapped) {
  if (wrapped) system_.release(wrapped);
}

// MARK: Functions with a context

typedef struct call_with_hop {
  function work;
  void *context;
  void *hop;
} call_with_hop;

static void run_call(void *given) {
  call_with_hop own = *(call_with_hop *)given;
  free(given);
  attached()->run(own.hop, own.work, own.context);
}

// When the work is followed, `work` and `context` are then what is to be passed on.
static void wrap_call(void *queue, function *work, void **context) {
  void *hop = *work ? follow(queue, (const void *)*work) : NULL;
  if (!hop) return;
  call_with_hop *own = malloc(sizeof *own);
  if (!own) {
    attached()->forget(hop);
    return;
  }
  *own = (call_with_hop){*work, *context, hop};
  *work = run_call;
  *context = own;
}

// MARK: Loops whose turns run on several threads at once

typedef struct turns {
  block *work;
  void *hop;
  pthread_t caller;
} turns;

typedef struct turn {
  block *work;
  size_t index;
} turn;

static void call_turn(void *given) {
  turn *own = given;
  ((void (*)(void *, size_t))(void *)own->work->invoke)(own->work, own->index);
}

static void run_turn(void *given, size_t index) {
  turns *all = given;
  turn own = {all->work, index};
  // On the calling thread the way here is on the stack.
  if (pthread_equal(pthread_self(), all->caller))
    call_turn(&own);
  else
    attached()->run_again(all->hop, call_turn, &own);
}

// MARK: What programs call

#define BLOCK_TO_QUEUE(name)                       \
  EXPORTED void name(void *queue, block *work) {   \
    NEXT(name);                                    \
    block *wrapped = wrap(work, queue, false);     \
    next(queue, wrapped ? wrapped : work);         \
    drop(wrapped);                                 \
  }

#define CALL_TO_QUEUE(name)                                       \
  EXPORTED void name(void *queue, void *context, function work) { \
    NEXT(name);                                                   \
    wrap_call(queue, &work, &context);                            \
    next(queue, context, work);                                   \
  }

#define BLOCK_TO_GROUP(name)                                   \
  EXPORTED void name(void *group, void *queue, block *work) {  \
    NEXT(name);                                                \
    block *wrapped = wrap(work, queue, false);                 \
    next(group, queue, wrapped ? wrapped : work);              \
    drop(wrapped);                                             \
  }

#define CALL_TO_GROUP(name)                                                    \
  EXPORTED void name(void *group, void *queue, void *context, function work) { \
    NEXT(name);                                                                \
    wrap_call(queue, &work, &context);                                         \
    next(group, queue, context, work);                                         \
  }

BLOCK_TO_QUEUE(dispatch_async)
CALL_TO_QUEUE(dispatch_async_f)
BLOCK_TO_QUEUE(dispatch_barrier_async)
CALL_TO_QUEUE(dispatch_barrier_async_f)
BLOCK_TO_GROUP(dispatch_group_async)
CALL_TO_GROUP(dispatch_group_async_f)
BLOCK_TO_GROUP(dispatch_group_notify)
CALL_TO_GROUP(dispatch_group_notify_f)

EXPORTED void dispatch_after(uint64_t when, void *queue, block *work) {
  NEXT(dispatch_after);
  block *wrapped = wrap(work, queue, false);
  next(when, queue, wrapped ? wrapped : work);
  drop(wrapped);
}

EXPORTED void dispatch_after_f(uint64_t when, void *queue, void *context, function work) {
  NEXT(dispatch_after_f);
  wrap_call(queue, &work, &context);
  next(when, queue, context, work);
}

EXPORTED void dispatch_apply_f(size_t count, void *queue, void *context,
                               void (*work)(void *, size_t)) {
  NEXT(dispatch_apply_f);
  next(count, queue, context, work);
}

EXPORTED void dispatch_apply(size_t count, void *queue, block *work) {
  NEXT(dispatch_apply);
  void *hop = work && attached() ? follow(queue, NULL) : NULL;
  if (!hop) {
    next(count, queue, work);
    return;
  }
  turns all = {work, hop, pthread_self()};
  // Returns when all turns have.
  dispatch_apply_f(count, queue, &all, run_turn);
  attached()->forget(hop);
}

// The block inside is wrapped, so that the block that comes out is a special one as ever. It may be
// submitted anywhere, and more than once: where it was made is where it came from.
EXPORTED void *dispatch_block_create(unsigned long flags, block *work) {
  NEXT(dispatch_block_create);
  block *wrapped = wrap(work, NULL, true);
  void *made = next(flags, wrapped ? wrapped : work);
  drop(wrapped);
  return made;
}

EXPORTED void *dispatch_block_create_with_qos_class(unsigned long flags, unsigned quality,
                                                    int priority, block *work) {
  NEXT(dispatch_block_create_with_qos_class);
  block *wrapped = wrap(work, NULL, true);
  void *made = next(flags, quality, priority, wrapped ? wrapped : work);
  drop(wrapped);
  return made;
}

// A source's handlers run again and again, each time as what set them.
#define SOURCE_HANDLER(name)                         \
  EXPORTED void name(void *source, block *handler) { \
    NEXT(name);                                      \
    block *wrapped = wrap(handler, NULL, true);      \
    next(source, wrapped ? wrapped : handler);       \
    drop(wrapped);                                   \
  }

SOURCE_HANDLER(dispatch_source_set_event_handler)
SOURCE_HANDLER(dispatch_source_set_cancel_handler)
SOURCE_HANDLER(dispatch_source_set_registration_handler)
#else
void varve_hops_attach(int version, const varve_hop_follower *given) { (void)version, (void)given; }
#endif
