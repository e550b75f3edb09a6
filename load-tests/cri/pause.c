/* The process of a pod's sandbox: waits for a signal to end, and for processes that have lost their parents. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal) {
  (void) signal;
  _exit(0);
}

static void reap(int signal) {
  (void) signal;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  signal(SIGINT, end);
  signal(SIGTERM, end);
  signal(SIGCHLD, reap);
  for (;;) {
    pause();
  }
}
