/*
 * One loop serves the container: its output, its end, and clients at the control socket.
 *
 * A message is a type, a length of four bytes, the most significant first, and that many bytes.
 * The first message of a client says what it wants:
 *
 *   W         state and end of the container
 *   A flags   its streams; flags: 1 with standard input
 *   X flags words  runs a command; flags: 1 with standard input, 2 with a terminal
 *
 * Then, from a client:  0 input, C end of input, R columns and rows (two bytes each),
 *                       K grace in milliseconds (eight bytes): ends the container, G signal (a byte)
 * To a client:          1 output, 2 error output, S state, O accepted, F refused, E end
 */
#include "shim.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADER 5
#define LARGEST_MESSAGE (1024 * 1024)
#define MOST_CLIENTS 256
#define FULL (128 * 1024) /* bytes queued for a client, above which its source is not read */
#define CHUNK (16 * 1024)
#define STUCK_MILLIS 30000    /* a reader of the container's output that takes nothing is dropped */
#define FAREWELL_MILLIS 30000 /* for clients to read the last output */
#define TERMINAL_MILLIS 200   /* the kernel delivers a terminal's last output after the end */
#define KILL_MILLIS 10000     /* processes that cannot be killed do not delay the end for ever */
#define RETRY_MILLIS 1000
#define DEFAULT_GRACE_MILLIS 10000

#define WITH_STDIN 1
#define WITH_TERMINAL 2

enum kind { NEW, WATCHING, ATTACHED, EXECUTING };

struct client {
  struct client *next;
  int fd;
  enum kind kind;
  int closing; /* once its queue is empty */
  int input;   /* whether it has an open standard input */

  unsigned char header[HEADER];
  size_t header_length;
  char *body; /* of the message that is being read, or whose input is being written */
  size_t body_length;
  size_t body_read;
  size_t body_written;
  int body_pending; /* whether the body is input that waits for the process */

  char *queue;
  size_t queue_start;
  size_t queue_length;
  size_t queue_capacity;
  int64_t full_since;

  struct process process; /* of a command */
  int terminal;
  int running;
  int64_t ended_at;
  int status;
};

static const struct config *config;
static struct process *main_process;
static struct client *clients;
static int client_count;
static char chunk[CHUNK];

static int main_running = 1;
static int main_status;
static struct timespec main_finished;
static int64_t main_ended_at;
static int stopping;
static int64_t kill_at; /* 0: never */
static int finished; /* its end is on disk */
static int64_t finished_at;
static char end_text[256];

static int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- queues of clients */

static int full(const struct client *client) { return client->queue_length >= FULL; }

static void flush(struct client *client) {
  while (client->queue_length > 0) {
    ssize_t n = send(client->fd, client->queue + client->queue_start, client->queue_length,
                     MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (errno != EAGAIN) {
        client->queue_length = 0;
        client->closing = 1;
      }
      break;
    }
    client->queue_start += (size_t)n;
    client->queue_length -= (size_t)n;
    client->full_since = 0;
  }
  if (client->queue_length == 0) {
    free(client->queue);
    client->queue = NULL;
    client->queue_capacity = 0;
    client->queue_start = 0;
  }
}

static void queue(struct client *client, const void *data, size_t length) {
  if (client->closing) {
    return;
  }
  if (client->queue_start > 0) {
    memmove(client->queue, client->queue + client->queue_start, client->queue_length);
    client->queue_start = 0;
  }
  size_t needed = client->queue_length + length;
  if (needed > client->queue_capacity) {
    char *larger = realloc(client->queue, needed);
    if (larger == NULL) {
      client->closing = 1;
      return;
    }
    client->queue = larger;
    client->queue_capacity = needed;
  }
  memcpy(client->queue + client->queue_length, data, length);
  client->queue_length = needed;
}

static void tell(struct client *client, char type, const void *data, size_t length) {
  unsigned char header[HEADER] = {(unsigned char)type, (unsigned char)(length >> 24),
                                  (unsigned char)(length >> 16), (unsigned char)(length >> 8),
                                  (unsigned char)length};
  queue(client, header, HEADER);
  queue(client, data, length);
  flush(client);
}

static void tell_text(struct client *client, char type, const char *text) {
  tell(client, type, text, strlen(text));
}

/* Tells the last message. */
static void dismiss(struct client *client, char type, const char *text) {
  tell_text(client, type, text);
  client->closing = 1;
}

