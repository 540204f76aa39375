// Loaded into a server with LD_PRELOAD. While the file STALL_WHILE exists, writes to files in STALL_FOLDER wait.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static void stall(int fd) {
  const char *file = getenv("STALL_WHILE"), *folder = getenv("STALL_FOLDER");
  if (file == NULL || folder == NULL || access(file, F_OK) != 0) return;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return;
  while (access(file, F_OK) == 0) usleep(10000);
}

#define WRAP(type, name, parameters, values) \
  type name parameters { \
    static type(*original) parameters; \
    if (original == NULL) original = dlsym(RTLD_NEXT, #name); \
    stall(fd); \
    return original values; \
  }

WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
WRAP(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
WRAP(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
WRAP(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
WRAP(int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(int, ftruncate64, (int fd, off64_t size), (fd, size))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
