#pragma once
// What scheduled work carries from the stack that scheduled it to the thread that runs it: a node
// for each piece of work, which points to the work that it was scheduled by. The nodes are an
// asynchronous backtrace.
//
// A node never changes once others see it. It has an owner for each that holds it: scheduled work,
// the thread that runs it, and the nodes that point to it.
#include "varve_stack.h"

/// Segments of a chain that are never cut. From twice as many on, the older ones go.
#define VV_HOP_CHAIN 32

typedef struct vv_hop {
  struct vv_hop *parent;  // the work that this was scheduled by, or null
  uint64_t id;            // the work's
  uint64_t origin;        // of the work that this was scheduled by, or 0
  uint32_t owners;
  uint32_t stack;         // of the code that scheduled it, or 0
  uint32_t scheduler;     // that it was given to
  uint32_t repeats;       // so many times the same code had scheduled itself before
  uint32_t depth;         // nodes from here to the oldest, this one included
  uint32_t is_cut;        // older nodes were let go
  struct vv_hop *next_batch;  // of free nodes, while this is the first of a batch of them
} vv_hop;

/// Whether somebody wants asynchronous backtraces who does not record.
extern uint32_t vv_capture;

static inline bool vv_capture_load(void) {
  return __atomic_load_n(&vv_capture, __ATOMIC_RELAXED) != 0;
}
static inline void vv_capture_store(bool wanted) {
  __atomic_store_n(&vv_capture, wanted, __ATOMIC_RELAXED);
}

/// A node for work that the calling thread schedules during `parent`'s, with one owner. Null when
/// memory is short.
///
/// Work that schedules itself again from the same stack gets a node in the place of the one
/// before, so that a loop of it stays one segment, with a count.
vv_hop *vv_hop_make(vv_thread *thread, vv_hop *parent, uint64_t id, uint32_t scheduler, uint32_t stack);

/// One owner more.
static inline vv_hop *vv_hop_retain(vv_hop *hop) {
  if (hop) __atomic_add_fetch(&hop->owners, 1, __ATOMIC_RELAXED);
  return hop;
}

/// One owner less; the last to go frees the node, and what only it held.
void vv_hop_release(vv_hop *hop);

/// Makes a node the one whose work the calling thread runs, and takes the caller's ownership of it.
/// Returns what ran before, for `vv_hop_end`.
vv_hop *vv_hop_begin(vv_thread *thread, vv_hop *hop);

/// The work has returned.
void vv_hop_end(vv_thread *thread, vv_hop *before);

/// How many nodes there are, for tests and measurements; those that wait to be used again too.
uint64_t vv_hop_nodes(void);

/// Bytes that a node takes.
static inline uint64_t vv_hop_bytes(void) { return sizeof(vv_hop); }

/// The calling thread ends: what it kept for itself is for others to use.
void vv_hop_leave_thread(vv_thread *thread);