/* ---- processes */

static void close_fd(int *fd) {
  if (*fd >= 0) {
    close(*fd);
    *fd = -1;
  }
}

static void close_input(struct process *process, int terminal) {
  if (!terminal) {
    close_fd(&process->in);
  }
}

static void close_output(struct process *process, int *fd, int terminal) {
  close_fd(fd);
  if (terminal) {
    process->in = -1;
  }
}

static void stop(int64_t grace_millis) {
  if (!main_running) {
    return;
  }
  int64_t at = monotonic_millis() + grace_millis;
  if (!stopping && grace_millis > 0) {
    kill(main_process->pid, config->stop_signal);
  }
  stopping = 1;
  kill_at = kill_at == 0 || at < kill_at ? at : kill_at;
}

static void reap(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid == main_process->pid && main_running) {
      main_running = 0;
      main_status = status;
      main_ended_at = monotonic_millis();
      clock_gettime(CLOCK_REALTIME, &main_finished);
    }
    for (struct client *client = clients; client != NULL; client = client->next) {
      if (client->kind == EXECUTING && client->running && client->process.pid == pid) {
        client->running = 0;
        client->status = status;
        client->ended_at = monotonic_millis();
      }
    }
  }
}

static int has_children(void) {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* ---- output */

static struct client *full_reader(void) {
  for (struct client *client = clients; client != NULL; client = client->next) {
    if (client->kind == ATTACHED && !client->closing && full(client)) {
      return client;
    }
  }
  return NULL;
}

static void drop_stuck_readers(int64_t now) {
  for (struct client *client = clients; client != NULL; client = client->next) {
    if (client->kind != ATTACHED || !full(client)) {
      continue;
    }
    if (client->full_since == 0) {
      client->full_since = now;
    } else if (now - client->full_since > STUCK_MILLIS) {
      client->queue_length = 0;
      client->closing = 1;
    }
  }
}

/* Reads once. Returns 1 if there may be more, 0 if there is nothing now or for ever. */
static int read_main(enum stream stream) {
  int *fd = stream == OUT ? &main_process->out : &main_process->err;
  if (*fd < 0 || full_reader() != NULL) {
    return 0;
  }
  ssize_t n = read(*fd, chunk, CHUNK);
  if (n > 0) {
    log_write(stream, chunk, (size_t)n);
    for (struct client *client = clients; client != NULL; client = client->next) {
      if (client->kind == ATTACHED) {
        tell(client, stream == OUT ? '1' : '2', chunk, (size_t)n);
      }
    }
    return 1;
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
    return errno == EINTR;
  }
  log_end(stream);
  close_output(main_process, fd, config->tty);
  return 0;
}

static int read_command(struct client *client, enum stream stream) {
  int *fd = stream == OUT ? &client->process.out : &client->process.err;
  if (*fd < 0 || full(client)) {
    return 0;
  }
  ssize_t n = read(*fd, chunk, CHUNK);
  if (n > 0) {
    tell(client, stream == OUT ? '1' : '2', chunk, (size_t)n);
    return 1;
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
    return errno == EINTR;
  }
  close_output(&client->process, fd, client->terminal);
  return 0;
}

/* A command has ended when its process has; what its descendants write later is lost. */
static void finish_command(struct client *client, int64_t now) {
  if (client->running || client->closing || full(client)) {
    return;
  }
  for (int stream = OUT; stream <= ERR; stream++) {
    while (read_command(client, (enum stream)stream)) {
    }
  }
  if (full(client) || (client->terminal && client->process.out >= 0 &&
                       now - client->ended_at < TERMINAL_MILLIS)) {
    return;
  }
  char text[32];
  snprintf(text, sizeof(text), "code=%d\n", exit_code(client->status));
  dismiss(client, 'E', text);
}

/* ---- messages of clients */

static void resize(int fd, const unsigned char *body, size_t length) {
  if (fd >= 0 && length == 4) {
    struct winsize size = {.ws_col = (unsigned short)(body[0] << 8 | body[1]),
                           .ws_row = (unsigned short)(body[2] << 8 | body[3])};
    ioctl(fd, TIOCSWINSZ, &size);
  }
}

static void tell_state(struct client *client) {
  char text[512];
  if (file_read("state", text, sizeof(text)) > 0) {
    tell_text(client, 'S', text);
  }
}

static void execute(struct client *client, char *body, size_t length) {
  char message[4096];
  int flags = length > 0 ? body[0] : 0;
  char **argv = length > 1 ? config_words(body + 1, length - 1) : NULL;
  if (argv == NULL || argv[0] == NULL || !main_running) {
    dismiss(client, 'F', argv == NULL ? "there is no command" : "the container has ended");
    free(argv);
    return;
  }
  client->terminal = (flags & WITH_TERMINAL) != 0;
  client->input = (flags & WITH_STDIN) != 0;
  if (spawn(config, argv, client->terminal, client->input, main_process->pid, NULL,
            &client->process, message, sizeof(message)) != 0) {
    dismiss(client, 'F', message);
  } else {
    client->kind = EXECUTING;
    client->running = 1;
    tell(client, 'O', "", 0);
  }
  free(argv);
}

static void first_message(struct client *client, char type, char *body, size_t length) {
  switch (type) {
    case 'W':
      client->kind = WATCHING;
      tell_state(client);
      break;
    case 'A':
      client->kind = ATTACHED;
      client->input = length > 0 && (body[0] & WITH_STDIN) != 0;
      tell(client, 'O', "", 0);
      break;
    case 'X':
      execute(client, body, length);
      return;
    default:
      client->closing = 1;
      return;
  }
  if (finished) {
    dismiss(client, 'E', end_text);
  }
}

static struct process *process_of(struct client *client) {
  return client->kind == EXECUTING ? &client->process : main_process;
}

static int terminal_of(const struct client *client) {
  return client->kind == EXECUTING ? client->terminal : config->tty;
}

static void end_input(struct client *client) {
  if (!client->input) {
    return;
  }
  client->input = 0;
  if (client->kind == EXECUTING || (client->kind == ATTACHED && config->stdin_once)) {
    close_input(process_of(client), terminal_of(client));
  }
}

static void later_message(struct client *client, char type, char *body, size_t length) {
  int64_t grace = 0;
  switch (type) {
    case 'C':
      end_input(client);
      break;
    case 'R':
      if (client->kind != WATCHING && terminal_of(client)) {
        resize(process_of(client)->out, (const unsigned char *)body, length);
      }
      break;
    case 'K':
      for (size_t i = 0; i < length && i < 8; i++) {
        grace = grace << 8 | (unsigned char)body[i];
      }
      if (client->kind == WATCHING) {
        stop(grace < 0 ? 0 : grace);
      }
      break;
    case 'G':
      if (client->kind == WATCHING && length == 1 && main_running) {
        kill(main_process->pid, (unsigned char)body[0]);
      }
      break;
    default:
      client->closing = 1;
  }
}

static void drop_body(struct client *client) {
  free(client->body);
  client->body = NULL;
  client->body_pending = 0;
  client->header_length = 0;
}

/* Writes input that waits; a process that reads no more loses it. */
static void write_input(struct client *client) {
  struct process *process = process_of(client);
  while (client->body_pending && client->body_written < client->body_read) {
    ssize_t n = process->in < 0 ? -1
                                : write(process->in, client->body + client->body_written,
                                        client->body_read - client->body_written);
    if (process->in >= 0 && n < 0 && errno == EAGAIN) {
      return;
    }
    if (process->in < 0 || (n < 0 && errno != EINTR)) {
      break;
    }
    client->body_written += n > 0 ? (size_t)n : 0;
  }
  drop_body(client);
}

static void take_message(struct client *client) {
  char type = (char)client->header[0];
  if (client->kind == NEW) {
    first_message(client, type, client->body, client->body_length);
    drop_body(client);
  } else if (type == '0' && client->input && client->body_length > 0) {
    client->body_pending = 1;
    client->body_written = 0;
    write_input(client);
  } else {
    if (type != '0') {
      later_message(client, type, client->body, client->body_length);
    }
    drop_body(client);
  }
}

/* Returns 0 when the client has left. */
static int read_client(struct client *client) {
  while (!client->body_pending && !client->closing) {
    int in_header = client->header_length < HEADER;
    void *to = in_header ? (void *)(client->header + client->header_length)
                         : (void *)(client->body + client->body_read);
    size_t wanted =
        in_header ? HEADER - client->header_length : client->body_length - client->body_read;
    if (wanted > 0) {
      ssize_t n = recv(client->fd, to, wanted, MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        return 0;
      }
      if (n < 0) {
        return 1;
      }
      *(in_header ? &client->header_length : &client->body_read) += (size_t)n;
    }
    if (in_header && client->header_length == HEADER) {
      client->body_length = (size_t)client->header[1] << 24 | (size_t)client->header[2] << 16 |
                            (size_t)client->header[3] << 8 | (size_t)client->header[4];
      client->body_read = 0;
      client->body = client->body_length > LARGEST_MESSAGE ? NULL : malloc(client->body_length + 1);
      if (client->body == NULL) {
        return 0;
      }
    }
    if (client->header_length == HEADER && client->body_read == client->body_length) {
      take_message(client);
    }
  }
  return 1;
}

static void accept_client(int listener) {
  int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) {
    return;
  }
  struct ucred peer;
  socklen_t length = sizeof(peer);
  struct client *client = NULL;
  if (client_count < MOST_CLIENTS &&
      getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
      (peer.uid == geteuid() || peer.uid == 0)) {
    client = calloc(1, sizeof(struct client));
  }
  if (client == NULL) {
    close(fd);
    return;
  }
  client->fd = fd;
  client->process = (struct process){-1, -1, -1, -1};
  client->next = clients;
  clients = client;
  client_count++;
}

