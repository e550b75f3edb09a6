#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERSION "1"
#define STARTED "ok\n"

/* Writes what identifies the container's processes, before its program begins. */
static int write_state(pid_t pid) {
  char boot[64];
  char text[512];
  char time[TIME_LENGTH + 1];
  struct timespec now;
  if (file_read("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) <= 0) {
    return -1;
  }
  boot[strcspn(boot, "\n")] = '\0';
  clock_gettime(CLOCK_REALTIME, &now);
  time_format(&now, time);
  snprintf(text, sizeof(text),
           "shim=%d\nshimStart=%llu\npid=%d\npidStart=%llu\nbootId=%s\nstartedAt=%s\n",
           (int)getpid(), start_time(getpid()), (int)pid, start_time(pid), boot, time);
  return file_replace("state", text, 0);
}

static void write_start_error(const char *message) {
  char text[4352];
  char time[TIME_LENGTH + 1];
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time_format(&now, time);
  snprintf(text, sizeof(text), "code=128\nfinishedAt=%s\nerror=%s\n", time, message);
  (void)file_replace("exit", text, 1);
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  unlink(path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t mask = umask(0177);
  int bound = fd >= 0 ? bind(fd, (struct sockaddr *)&address, sizeof(address)) : -1;
  umask(mask);
  return bound == 0 && listen(fd, 64) == 0 ? fd : -1;
}

/* Descriptor that gets the result of the start; the next after the standard ones. */
#define RESULT 3

static void close_above(int last) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, last + 1, ~0U, 0) == 0) {
    return;
  }
#endif
  for (int i = last + 1; i < 1024; i++) {
    close(i);
  }
}

static void leave_agent(void) {
  int null = open("/dev/null", O_RDWR);
  for (int i = 0; i < 3; i++) {
    dup2(null, i);
  }
  /* those of the agent, if it leaked any, would stay open as long as the container */
  close_above(RESULT);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
}

static _Noreturn void tell_failure(const char *message) {
  write_start_error(message);
  (void)write_all(RESULT, message, strlen(message));
  _exit(1);
}

static _Noreturn void run(const struct config *config, const char *socket) {
  char message[4096];
  struct process process;
  leave_agent();
  file_reserve("exit");
  int listener = listen_at(socket);
  if (listener < 0) {
    snprintf(message, sizeof(message), "unable to listen at %s: %s", socket, strerror(errno));
    tell_failure(message);
  }
  log_open(config->log_size, config->log_files);
  if (spawn(config, config->argv, config->tty, config->open_stdin, 0, write_state, &process, message,
            sizeof(message)) != 0) {
    unlink(socket);
    tell_failure(message);
  }
  (void)write_all(RESULT, STARTED, strlen(STARTED));
  close(RESULT);
  serve(config, &process, listener, socket);
}

/* Returns 0, or an exit code, with the reason on standard output. */
static int prepare(struct config *config, const char *directory) {
  const char *message;
  if (config_read(0, config, &message) != 0) {
    dprintf(1, "invalid definition: %s", message);
    return 2;
  }
  if (chdir(directory) != 0) {
    dprintf(1, "chdir %s: %s", directory, strerror(errno));
    return 2;
  }
  return 0;
}

/* Waits for the shim, and for what a killed shim leaves. */
static _Noreturn void guard(pid_t shim) {
  int code = 0;
  int status;
  pid_t ended;
  leave_agent();
  close(RESULT);
  while ((ended = waitpid(-1, &status, 0)) > 0 || errno == EINTR) {
    if (ended == shim && WIFEXITED(status)) {
      code = WEXITSTATUS(status);
    }
  }
  _exit(code);
}

/* Starts a shim below a child of the agent, so that no process ever becomes the agent's own. */
static int hold(const char *directory, const char *socket) {
  struct config config;
  int code = prepare(&config, directory);
  if (code != 0) {
    return code;
  }
  setsid();
  if (dup2(1, RESULT) < 0) {
    dprintf(1, "unable to start the shim: %s", strerror(errno));
    return 2;
  }
  fcntl(RESULT, F_SETFD, FD_CLOEXEC);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t pid = fork();
  if (pid < 0) {
    dprintf(1, "unable to start the shim: %s", strerror(errno));
    return 2;
  }
  if (pid > 0) {
    guard(pid);
  }
  run(&config, socket);
}

/* Starts a shim that is no child of the agent. */
static int start(const char *directory, const char *socket) {
  struct config config;
  int result[2];
  int code = prepare(&config, directory);
  if (code != 0) {
    return code;
  }
  pid_t pid = pipe(result) == 0 ? fork() : -1;
  if (pid < 0) {
    dprintf(1, "unable to start the shim: %s", strerror(errno));
    return 2;
  }
  if (pid == 0) {
    setsid();
    if (result[1] != RESULT) {
      dup2(result[1], RESULT);
    }
    fcntl(RESULT, F_SETFD, FD_CLOEXEC);
    run(&config, socket);
  }
  close(result[1]);
  char text[4096];
  ssize_t length = 0;
  for (;;) {
    ssize_t n = read(result[0], text + length, sizeof(text) - (size_t)length);
    if (n == 0 || (n < 0 && errno != EINTR) || length == (ssize_t)sizeof(text)) {
      break;
    }
    length += n > 0 ? n : 0;
  }
  if (length == 0) {
    dprintf(1, "the shim ended before the container had started");
    return 2;
  }
  (void)write_all(1, text, (size_t)length);
  return length == (ssize_t)strlen(STARTED) && memcmp(text, STARTED, strlen(STARTED)) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "run") == 0) {
    return start(argv[2], argv[3]);
  }
  if (argc == 4 && strcmp(argv[1], "hold") == 0) {
    return hold(argv[2], argv[3]);
  }
  if (argc == 2 && strcmp(argv[1], "mounts") == 0) {
    static const char *const NAMES[] = {"none", "namespace", "user-namespace"};
    enum mounts_mode mode = mounts_possible();
    if (mode == NO_NAMESPACE) {
      dprintf(1, "%s: %s", mounts_failed_at(), strerror(errno));
      return 1;
    }
    dprintf(1, "%s\n", NAMES[mode]);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "version") == 0) {
    return write_all(1, VERSION "\n", sizeof(VERSION)) == 0 ? 0 : 2;
  }
  static const char USAGE[] = "usage: shim run|hold DIRECTORY SOCKET < DEFINITION\n       shim mounts|version\n";
  (void)write_all(2, USAGE, sizeof(USAGE) - 1);
  return 2;
}
