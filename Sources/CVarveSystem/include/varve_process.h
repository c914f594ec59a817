#pragma once
// The process: its identity, by which a reader finds out whether it still runs; starting a
// recording before `main`; forks; and starting the drain thread.
#include <stdbool.h>
#include <stdint.h>

/// The identity of a process, distinct from that of any earlier or later process.
typedef struct vv_process {
  uint64_t id;
  uint64_t start;  // the start time, in a unit of the system; 0 if unknown
  uint8_t boot[16];  // the boot id of the machine; zeros if unknown
  uint64_t space;  // the pid namespace of the id; 0 if unknown
} vv_process;

typedef enum vv_process_state {
  vv_process_gone = 0,
  vv_process_running = 1,
  vv_process_out_of_sight = 2,  // its id belongs to another pid namespace and is meaningless here
} vv_process_state;

/// Fills in the identity of the calling process.
void vv_process_self(vv_process *process);

/// Returns the state of a process. A zombie counts as gone, as does a process of an earlier boot.
vv_process_state vv_process_look(const vv_process *process);

/// Whether this is the calling process, even if it has since executed another program (`exec`).
bool vv_process_is_self(const vv_process *process);

/// Stores the path of the running program; an empty string if unknown.
void vv_process_path(char *path, uint64_t size);

/// Registers functions to call around every `fork`. To be called once per process.
void vv_process_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/// Makes children of a fork close this descriptor, and thereby give up its locks.
void vv_process_owns(int file);

/// Closes a descriptor, whether or not it was passed to `vv_process_owns`.
void vv_process_close(int file);

/// Resets the recorder in the child of a fork, before anything else: closes the gate, detaches the
/// sidecar, closes the recorder's descriptors, and restores the signal handlers.
void vv_process_forget_parent(void);

/// Starts the drain thread with all signals blocked, so that no signal handler of the program runs
/// on it. Returns 0 or the system's error.
int vv_process_start_drain(void *(*run)(void *), void *context, void **thread);

/// Waits for the drain thread to return.
void vv_process_join(void *thread);
