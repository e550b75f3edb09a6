#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Ends of the child's standard streams: [0] the shim's, [1] the child's. */
struct ends {
  int in[2];
  int out[2];
  int err[2];
  char terminal[64]; /* empty without one */
};

static int report_fd;

static _Noreturn void fail(const char *format, ...) {
  char text[4096];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof(text), format, values);
  va_end(values);
  if (length >= (int)sizeof(text)) {
    length = (int)sizeof(text) - 1;
  }
  (void)!write(report_fd, text, (size_t)length);
  _exit(127);
}

/* The C library's texts begin with a capital; Go's, which users know, do not. */
static const char *reason(int error) {
  static char text[128];
  snprintf(text, sizeof(text), "%s", strerror(error));
  if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a') {
    text[0] = (char)(text[0] - 'A' + 'a');
  }
  return text;
}

static void join_cgroup(const char *cgroup) {
  char name[PATH_MAX];
  snprintf(name, sizeof(name), "%s/cgroup.procs", cgroup);
  int fd = open(name, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write_all(fd, "0", 1) != 0) {
    fail("unable to apply cgroup configuration: failed to write %s: %s", name, reason(errno));
  }
  close(fd);
}

static void become_user(const struct config *config) {
  if (!config->has_user) {
    return;
  }
  if (geteuid() != 0 && geteuid() == config->uid && getegid() == config->gid) {
    return; /* already this user, whose groups an ordinary user cannot change */
  }
  if (setgroups(config->group_count, config->groups) != 0 &&
      /* root of a user namespace may not change groups either, and keeps those that it has */
      !(errno == EPERM && geteuid() == config->uid && getegid() == config->gid)) {
    fail("unable to set the user's groups: %s", reason(errno));
  }
  if (setresgid(config->gid, config->gid, config->gid) != 0 ||
      setresuid(config->uid, config->uid, config->uid) != 0) {
    fail("unable to become user %u, group %u: %s", config->uid, config->gid, reason(errno));
  }
}

static const char *variable(char *const *envp, const char *name) {
  size_t length = strlen(name);
  for (; *envp != NULL; envp++) {
    if (strncmp(*envp, name, length) == 0 && (*envp)[length] == '=') {
      return *envp + length + 1;
    }
  }
  return NULL;
}

/* Returns 0 for a program, else an errno. */
static int check(const char *file) {
  struct stat found;
  if (stat(file, &found) != 0) {
    return errno;
  }
  if (S_ISDIR(found.st_mode)) {
    return EISDIR;
  }
  return access(file, X_OK) == 0 ? 0 : EACCES;
}

static void find(const char *program, char *const *envp, char file[PATH_MAX]) {
  if (strchr(program, '/') != NULL) {
    int error = check(program);
    if (error == ENOENT || error == ENOTDIR) {
      fail("exec: \"%s\": stat %s: %s", program, program, reason(error));
    }
    if (error != 0) {
      fail("exec: \"%s\": %s", program, reason(error));
    }
    snprintf(file, PATH_MAX, "%s", program);
    return;
  }
  const char *path = variable(envp, "PATH");
  path = path == NULL ? DEFAULT_PATH : path;
  while (program[0] != '\0' && path != NULL) {
    const char *end = strchr(path, ':');
    int length = end == NULL ? (int)strlen(path) : (int)(end - path);
    snprintf(file, PATH_MAX, "%.*s/%s", length == 0 ? 1 : length, length == 0 ? "." : path, program);
    if (check(file) == 0) {
      return;
    }
    path = end == NULL ? NULL : end + 1;
  }
  fail("exec: \"%s\": executable file not found in $PATH", program);
}

static void take_terminal(const char *terminal) {
  int fd = open(terminal, O_RDWR);
  if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0) {
    fail("unable to open the terminal: %s", reason(errno));
  }
  for (int i = 0; i < 3; i++) {
    dup2(fd, i);
  }
  if (fd > 2) {
    close(fd);
  }
}

static void write_small(const char *name, const char *text) {
  int fd = open(name, O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    (void)write_all(fd, text, strlen(text));
    close(fd);
  }
}

