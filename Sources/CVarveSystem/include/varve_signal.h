#pragma once
// Signals: the opt-in crash handler, which notes the signal, the thread and the place in the
// sidecar's header and then calls the earlier handler; and signals that wake the drain thread.
#include "varve_sidecar.h"
#include "varve_thread.h"

/// Installs the crash handler for the signals of program errors. An ignored signal stays ignored.
/// May be called again while installed.
void vv_crash_watch(void);

/// Restores the earlier handlers where the crash handler is still the current one. Where another
/// one was installed above it, it continues to pass signals down.
void vv_crash_unwatch(void);

/// Notes that the program has survived a mark that the calling thread set: an earlier handler left
/// by a jump, and the thread continues to work, or ends. Costs one load if there is no mark. For
/// slow paths.
void vv_crash_note_survival(void);

/// Gives the calling thread a signal stack, so that the handler can run after a stack overflow.
/// Does nothing if the handler is not installed, or if the thread has a signal stack.
void vv_crash_prepare_thread(void);

/// Makes this signal, in addition to others, wake the drain thread. The earlier handler is still
/// called. Returns false if the system refuses.
bool vv_attention_watch(int signal);

/// Stops all signals from waking the drain thread. Restores the earlier handlers where no other one
/// was installed in the meantime.
void vv_attention_unwatch(void);

/// Returns whether one of the signals has come since the last call.
bool vv_attention_take(void);
