#include "shim.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEEPEST 64

/* Fields of /proc/PID/stat after the command, which may hold spaces and parentheses. */
static const char *stat_fields(pid_t pid, char *text, size_t capacity) {
  char name[32];
  snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
  if (file_read(name, text, capacity) <= 0) {
    return NULL;
  }
  char *end = strrchr(text, ')');
  return end == NULL ? NULL : end + 2;
}

unsigned long long start_time(pid_t pid) {
  char text[1024];
  const char *field = stat_fields(pid, text, sizeof(text));
  for (int i = 3; field != NULL && i < 22; i++) {
    field = strchr(field, ' ');
    field = field == NULL ? NULL : field + 1;
  }
  return field == NULL ? 0 : strtoull(field, NULL, 10);
}

static pid_t parent(pid_t pid) {
  char text[1024];
  const char *field = stat_fields(pid, text, sizeof(text));
  return field == NULL || field[0] == '\0' ? -1 : (pid_t)atoi(field + 2);
}

/* For kernels that do not list children: all processes are asked for their parent. */
static int kill_children_slowly(pid_t root, int depth);

static int kill_descendants(pid_t root, int depth) {
  char name[64];
  char text[4096];
  int found = 0;
  if (depth == DEEPEST) {
    return 0;
  }
  snprintf(name, sizeof(name), "/proc/%d/task", (int)root);
  DIR *tasks = opendir(name);
  if (tasks == NULL) {
    return 0;
  }
  struct dirent *task;
  while ((task = readdir(tasks)) != NULL) {
    if (!isdigit((unsigned char)task->d_name[0])) {
      continue;
    }
    snprintf(name, sizeof(name), "/proc/%d/task/%.20s/children", (int)root, task->d_name);
    if (file_read(name, text, sizeof(text)) < 0) {
      if (access("/proc/self/task", F_OK) == 0 && access(name, F_OK) != 0 && kill(root, 0) == 0) {
        found += kill_children_slowly(root, depth);
      }
      break;
    }
    char *at = text;
    for (;;) {
      char *end;
      long pid = strtol(at, &end, 10);
      if (end == at) {
        break;
      }
      at = end;
      if (*at == '\0') {
        break; /* the text was cut in this number; the next pass sees it */
      }
      found++;
      kill((pid_t)pid, SIGSTOP);
      found += kill_descendants((pid_t)pid, depth + 1);
      kill((pid_t)pid, SIGKILL);
    }
  }
  closedir(tasks);
  return found;
}

static int kill_children_slowly(pid_t root, int depth) {
  int found = 0;
  DIR *all = opendir("/proc");
  struct dirent *entry;
  while (all != NULL && (entry = readdir(all)) != NULL) {
    pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? (pid_t)atoi(entry->d_name) : 0;
    if (pid > 0 && parent(pid) == root) {
      found++;
      kill(pid, SIGSTOP);
      found += depth + 1 < DEEPEST ? kill_children_slowly(pid, depth + 1) : 0;
      kill(pid, SIGKILL);
    }
  }
  if (all != NULL) {
    closedir(all);
  }
  return found;
}

void tree_kill(pid_t root) {
  kill(root, SIGSTOP);
  kill_descendants(root, 0);
  kill(root, SIGKILL);
}

static int kill_cgroup(const char *cgroup) {
  char name[512];
  char text[8192];
  int found = 0;
  snprintf(name, sizeof(name), "%s/cgroup.kill", cgroup);
  int fd = open(name, O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    found = write_all(fd, "1", 1) == 0 ? 0 : found;
    close(fd);
    return found;
  }
  snprintf(name, sizeof(name), "%s/cgroup.procs", cgroup);
  if (file_read(name, text, sizeof(text)) > 0) {
    for (char *at = text; *at != '\0';) {
      char *end;
      long pid = strtol(at, &end, 10);
      if (end == at || *end == '\0') {
        break;
      }
      if (pid > 1 && pid != getpid()) {
        kill((pid_t)pid, SIGKILL);
        found++;
      }
      at = end;
    }
  }
  return found;
}

int tree_kill_all(const struct config *config) {
  int found = 0;
  for (size_t i = 0; i < config->cgroup_count; i++) {
    found += kill_cgroup(config->cgroups[i]);
  }
  return found + kill_descendants(getpid(), 0);
}

int tree_out_of_memory(const struct config *config) {
  static const char *const FILES[] = {"memory.events", "memory.oom_control"};
  char name[512];
  char text[1024];
  for (size_t i = 0; i < config->cgroup_count; i++) {
    for (size_t j = 0; j < COUNT(FILES); j++) {
      snprintf(name, sizeof(name), "%s/%s", config->cgroups[i], FILES[j]);
      char *at = file_read(name, text, sizeof(text)) > 0 ? strstr(text, "oom_kill ") : NULL;
      if (at != NULL && atoi(at + strlen("oom_kill ")) > 0) {
        return 1;
      }
    }
  }
  return 0;
}
