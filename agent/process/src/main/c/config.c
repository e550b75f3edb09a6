#include "shim.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST (16 * 1024 * 1024)

static const struct {
  const char *name;
  int resource;
} LIMITS[] = {
    {"AS", RLIMIT_AS},           {"CORE", RLIMIT_CORE},     {"CPU", RLIMIT_CPU},
    {"DATA", RLIMIT_DATA},       {"FSIZE", RLIMIT_FSIZE},   {"MEMLOCK", RLIMIT_MEMLOCK},
    {"NOFILE", RLIMIT_NOFILE},   {"NPROC", RLIMIT_NPROC},   {"RSS", RLIMIT_RSS},
    {"STACK", RLIMIT_STACK},
};

static int read_all(int fd, char **text, size_t *length) {
  size_t capacity = 16 * 1024;
  char *buffer = malloc(capacity);
  size_t size = 0;
  while (buffer != NULL) {
    if (size == capacity) {
      capacity *= 2;
      char *larger = capacity > LARGEST ? NULL : realloc(buffer, capacity);
      if (larger == NULL) {
        break;
      }
      buffer = larger;
    }
    ssize_t n = read(fd, buffer + size, capacity - size);
    if (n == 0) {
      *text = buffer;
      *length = size;
      return 0;
    }
    if (n < 0 && errno != EINTR) {
      break;
    }
    size += n > 0 ? (size_t)n : 0;
  }
  free(buffer);
  return -1;
}

char **config_words(char *text, size_t length) {
  if (length == 0 || text[length - 1] != '\0') {
    return NULL;
  }
  size_t count = 0;
  for (size_t i = 0; i < length; i++) {
    count += text[i] == '\0';
  }
  char **words = calloc(count + 1, sizeof(char *));
  if (words == NULL) {
    return NULL;
  }
  char *word = text;
  for (size_t i = 0; i < count; i++) {
    words[i] = word;
    word += strlen(word) + 1;
  }
  return words;
}

static int number(const char *text, int64_t min, int64_t max, int64_t *value) {
  char *end;
  errno = 0;
  long long read = strtoll(text, &end, 10);
  if (*text == '\0' || *end != '\0' || errno != 0 || read < min || read > max) {
    return -1;
  }
  *value = read;
  return 0;
}

static int limit(struct config *config, char *text) {
  char *soft = strchr(text, ':');
  char *hard = soft == NULL ? NULL : strchr(soft + 1, ':');
  if (hard == NULL) {
    return -1;
  }
  *soft++ = '\0';
  *hard++ = '\0';
  int64_t low;
  int64_t high;
  if (number(soft, 0, LLONG_MAX, &low) != 0 || number(hard, 0, LLONG_MAX, &high) != 0) {
    return -1;
  }
  for (size_t i = 0; i < COUNT(LIMITS); i++) {
    if (strcmp(text, LIMITS[i].name) == 0) {
      config->limits[config->limit_count++] = (struct limit){
          LIMITS[i].resource, {.rlim_cur = (rlim_t)low, .rlim_max = (rlim_t)high}};
      return 0;
    }
  }
  return -1;
}