static void remove_client(struct client **link) {
  struct client *client = *link;
  if (client->kind == EXECUTING && client->running) {
    tree_kill(client->process.pid);
  }
  end_input(client);
  if (client->kind == EXECUTING) {
    if (client->terminal) {
      client->process.in = -1;
    }
    close_fd(&client->process.in);
    close_fd(&client->process.out);
    close_fd(&client->process.err);
  }
  close(client->fd);
  *link = client->next;
  client_count--;
  free(client->body);
  free(client->queue);
  free(client);
}

/* ---- the end */

static int drained(int64_t now) {
  for (int stream = OUT; stream <= ERR; stream++) {
    while (read_main((enum stream)stream)) {
    }
  }
  return full_reader() == NULL &&
         (main_process->out < 0 || !config->tty || now - main_ended_at >= TERMINAL_MILLIS);
}

/* Returns whether the end is on disk. */
static int write_end(int left) {
  char time[TIME_LENGTH + 1];
  time_format(&main_finished, time);
  int out_of_memory = WIFSIGNALED(main_status) && WTERMSIG(main_status) == SIGKILL &&
                      tree_out_of_memory(config);
  snprintf(end_text, sizeof(end_text),
           "code=%d\nsignal=%d\noom=%d\nfinishedAt=%s\ndroppedLines=%llu\nleftProcesses=%d\n",
           exit_code(main_status), WIFSIGNALED(main_status) ? WTERMSIG(main_status) : 0,
           out_of_memory, time, (unsigned long long)log_dropped(), left);
  return file_replace("exit", end_text, 1) == 0 || errno == ENOENT;
}

