#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* since Linux 5.2; older C libraries have no names for them */
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#define CLONE_TREE 1           /* OPEN_TREE_CLONE */
#define TREE_CLOEXEC O_CLOEXEC /* OPEN_TREE_CLOEXEC */
#define ALL_BELOW 0x8000       /* AT_RECURSIVE */
#define FROM_FD 0x4            /* MOVE_MOUNT_F_EMPTY_PATH */
#define THROUGH_LINKS 0x10     /* MOVE_MOUNT_T_SYMLINKS */

#define MOST_COPIES 64

/* file systems in memory that stand for directories of the host, by their device */
static dev_t copies[MOST_COPIES];
static size_t copy_count;

static char *mounted[256]; /* where volumes are already, without symbolic links */
static size_t mounted_count;

static char failed_at[PATH_MAX + 64];

static int failed(const char *what, const char *path) {
  int error = errno;
  snprintf(failed_at, sizeof(failed_at), "%s %s", what, path);
  errno = error;
  return -1;
}

const char *mounts_failed_at(void) { return failed_at; }

static int clone_tree(int directory, const char *path, int flags) {
  return (int)syscall(SYS_open_tree, directory, path,
                      CLONE_TREE | TREE_CLOEXEC | ALL_BELOW | flags);
}

static int attach(int tree, const char *path) {
  int result = (int)syscall(SYS_move_mount, tree, "", AT_FDCWD, path, FROM_FD | THROUGH_LINKS);
  int error = errno;
  close(tree);
  errno = error;
  return result;
}

static int write_text(const char *name, const char *text) {
  int fd = open(name, O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  int result = write_all(fd, text, strlen(text));
  close(fd);
  return result;
}

static int enter_namespaces(enum mounts_mode mode) {
  char map[64];
  uid_t uid = geteuid();
  gid_t gid = getegid();
  if (unshare(CLONE_NEWNS | (mode == USER_NAMESPACE ? CLONE_NEWUSER : 0)) != 0) {
    return failed("unshare", "the mount namespace");
  }
  if (mode == USER_NAMESPACE) {
    /* as the same user: files keep their owner, and no right is gained */
    snprintf(map, sizeof(map), "%u %u 1", uid, uid);
    if (write_text("/proc/self/uid_map", map) != 0) {
      return failed("write", "/proc/self/uid_map");
    }
    (void)write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof(map), "%u %u 1", gid, gid);
    if (write_text("/proc/self/gid_map", map) != 0) {
      return failed("write", "/proc/self/gid_map");
    }
  }
  /* mounts of the host still arrive, those of the container do not leave */
  return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0 ? 0 : failed("mount", "/");
}

/* Puts an entry of a directory into the copy of that directory. */
static int copy_entry(int from, const char *directory, const char *name) {
  char to[PATH_MAX];
  char link[PATH_MAX];
  struct stat found;
  if (snprintf(to, sizeof(to), "%s/%s", directory, name) >= (int)sizeof(to)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  if (fstatat(from, name, &found, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? 0 : -1; /* gone meanwhile */
  }
  if (S_ISLNK(found.st_mode)) {
    ssize_t length = readlinkat(from, name, link, sizeof(link) - 1);
    if (length < 0) {
      return -1;
    }
    link[length] = '\0';
    return symlink(link, to);
  }
  int tree = clone_tree(from, name, AT_SYMLINK_NOFOLLOW);
  if (tree < 0) {
    return errno == ENOENT ? 0 : -1;
  }
  int made;
  if (S_ISDIR(found.st_mode)) {
    made = mkdir(to, 0755);
  } else {
    made = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (made >= 0) {
      close(made);
      made = 0;
    }
  }
  if (made != 0) {
    close(tree);
    return -1;
  }
  return attach(tree, to);
}

/*
 * Puts a file system in memory over a directory, with all that is in it mounted again: so there
 * can be names in it that the host's directory does not have.
 */
static int copy_directory(const char *directory) {
  struct stat original;
  struct stat copy;
  char options[32];
  int from = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (from < 0 || fstat(from, &original) != 0 || copy_count == MOST_COPIES) {
    return failed("open", directory);
  }
  snprintf(options, sizeof(options), "mode=%o", original.st_mode & 07777);
  DIR *entries = fdopendir(from);
  if (entries == NULL || mount("tmpfs", directory, "tmpfs", MS_NOSUID, options) != 0) {
    return failed("mount tmpfs at", directory);
  }
  /* what is mounted on the root is above it, and stays there until it is the root */
  if (strcmp(directory, "/") == 0 && (chdir("/..") != 0 || chroot(".") != 0)) {
    return failed("chroot", directory);
  }
  if (stat(directory, &copy) != 0) {
    return failed("stat", directory);
  }
  (void)!chown(directory, original.st_uid, original.st_gid);
  copies[copy_count++] = copy.st_dev;
  int result = 0;
  struct dirent *entry;
  while (result == 0 && (entry = readdir(entries)) != NULL) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      result = copy_entry(from, directory, entry->d_name);
      if (result != 0) {
        result = failed(entry->d_name, directory);
      }
    }
  }
  int error = errno;
  closedir(entries);
  errno = error;
  return result;
}

