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

// Finds a function of Dispatch in a program that loads it late, for a plug-in alone (`RTLD_LOCAL`).
// The plug-in's calls come here, since preloaded libraries precede all others, but RTLD_NEXT does
// not find the function. The library stays loaded, since it may hold work items.
static void *late_symbol(const char *name, const void *caller) {
  void *found = NULL;
  void *library = dlopen("libdispatch.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library) found = dlsym(library, name);
  if (found) return found;
  // Under another name, Dispatch is the caller itself or one of the libraries that it links.
  Dl_info module, own;
  if (!caller || !dladdr(caller, &module)) return NULL;
  library = dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  found = library ? dlsym(library, name) : NULL;
  // The program's list of libraries begins with the preloaded ones, so this one may have been
  // found.
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

// The interposed function of the same name. Threads that look it up at the same time find the same
// function.
#define NEXT(name)                                                               \
  static __typeof__(&name) found_##name;                                         \
  __typeof__(&name) next = __atomic_load_n(&found_##name, __ATOMIC_RELAXED);     \
  if (__builtin_expect(!next, 0)) {                                              \
    next = (__typeof__(&name))next_symbol(#name, __builtin_return_address(0));   \
    __atomic_store_n(&found_##name, next, __ATOMIC_RELAXED);                     \
  }

// MARK: Blocks

// The head of a block, according to the blocks ABI.
typedef struct block {
  void *isa;
  int flags, reserved;
  function invoke;
  const void *descriptor;
} block;

// Functions of the system's libraries. They are looked up rather than linked, so that a program
// without Dispatch, such as a shell, starts as it would without this library.
static struct {
  void *(*copy)(const void *block);
  void (*release)(const void *block);
  const char *(*label)(void *queue);
  void *heap_block;  // the class of blocks on the heap
  function special;  // the invoke function of blocks that `dispatch_block_create` has made
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

// A block that is constructed manually, since a compiler-made block cannot report that it was
// released without having run.
typedef struct hop_block {
  block head;
  block *work;
  void *hop;  // null once consumed
  bool runs_again;
} hop_block;

static void call(void *work) { ((block *)work)->invoke(work); }

static void run_block(void *given) {
  hop_block *own = given;
  if (own->runs_again) {
    attached()->run_again(own->hop, call, own->work);
    return;
  }
  // A block may be submitted twice; the first run takes the hop.
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

// Returns a block on the heap, with one owner, that runs `work` as a hop; null if the work is not
// followed.
//
// Blocks made by `dispatch_block_create` (DispatchWorkItem) carry data such as flags, waiters and
// cancellation, which Dispatch finds by their invoke function. A wrapper would hide that data, so
// their inner block is wrapped when they are made.
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
  // Needs freeing, has copy and dispose functions, and one owner, which is stored as 2.
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

// If the work is followed, replaces `work` and `context` with those to pass on.
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

// MARK: Parallel loops

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
  // On the calling thread, the stack itself shows the caller.
  if (pthread_equal(pthread_self(), all->caller))
    call_turn(&own);
  else
    attached()->run_again(all->hop, call_turn, &own);
}

// MARK: Interposed functions

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
  // Returns after all iterations have.
  dispatch_apply_f(count, queue, &all, run_turn);
  attached()->forget(hop);
}

// Wraps the inner block, so that the result is a special block as usual. It may be submitted
// anywhere and repeatedly, so its cause is the call that made it.
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

// A source's handlers run repeatedly, each time as work scheduled where they were set.
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
