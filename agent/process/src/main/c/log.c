#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "log"
#define LONGEST_LINE 16384 /* longer ones are cut into parts, as container runtimes do */
#define PREFIX (TIME_LENGTH + 10) /* " stdout F " */

static struct {
  char text[LONGEST_LINE];
  size_t length;
} lines[2];

/* whole lines that are not written yet */
static char pending[LONGEST_LINE + PREFIX + 1 + 32 * 1024];
static size_t pending_length;
static unsigned pending_lines;

static int fd = -1;
static int64_t size;
static int64_t largest;
static int files;
static unsigned rotated;
static uint64_t dropped;

static void open_file(void) {
  struct stat found;
  fd = open(NAME, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
  size = fd >= 0 && fstat(fd, &found) == 0 ? (int64_t)found.st_size : 0;
}

void log_open(int64_t max_size, int max_files) {
  largest = max_size;
  files = max_files;
  open_file();
}

/* A line is written whole or not at all: what a full disk cut off is taken back. */
static void flush(void) {
  if (pending_length == 0) {
    return;
  }
  if (fd < 0) {
    open_file();
  }
  if (fd >= 0 && write_all(fd, pending, pending_length) == 0) {
    size += (int64_t)pending_length;
  } else {
    dropped += pending_lines;
    if (fd >= 0 && ftruncate(fd, size) != 0) {
      close(fd);
      fd = -1;
    }
  }
  pending_length = 0;
  pending_lines = 0;
}

static void rotated_name(unsigned number, char name[32]) {
  snprintf(name, 32, NAME ".%06u", number);
}

static void rotate(void) {
  char name[32];
  flush();
  if (size == 0) {
    return;
  }
  rotated_name(rotated + 1, name);
  if (rename(NAME, name) != 0) {
    return;
  }
  rotated++;
  close(fd);
  open_file();
  if (rotated >= (unsigned)files) {
    rotated_name(rotated - (unsigned)files + 1, name);
    unlink(name);
  }
}

static void emit(enum stream stream, const char *time, char tag) {
  size_t length = PREFIX + lines[stream].length + 1;
  if (pending_length + length > sizeof(pending)) {
    flush();
  }
  if (largest > 0 && size + (int64_t)(pending_length + length) > largest) {
    rotate();
  }
  char *at = pending + pending_length;
  memcpy(at, time, TIME_LENGTH);
  memcpy(at + TIME_LENGTH, stream == OUT ? " stdout " : " stderr ", 8);
  at[TIME_LENGTH + 8] = tag;
  at[TIME_LENGTH + 9] = ' ';
  memcpy(at + PREFIX, lines[stream].text, lines[stream].length);
  at[length - 1] = '\n';
  pending_length += length;
  pending_lines++;
  lines[stream].length = 0;
}

static void now(char text[TIME_LENGTH + 1]) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time_format(&time, text);
}

void log_write(enum stream stream, const char *data, size_t length) {
  char time[TIME_LENGTH + 1];
  now(time);
  while (length > 0) {
    size_t room = LONGEST_LINE - lines[stream].length;
    if (room == 0) {
      emit(stream, time, 'P');
      continue;
    }
    size_t most = length < room ? length : room;
    const char *newline = memchr(data, '\n', most);
    size_t taken = newline == NULL ? most : (size_t)(newline - data);
    memcpy(lines[stream].text + lines[stream].length, data, taken);
    lines[stream].length += taken;
    if (newline != NULL) {
      emit(stream, time, 'F');
      taken++;
    }
    data += taken;
    length -= taken;
  }
  flush();
}

void log_end(enum stream stream) {
  char time[TIME_LENGTH + 1];
  if (lines[stream].length > 0) {
    now(time);
    emit(stream, time, 'P');
    flush();
  }
}

uint64_t log_dropped(void) { return dropped; }