static int entry(struct config *config, const char *key, char *value, size_t *args, size_t *envs) {
  int64_t n;
  if (strcmp(key, "arg") == 0) {
    config->argv[(*args)++] = value;
    return 0;
  }
  if (strcmp(key, "env") == 0) {
    config->envp[(*envs)++] = value;
    return 0;
  }
  if (strcmp(key, "id") == 0) {
    config->id = value;
    return 0;
  }
  if (strcmp(key, "cwd") == 0) {
    config->cwd = value;
    return value[0] == '/' ? 0 : -1;
  }
  if (strcmp(key, "root") == 0) {
    config->root = value;
    return value[0] == '/' ? 0 : -1;
  }
  if (strcmp(key, "mounts") == 0) {
    config->mounts = strcmp(value, "user-namespace") == 0 ? USER_NAMESPACE : NAMESPACE;
    return config->mounts == USER_NAMESPACE || strcmp(value, "namespace") == 0 ? 0 : -1;
  }
  if (strcmp(key, "source") == 0) {
    config->volumes[config->volume_count++] = (struct volume){.source = value, .target = value};
    return value[0] == '/' ? 0 : -1;
  }
  if (strcmp(key, "target") == 0 && config->volume_count > 0) {
    config->volumes[config->volume_count - 1].target = value;
    return value[0] == '/' ? 0 : -1;
  }
  if (strcmp(key, "cgroup") == 0) {
    config->cgroups[config->cgroup_count++] = value;
    return value[0] == '/' ? 0 : -1;
  }
  if (strcmp(key, "limit") == 0) {
    return limit(config, value);
  }
  if (strcmp(key, "oomScoreAdj") == 0) {
    config->oom_score_adj = value;
    return number(value, -1000, 1000, &n);
  }
  if (number(value, 0, INT64_MAX, &n) != 0) {
    return -1;
  }
  if (strcmp(key, "uid") == 0) {
    config->uid = (uid_t)n;
    config->has_user = 1;
  } else if (strcmp(key, "gid") == 0) {
    config->gid = (gid_t)n;
  } else if (strcmp(key, "group") == 0) {
    config->groups[config->group_count++] = (gid_t)n;
  } else if (strcmp(key, "device") == 0 && config->volume_count > 0) {
    config->volumes[config->volume_count - 1].device = (dev_t)n;
  } else if (strcmp(key, "inode") == 0 && config->volume_count > 0) {
    config->volumes[config->volume_count - 1].inode = (ino_t)n;
  } else if (strcmp(key, "readOnly") == 0 && config->volume_count > 0) {
    config->volumes[config->volume_count - 1].read_only = n != 0;
  } else if (strcmp(key, "tty") == 0) {
    config->tty = n != 0;
  } else if (strcmp(key, "stdin") == 0) {
    config->open_stdin = n != 0;
  } else if (strcmp(key, "stdinOnce") == 0) {
    config->stdin_once = n != 0;
  } else if (strcmp(key, "noNewPrivileges") == 0) {
    config->no_new_privileges = n != 0;
  } else if (strcmp(key, "stopSignal") == 0) {
    config->stop_signal = (int)n;
    return n >= 1 && n <= SIGRTMAX ? 0 : -1;
  } else if (strcmp(key, "logSize") == 0) {
    config->log_size = n;
  } else if (strcmp(key, "logFiles") == 0) {
    config->log_files = n > 1000 ? 1000 : (int)n;
    return n >= 1 ? 0 : -1;
  } else {
    return -1;
  }
  return 0;
}

int config_read(int fd, struct config *config, const char **message) {
  char *text;
  size_t length;
  char **words = NULL;
  memset(config, 0, sizeof(*config));
  config->cwd = "/";
  config->stop_signal = SIGTERM;
  config->log_size = 10 * 1024 * 1024;
  config->log_files = 5;
  if (read_all(fd, &text, &length) == 0) {
    words = config_words(text, length);
  }
  size_t count = 0;
  while (words != NULL && words[count] != NULL) {
    count++;
  }
  config->argv = calloc(count + 1, sizeof(char *));
  config->envp = calloc(count + 1, sizeof(char *));
  config->cgroups = calloc(count + 1, sizeof(char *));
  config->volumes = calloc(count + 1, sizeof(struct volume));
  config->groups = calloc(count + 1, sizeof(gid_t));
  config->limits = calloc(count + 1, sizeof(struct limit));
  if (words == NULL || config->argv == NULL || config->envp == NULL || config->cgroups == NULL ||
      config->volumes == NULL || config->groups == NULL || config->limits == NULL) {
    *message = "the definition cannot be read";
    return -1;
  }
  size_t args = 0;
  size_t envs = 0;
  for (size_t i = 0; i < count; i++) {
    char *value = strchr(words[i], '=');
    if (value == NULL) {
      *message = "an entry of the definition has no value";
      return -1;
    }
    *value++ = '\0';
    if (entry(config, words[i], value, &args, &envs) != 0) {
      *message = words[i];
      return -1;
    }
  }
  free(words);
  if (args == 0 || config->id == NULL) {
    *message = args == 0 ? "the definition has no command" : "the definition has no id";
    return -1;
  }
  return 0;
}
