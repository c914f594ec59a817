#define _GNU_SOURCE 1
#include "FaultSurvivor.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local sigjmp_buf *place;
static volatile unsigned work;

// Without a place to go to, it works and leaves the rest to the system.
static void handle(int signal) {
  if (place) siglongjmp(*place, 1);
  for (unsigned passed = 0; passed < work; passed++) usleep(1000);
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
}

void survivor_install(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
}

static void fault(void) {
  int *volatile nowhere = (int *)16;
  *nowhere = 1;
}

void survivor_fault(void) {
  sigjmp_buf here;
  if (sigsetjmp(here, 1) == 0) {
    place = &here;
    fault();
  }
  place = NULL;
}

void survivor_linger(unsigned milliseconds) {
  work = milliseconds;
  fault();
}