static void end_container(int64_t now) {
  static int64_t retry_at;
  if (main_running || finished || now < retry_at) {
    return;
  }
  int left = has_children() || config->cgroup_count > 0 ? tree_kill_all(config) : 0;
  reap();
  left = has_children() ? (left > 0 ? left : 1) : 0;
  if (left > 0 && now - main_ended_at < KILL_MILLIS) {
    return;
  }
  if (!drained(now)) {
    return;
  }
  log_end(OUT);
  log_end(ERR);
  if (!write_end(left)) {
    retry_at = now + RETRY_MILLIS;
    return;
  }
  finished = 1;
  finished_at = now;
  for (struct client *client = clients; client != NULL; client = client->next) {
    if (client->kind == WATCHING || client->kind == ATTACHED) {
      dismiss(client, 'E', end_text);
    }
  }
}

/* ---- the loop */

static struct pollfd *polled;
static nfds_t polled_count;

static void poll_for(int fd, short events) {
  if (fd >= 0) {
    polled[polled_count++] = (struct pollfd){.fd = fd, .events = events};
  }
}

static void choose_descriptors(int signals, int listener) {
  static nfds_t capacity;
  nfds_t needed = 5 + 4 * (nfds_t)client_count;
  if (needed > capacity) {
    struct pollfd *larger = realloc(polled, needed * sizeof(*polled));
    if (larger == NULL) {
      _exit(1);
    }
    polled = larger;
    capacity = needed;
  }
  polled_count = 0;
  poll_for(signals, POLLIN);
  poll_for(listener, POLLIN);
  int input_waits = 0;
  for (struct client *client = clients; client != NULL; client = client->next) {
    short reading = client->body_pending || client->closing ? 0 : POLLIN;
    poll_for(client->fd, (short)(reading | (client->queue_length > 0 ? POLLOUT : 0)));
    if (client->kind != EXECUTING) {
      input_waits |= client->body_pending;
      continue;
    }
    if (!full(client) && client->running) {
      poll_for(client->process.out, POLLIN);
      poll_for(client->process.err, POLLIN);
    }
    if (client->body_pending) {
      poll_for(client->process.in, POLLOUT);
    }
  }
  if (full_reader() == NULL && main_running) {
    poll_for(main_process->out, POLLIN);
    poll_for(main_process->err, POLLIN);
  }
  if (input_waits) {
    poll_for(main_process->in, POLLOUT);
  }
}

