#pragma once
// Interposes Dispatch's functions for deferred work in a program that preloads this library
// (`varve run --hops`), and lets an attached follower trace that work: the work of code that does
// not use Varve, of Foundation, and of Swift tasks, which run on Dispatch.
//
// The work itself does not change: it goes to the same queue with the same flags, in the same
// order, and can be waited for and cancelled as before. Without a follower, or if the follower
// declines a piece of work, the work is passed on unchanged.

#define VARVE_HOPS_VERSION 1

/// The callbacks of a follower.
typedef struct varve_hop_follower {
  /// Called when work is submitted. `queue` is the queue's label; `function` is the function that
  /// will be called, from which its module can be found, or null for a block. Returns a hop for the
  /// work to carry, or null to decline it.
  void *(*scheduled)(const char *queue, const void *function);
  /// Runs `work(context)` as the work that carries `hop`, and consumes `hop`.
  void (*run)(void *hop, void (*work)(void *), void *context);
  /// Runs `work(context)` as work that carries `hop` and may run again, such as a handler.
  void (*run_again)(void *hop, void (*work)(void *), void *context);
  /// Called when the work will not run, or not run again.
  void (*forget)(void *hop);
} varve_hop_follower;

/// Attaches the follower, which must remain valid for the life of the process.
void varve_hops_attach(int version, const varve_hop_follower *follower);
