#pragma once
// Signals: the opt-in handler of crashes, which writes into the sidecar's header which signal struck which
// thread where, and then gives way to the handler that was there before; and signals that call the drain
// thread.
#include "varve_sidecar.h"
#include "varve_thread.h"

/// Installs the handler for the signals that end programs by a fault of their own. A signal that is
/// ignored stays so. Harmless when it is installed.
void vv_crash_watch(void);

/// Puts the earlier handlers back where ours is still the latest; where another one was installed above
/// it, ours goes on passing signals down.
void vv_crash_unwatch(void);

/// Notes that the program has survived a mark of the calling thread's own: an earlier handler left by a
/// jump, and the thread is at its work again, or ends. One load when there is no mark. For slow paths.
void vv_crash_note_survival(void);

/// Gives the calling thread a stack for the handler, so that it can run when the thread's own stack
/// has overflowed. Does nothing unless the handler is installed and the thread has none.
void vv_crash_prepare_thread(void);

/// Has this signal, beside others, call the drain thread from now on; the handler that was there before
/// still has it. Returns false when the system refuses.
bool vv_attention_watch(int signal);

/// No signal calls any more. Puts the earlier handlers back, unless another one was installed above
/// ours.
void vv_attention_unwatch(void);

/// Whether one of the signals has come since this was last asked.
bool vv_attention_take(void);