/* Milliseconds until something is due without an event; -1 for never. */
static int due_in(int64_t now) {
  if (!main_running && !finished) {
    return 10;
  }
  int64_t due = kill_at > 0 && main_running ? kill_at : INT64_MAX;
  if (finished && finished_at + FAREWELL_MILLIS < due) {
    due = finished_at + FAREWELL_MILLIS;
  }
  for (struct client *client = clients; client != NULL; client = client->next) {
    if (client->closing && client->queue_length == 0) {
      return 0;
    }
    if (client->kind == EXECUTING && !client->running && !client->closing && !full(client) &&
        now + 20 < due) {
      due = now + 20;
    }
    if (client->kind == ATTACHED && full(client) && now + RETRY_MILLIS < due) {
      due = now + RETRY_MILLIS;
    }
  }
  if (due == INT64_MAX) {
    return -1;
  }
  return due <= now ? 0 : (int)(due - now);
}

static int hung_up(int fd) {
  for (nfds_t i = 0; i < polled_count; i++) {
    if (polled[i].fd == fd) {
      return (polled[i].revents & (POLLHUP | POLLERR)) != 0;
    }
  }
  return 0;
}

static void take_signals(int signals) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
    if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT) {
      stop(DEFAULT_GRACE_MILLIS);
    }
  }
}

static void serve_clients(int64_t now) {
  struct client **link = &clients;
  while (*link != NULL) {
    struct client *client = *link;
    int here = read_client(client);
    if (here && client->body_pending) {
      write_input(client);
      here = !hung_up(client->fd);
    }
    if (here && client->kind == EXECUTING) {
      for (int stream = OUT; stream <= ERR; stream++) {
        read_command(client, (enum stream)stream);
      }
      finish_command(client, now);
    }
    flush(client);
    if (!here || (client->closing && client->queue_length == 0)) {
      remove_client(link);
    } else {
      link = &client->next;
    }
  }
}

void serve(const struct config *definition, struct process *process, int listener,
           const char *socket) {
  sigset_t handled;
  config = definition;
  main_process = process;
  sigemptyset(&handled);
  sigaddset(&handled, SIGCHLD);
  sigaddset(&handled, SIGTERM);
  sigaddset(&handled, SIGINT);
  sigprocmask(SIG_BLOCK, &handled, NULL);
  int signals = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) {
    _exit(1);
  }
  for (;;) {
    reap(); /* before the first wait: a container may have ended already */
    int64_t now = monotonic_millis();
    end_container(now);
    if (finished && listener >= 0) {
      unlink(socket);
      close_fd(&listener);
    }
    if (finished && (clients == NULL || now - finished_at > FAREWELL_MILLIS)) {
      _exit(0);
    }
    choose_descriptors(signals, listener);
    if (poll(polled, polled_count, due_in(now)) < 0 && errno != EINTR) {
      _exit(1);
    }
    take_signals(signals);
    reap();
    now = monotonic_millis();
    if (kill_at > 0 && main_running && now >= kill_at) {
      kill(main_process->pid, SIGKILL);
      kill_at = now + RETRY_MILLIS;
    }
    if (listener >= 0) {
      accept_client(listener);
    }
    serve_clients(now);
    drop_stuck_readers(now);
    if (main_running) {
      read_main(OUT);
      read_main(ERR);
    }
  }
}
