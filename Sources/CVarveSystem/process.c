#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif
#include "varve_emit.h"
#include "varve_mapping.h"
#include "varve_pool.h"

#if defined(__APPLE__)

static bool find(uint64_t id, uint64_t *start, bool *is_zombie) {
  struct kinfo_proc found;
  size_t size = sizeof found;
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, (int)id};
  if (sysctl(name, 4, &found, &size, NULL, 0) != 0 || size == 0) return false;
  *start = (uint64_t)found.kp_proc.p_starttime.tv_sec * 1000000u +
           (uint64_t)found.kp_proc.p_starttime.tv_usec;
  *is_zombie = found.kp_proc.p_stat == SZOMB;
  return true;
}

static void read_boot(char *text, size_t size) {
  if (sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0) != 0) text[0] = 0;
}

void vv_process_path(char *path, uint64_t size) {
  uint32_t room = (uint32_t)size;
  if (_NSGetExecutablePath(path, &room) != 0) path[0] = 0;
}

#else

static size_t read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? 0 : read(file, text, size - 1);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
  return count > 0 ? (size_t)count : 0;
}

// Field 3 of /proc/PID/stat is the state, field 22 the start. The name before them may hold
// anything, closing parentheses too; the last one ends it.
static bool find(uint64_t id, uint64_t *start, bool *is_zombie) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)id);
  if (read_text(path, text, sizeof text) == 0) return false;
  const char *at = strrchr(text, ')');
  if (!at || at[1] != ' ') return false;
  at += 2;
  *is_zombie = *at == 'Z' || *at == 'X';
  for (int field = 3; field < 22 && at; field++) {
    at = strchr(at, ' ');
    if (at) at++;
  }
  if (!at) return false;
  *start = strtoull(at, NULL, 10);
  return true;
}

static void read_boot(char *text, size_t size) {
  read_text("/proc/sys/kernel/random/boot_id", text, size);
}

void vv_process_path(char *path, uint64_t size) {
  ssize_t count = readlink("/proc/self/exe", path, size - 1);
  path[count > 0 ? count : 0] = 0;
}

#endif

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static void find_boot(uint8_t boot[16]) {
  char text[64];
  read_boot(text, sizeof text);
  memset(boot, 0, 16);
  int nibble = 0;
  for (const char *at = text; *at && nibble < 32; at++)
    if (digit(*at) >= 0) boot[nibble / 2] |= (uint8_t)(digit(*at) << (nibble % 2 ? 0 : 4)), nibble++;
}

void vv_process_self(vv_process *process) {
  bool is_zombie;
  process->id = (uint64_t)getpid();
  if (!find(process->id, &process->start, &is_zombie)) process->start = 0;
  find_boot(process->boot);
}

bool vv_process_runs(const vv_process *process) {
  uint8_t boot[16];
  find_boot(boot);
  if (memcmp(boot, process->boot, 16) != 0) return false;
  uint64_t start = 0;
  bool is_zombie = false;
  return find(process->id, &start, &is_zombie) && !is_zombie && start == process->start;
}

void vv_process_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  pthread_atfork(prepare, parent, child);
}

void vv_process_forget_parent(void) {
  vv_gate_store(0);
  memset(&vv_thread_current()->writer, 0, sizeof(vv_writer));
  vv_sidecar_detach();
  vv_pool_forget();
  vv_drain_forget();
}

int vv_process_start_drain(void *(*run)(void *), void *context, void **thread) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_t made;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&made, NULL, run, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) *thread = (void *)made;
  return error;
}

void vv_process_join(void *thread) { pthread_join((pthread_t)thread, NULL); }
