#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int write_all(int fd, const void *data, size_t length) {
  const char *left = data;
  while (length > 0) {
    ssize_t n = write(fd, left, length);
    if (n < 0 && errno != EINTR) {
      return -1;
    }
    if (n > 0) {
      left += n;
      length -= (size_t)n;
    }
  }
  return 0;
}

#define PART_LENGTH 64

static int part_name(const char *name, char part[PART_LENGTH]) {
  return snprintf(part, PART_LENGTH, "%s.part", name) < PART_LENGTH ? 0 : -1;
}

void file_reserve(const char *name) {
  static const char BLANK[512];
  char part[PART_LENGTH];
  int fd = part_name(name, part) == 0 ? open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0640) : -1;
  if (fd >= 0) {
    (void)write_all(fd, BLANK, sizeof(BLANK));
    close(fd);
  }
}

int file_replace(const char *name, const char *text, int sync) {
  char part[PART_LENGTH];
  if (part_name(name, part) != 0) {
    return -1;
  }
  /* not truncated before: blocks that file_reserve took are there on a full disk, too */
  int fd = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0640);
  if (fd < 0) {
    return -1;
  }
  int failed = write_all(fd, text, strlen(text)) != 0 || ftruncate(fd, (off_t)strlen(text)) != 0 ||
               (sync && fsync(fd) != 0);
  failed |= close(fd) != 0;
  if (failed || rename(part, name) != 0) {
    return -1;
  }
  if (sync) {
    int directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
      fsync(directory);
      close(directory);
    }
  }
  return 0;
}

ssize_t file_read(const char *name, char *text, size_t capacity) {
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  size_t length = 0;
  while (length + 1 < capacity) {
    ssize_t n = read(fd, text + length, capacity - 1 - length);
    if (n <= 0) {
      break;
    }
    length += (size_t)n;
  }
  close(fd);
  text[length] = '\0';
  return (ssize_t)length;
}
