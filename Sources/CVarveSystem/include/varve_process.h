#pragma once
// The process: who it is, so that a reader can tell whether it still runs, and the moments at which
// the recorder must be called.
#include <stdbool.h>
#include <stdint.h>

/// A process that no other process, earlier or later, is taken for.
typedef struct vv_process {
  uint64_t id;
  uint64_t start;  // when it began, in the system's own unit; 0 when that is not known
  uint8_t boot[16];  // this start of the machine; zeros when that is not known
  uint64_t space;  // the pid namespace in which the id counts; 0 when that is not known
} vv_process;

typedef enum vv_process_state {
  vv_process_gone = 0,
  vv_process_running = 1,
  vv_process_out_of_sight = 2,  // its id counts in another pid namespace: here it says nothing
} vv_process_state;

/// The calling process.
void vv_process_self(vv_process *process);

/// What can be said of a process by its id. A zombie is gone, as is one of another start of the
/// machine.
vv_process_state vv_process_look(const vv_process *process);

/// Whether that is the calling process, before or after it ran another program in its own place.
bool vv_process_is_self(const vv_process *process);

/// Path of the program that runs; an empty string when that is not known.
void vv_process_path(char *path, uint64_t size);

/// Calls these around every `fork` from now on. Once for a process.
void vv_process_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/// Has the child of a fork close this descriptor, and so give up the locks that go with it.
void vv_process_owns(int file);

/// Closes a descriptor, which may be such a one.
void vv_process_close(int file);

/// First thing in the child of a fork: closes the gate, lets go of the sidecar and of the recorder's
/// descriptors, and has signals do what they did before.
void vv_process_forget_parent(void);

/// Starts the thread that drains, with all signals blocked, so that no handler of the program's
/// runs on it. Returns 0 or the system's error.
int vv_process_start_drain(void *(*run)(void *), void *context, void **thread);

/// Waits for that thread to return.
void vv_process_join(void *thread);
