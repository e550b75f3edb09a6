/* Shim: holds one container, a tree of processes of this host, and outlives the agent that started it. */
#ifndef VERTLET_SHIM_H
#define VERTLET_SHIM_H

#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* config.c: the container's definition, as the agent writes it to standard input. */

struct limit {
  int resource;
  struct rlimit value;
};

/* A file or directory of the host that the container sees. */
struct volume {
  const char *source;
  const char *target;
  dev_t device;
  ino_t inode; /* 0: whatever is at the source */
  int read_only;
};

enum mounts_mode { NO_NAMESPACE, NAMESPACE, USER_NAMESPACE };

struct config {
  const char *id;
  char **argv;
  char **envp;
  const char *cwd;
  const char *root; /* NULL: the host's */
  enum mounts_mode mounts;
  struct volume *volumes;
  size_t volume_count;
  const char **cgroups;
  size_t cgroup_count;
  int has_user;
  uid_t uid;
  gid_t gid;
  gid_t *groups;
  size_t group_count;
  struct limit *limits;
  size_t limit_count;
  int tty;
  int open_stdin;
  int stdin_once;
  int no_new_privileges;
  const char *oom_score_adj; /* NULL: as the agent's */
  int stop_signal;
  int64_t log_size; /* bytes of one file */
  int log_files;    /* the current one included */
};

/* Reads a definition that ends with the input. Returns 0, or -1 with a message. */
int config_read(int fd, struct config *config, const char **message);

/* Splits a command of NUL-terminated words; the result refers to text. NULL without a word. */
char **config_words(char *text, size_t length);

/* files.c: small files that are whole or absent. */

/* Replaces a file in the working directory; with sync it survives a power failure. 0 or -1. */
int file_replace(const char *name, const char *text, int sync);

/* Takes the disk space that a later file_replace of a small text needs. */
void file_reserve(const char *name);

/* Reads the beginning of a file as text. Returns its length, or -1. */
ssize_t file_read(const char *name, char *text, size_t capacity);

/* Writes all of it, for blocking descriptors. 0 or -1. */
int write_all(int fd, const void *data, size_t length);

/* time.c */

#define TIME_LENGTH 30 /* 2026-11-26T11:14:52.123456789Z */

void time_format(const struct timespec *time, char text[TIME_LENGTH + 1]);
int64_t monotonic_millis(void);

/* log.c: the log in CRI format. */

enum stream { OUT, ERR };

void log_open(int64_t max_size, int max_files);
void log_write(enum stream stream, const char *data, size_t length);
/* Writes what is left of a last line without an end. */
void log_end(enum stream stream);
uint64_t log_dropped(void);

/* spawn.c: starts processes. */

struct process {
  pid_t pid;
  int in;  /* -1 if closed */
  int out; /* with a terminal: its only end */
  int err;
};

/* mounts.c: a container's own view of the file system. */

/* Which namespaces this process may have; enters them. */
enum mounts_mode mounts_possible(void);
/* Enters new namespaces with the volumes, and the root. 0, or -1 with errno. */
int mounts_make(const struct config *config);
/* Enters those of a process. 0, or -1 with errno. */
int mounts_join(const struct config *config, pid_t pid);
/* What failed last. */
const char *mounts_failed_at(void);

/* Called between the creation of the process and its program; a failure ends the process. */
typedef int (*before_exec)(pid_t pid);

/*
 * Starts a program: beside the process with the id given, or for 0 as the container's first one.
 * Descriptors in process do not block. Returns 0, or -1 with the reason in message, in runc's form.
 */
int spawn(const struct config *config, char **argv, int tty, int with_stdin, pid_t beside,
          before_exec prepared, struct process *process, char *message, size_t capacity);

/* tree.c: descendants of the shim. */

/* Kills a process and its descendants. */
void tree_kill(pid_t root);
/* Kills every descendant of the shim and every process of the cgroups; returns those found. */
int tree_kill_all(const struct config *config);
/* Whether the kernel killed a process of the cgroups for lack of memory. */
int tree_out_of_memory(const struct config *config);
/* Start time of a process in clock ticks since boot, 0 if there is none. */
unsigned long long start_time(pid_t pid);

/* loop.c: serves the container until it has ended. Does not return. */
_Noreturn void serve(const struct config *config, struct process *process, int listener,
                     const char *socket);

#endif
