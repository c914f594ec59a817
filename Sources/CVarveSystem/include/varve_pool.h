#pragma once
// Where threads get their rings: a few spare ones that the drain thread keeps ready.
#include "varve_slot.h"

/// Opens the pool for a recording. The sidecar's header is mapped already.
void vv_pool_open(uint32_t session, vv_policy policy);

/// The recording goes on under another number; rings and threads keep each other.
void vv_pool_renew(uint32_t session);

/// No thread gets a ring of this recording any more, and none waits for one.
void vv_pool_close(void);

/// Adds a ring that is empty and nobody's.
void vv_pool_add(vv_slot *slot);

/// Takes a spare ring back, or returns null when there is none.
vv_slot *vv_pool_remove(void);

/// Has threads that wait for a ring look again whether they may.
void vv_pool_wake(void);

/// Says whether rings can be made at present; while they cannot, nobody waits for one.
void vv_pool_starve(bool is_starved);

/// How many rings are spare, and how often there was none when a thread needed one.
typedef struct vv_pool_state {
  uint32_t spare;
  uint32_t waiting;  // threads that wait for one now
  uint64_t misses;
} vv_pool_state;
vv_pool_state vv_pool_look(void);

/// The recorder's `vv_make_room`.
bool vv_recorder_make_room(vv_writer *writer, uint32_t session, uint32_t bytes);

/// Goes on as if so many ids of rings had been given out. For tests: nobody makes so many threads.
void vv_pool_pass_ring_ids(uint32_t last);

/// Makes the pool usable in the child of a fork, where no other thread is left.
void vv_pool_forget(void);

/// Has the calling thread give its ring back when it ends.
void vv_thread_watch_end(void);