static _Noreturn void child(const struct config *config, char **argv, const struct ends *ends,
                            int go, pid_t shim, pid_t beside) {
  sigset_t none;
  char file[PATH_MAX];
  char byte;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  setsid();
  if (ends->terminal[0] != '\0') {
    take_terminal(ends->terminal);
  } else {
    dup2(ends->in[1], 0);
    dup2(ends->out[1], 1);
    dup2(ends->err[1], 2);
  }
  if (read(go, &byte, 1) != 1) {
    _exit(127);
  }
  for (size_t i = 0; i < config->cgroup_count; i++) {
    join_cgroup(config->cgroups[i]);
  }
  if (config->oom_score_adj != NULL) {
    write_small("/proc/self/oom_score_adj", config->oom_score_adj);
  }
  umask(022);
  for (size_t i = 0; i < config->limit_count; i++) {
    if (setrlimit(config->limits[i].resource, &config->limits[i].value) != 0) {
      fail("error setting rlimit type %d: %s", config->limits[i].resource, reason(errno));
    }
  }
  if (config->mounts != NO_NAMESPACE) {
    if ((beside == 0 ? mounts_make(config) : mounts_join(config, beside)) != 0) {
      fail("error mounting: %s: %s", mounts_failed_at(), reason(errno));
    }
  } else if (config->root != NULL && chroot(config->root) != 0) {
    fail("unable to change the root to %s: %s", config->root, reason(errno));
  }
  become_user(config);
  /* after the change of the user, which would undo it: nothing may outlive the shim unseen */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != shim) {
    _exit(127);
  }
  if (config->no_new_privileges) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  }
  if (chdir(config->cwd) != 0) {
    fail("chdir to cwd (\"%s\") failed: %s", config->cwd, reason(errno));
  }
  find(argv[0], config->envp, file);
  execve(file, argv, config->envp);
  fail("exec %s: %s", file, reason(errno));
}

static void close_pair(const int pair[2]) {
  for (int i = 0; i < 2; i++) {
    if (pair[i] >= 0) {
      close(pair[i]);
    }
  }
}

static void close_ends(const struct ends *ends) {
  close_pair(ends->in);
  close_pair(ends->out);
  close_pair(ends->err);
}

static int open_terminal(struct ends *ends) {
  int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  ends->out[0] = fd;
  if (grantpt(fd) != 0 || unlockpt(fd) != 0 ||
      ptsname_r(fd, ends->terminal, sizeof(ends->terminal)) != 0) {
    return -1;
  }
  return 0;
}

static int open_pipes(struct ends *ends, int with_stdin) {
  int input[2];
  if (with_stdin) {
    if (pipe2(input, O_CLOEXEC) != 0) {
      return -1;
    }
    ends->in[0] = input[1];
    ends->in[1] = input[0];
  } else {
    ends->in[1] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  return ends->in[1] >= 0 && pipe2(ends->out, O_CLOEXEC) == 0 && pipe2(ends->err, O_CLOEXEC) == 0
             ? 0
             : -1;
}

static void unblock(int fd) {
  if (fd >= 0) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
}

static void take(int pair[2], int *fd) {
  *fd = pair[0];
  pair[0] = -1;
  unblock(*fd);
}

/* Reads the child's report up to its end: nothing if its program has started. */
static size_t read_report(int fd, char *text, size_t capacity) {
  size_t length = 0;
  while (length + 1 < capacity) {
    ssize_t n = read(fd, text + length, capacity - 1 - length);
    if (n == 0 || (n < 0 && errno != EINTR)) {
      break;
    }
    length += n > 0 ? (size_t)n : 0;
  }
  text[length] = '\0';
  return length;
}

int spawn(const struct config *config, char **argv, int tty, int with_stdin, pid_t beside,
          before_exec prepared, struct process *process, char *message, size_t capacity) {
  struct ends ends = {{-1, -1}, {-1, -1}, {-1, -1}, ""};
  int report[2] = {-1, -1};
  int go[2] = {-1, -1};
  pid_t shim = getpid();
  pid_t pid = -1;
  if ((tty ? open_terminal(&ends) : open_pipes(&ends, with_stdin)) == 0 &&
      pipe2(report, O_CLOEXEC) == 0 && pipe2(go, O_CLOEXEC) == 0) {
    pid = fork();
  }
  if (pid == 0) {
    report_fd = report[1];
    close(go[1]);
    child(config, argv, &ends, go[0], shim, beside);
  }
  int error = errno;
  if (pid < 0) {
    snprintf(message, capacity, "unable to start container process: %s", reason(error));
    close_ends(&ends);
    close_pair(report);
    close_pair(go);
    return -1;
  }
  close(report[1]);
  report[1] = -1;
  static const char PREFIX[] = "unable to start container process: ";
  int failed = prepared != NULL && prepared(pid) != 0;
  if (failed) {
    snprintf(message, capacity, "%sthe state cannot be written: %s", PREFIX, reason(errno));
  } else if (write_all(go[1], "", 1) != 0) {
    failed = 1;
  }
  close_pair(go);
  if (!failed) {
    snprintf(message, capacity, "%s", PREFIX);
    size_t used = strlen(PREFIX);
    failed = read_report(report[0], message + used, capacity - used) > 0;
  }
  close_pair(report);
  if (failed) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close_ends(&ends);
    return -1;
  }
  process->pid = pid;
  process->err = -1;
  take(ends.out, &process->out);
  if (tty) {
    process->in = with_stdin ? process->out : -1;
  } else {
    take(ends.in, &process->in);
    take(ends.err, &process->err);
  }
  close_ends(&ends);
  return 0;
}