static int is_copy(const char *directory) {
  struct stat found;
  if (stat(directory, &found) != 0) {
    return 0;
  }
  for (size_t i = 0; i < copy_count; i++) {
    if (copies[i] == found.st_dev) {
      return 1;
    }
  }
  return 0;
}

static int in_volume(const char *directory) {
  for (size_t i = 0; i < mounted_count; i++) {
    size_t length = strlen(mounted[i]);
    if (strncmp(directory, mounted[i], length) == 0 &&
        (directory[length] == '/' || directory[length] == '\0')) {
      return 1;
    }
  }
  return 0;
}

/* Creates what a mount covers, unless it is there. */
static int make_point(const char *path, int directory) {
  char at[PATH_MAX];
  char parent[PATH_MAX];
  struct stat found;
  if (strlen(path) >= sizeof(at)) {
    errno = ENAMETOOLONG;
    return failed("mount at", path);
  }
  for (size_t i = 1; path[i - 1] != '\0'; i++) {
    if (path[i] != '/' && path[i] != '\0') {
      continue;
    }
    memcpy(at, path, i);
    at[i] = '\0';
    if (stat(at, &found) == 0) {
      if (path[i] == '\0') {
        return 0;
      }
      continue;
    }
    if (errno != ENOENT) {
      return failed("stat", at);
    }
    char *slash = strrchr(at, '/');
    *slash = '\0';
    if (realpath(slash == at ? "/" : at, parent) == NULL) {
      return failed("stat", at);
    }
    *slash = '/';
    if (!is_copy(parent) && !in_volume(parent) && copy_directory(parent) != 0) {
      return -1;
    }
    if (path[i] == '/' || directory) {
      if (mkdir(at, 0755) != 0) {
        return failed("mkdir", at);
      }
    } else {
      int fd = open(at, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
      if (fd < 0) {
        return failed("create", at);
      }
      close(fd);
    }
    if (path[i] == '\0') {
      return 0;
    }
  }
  return 0;
}

static int make_read_only(const char *path) {
  static const struct {
    unsigned long have;
    unsigned long keep;
  } FLAGS[] = {{ST_NOSUID, MS_NOSUID}, {ST_NODEV, MS_NODEV}, {ST_NOEXEC, MS_NOEXEC},
               {ST_NOATIME, MS_NOATIME}, {ST_NODIRATIME, MS_NODIRATIME},
               {ST_RELATIME, MS_RELATIME}};
  struct statvfs now;
  unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY;
  if (statvfs(path, &now) != 0) {
    return failed("statfs", path);
  }
  for (size_t i = 0; i < COUNT(FLAGS); i++) {
    flags |= (now.f_flag & FLAGS[i].have) != 0 ? FLAGS[i].keep : 0;
  }
  return mount(NULL, path, NULL, flags, NULL) == 0 ? 0 : failed("make read-only", path);
}

/* Returns a tree of what is mounted, which is what the agent has checked. */
static int open_source(const struct volume *volume) {
  struct stat found;
  int tree = clone_tree(AT_FDCWD, volume->source, volume->inode != 0 ? AT_SYMLINK_NOFOLLOW : 0);
  if (tree < 0 || fstat(tree, &found) != 0) {
    return failed("open", volume->source);
  }
  if (volume->inode != 0 &&
      (found.st_ino != volume->inode || found.st_dev != volume->device)) {
    errno = ESTALE;
    return failed("the path has changed:", volume->source);
  }
  return tree;
}

static int mount_volume(const struct volume *volume, int tree) {
  struct stat found;
  char path[PATH_MAX];
  if (fstat(tree, &found) != 0 || make_point(volume->target, S_ISDIR(found.st_mode)) != 0) {
    close(tree);
    return -1;
  }
  if (attach(tree, volume->target) != 0) {
    return failed("mount at", volume->target);
  }
  if (realpath(volume->target, path) == NULL) {
    return failed("stat", volume->target);
  }
  if (mounted_count < COUNT(mounted)) {
    mounted[mounted_count] = strdup(path);
    mounted_count += mounted[mounted_count] != NULL;
  }
  return volume->read_only ? make_read_only(path) : 0;
}

/* File systems of the kernel, for images that have a place for them. */
static void mount_kernel(const char *root) {
  static const char *const NAMES[] = {"/proc", "/sys", "/dev"};
  char path[PATH_MAX];
  struct stat found;
  for (size_t i = 0; i < COUNT(NAMES); i++) {
    snprintf(path, sizeof(path), "%s%s", root, NAMES[i]);
    if (lstat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
      int tree = clone_tree(AT_FDCWD, NAMES[i], 0);
      if (tree >= 0) {
        (void)attach(tree, path);
      }
    }
  }
}

int mounts_make(const struct config *config) {
  int *trees = calloc(config->volume_count + 1, sizeof(int));
  if (trees == NULL || enter_namespaces(config->mounts) != 0) {
    return -1;
  }
  for (size_t i = 0; i < config->volume_count; i++) {
    trees[i] = open_source(&config->volumes[i]);
    if (trees[i] < 0) {
      return -1;
    }
  }
  if (config->root != NULL) {
    mount_kernel(config->root);
    if (chroot(config->root) != 0 || chdir("/") != 0) {
      return failed("chroot", config->root);
    }
  }
  for (size_t i = 0; i < config->volume_count; i++) {
    if (mount_volume(&config->volumes[i], trees[i]) != 0) {
      return -1;
    }
  }
  free(trees);
  return 0;
}

static int join(pid_t pid, const char *kind) {
  char name[64];
  snprintf(name, sizeof(name), "/proc/%d/ns/%s", (int)pid, kind);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  int result = fd < 0 ? -1 : setns(fd, 0);
  if (result != 0) {
    result = failed("setns", name);
  }
  if (fd >= 0) {
    close(fd);
  }
  return result;
}

int mounts_join(const struct config *config, pid_t pid) {
  if (config->mounts == USER_NAMESPACE && join(pid, "user") != 0) {
    return -1;
  }
  if (join(pid, "mnt") != 0) {
    return -1;
  }
  if (config->root != NULL && (chroot(config->root) != 0 || chdir("/") != 0)) {
    return failed("chroot", config->root);
  }
  return 0;
}

enum mounts_mode mounts_possible(void) {
  enum mounts_mode mode = geteuid() == 0 ? NAMESPACE : USER_NAMESPACE;
  if (enter_namespaces(mode) != 0 || copy_directory("/") != 0) {
    return NO_NAMESPACE;
  }
  return mode;
}
