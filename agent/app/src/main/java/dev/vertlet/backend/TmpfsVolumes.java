package dev.vertlet.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.content.file.MemoryVolumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Mounts tmpfs with the commands of Linux, where this process is root and may. */
final class TmpfsVolumes implements MemoryVolumes {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  /** Place of the mount point in a line of {@link #MOUNTS}. */
  private static final int MOUNT_POINT = 4;

  private static final int ROOT = 0;

  /** Limit of one command, seconds: mounting a tmpfs needs no device. */
  private static final long LIMIT = 10;

  @Override
  public boolean mount(Path directory, long bytes) throws IOException {
    if (!Files.exists(MOUNTS) || uid() != ROOT) {
      return false;
    }
    return mounted(directory).contains(directory)
        || run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", directory.toString());
  }

  private static int uid() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  @Override
  public List<Path> mounted(Path directory) throws IOException {
    return Files.exists(MOUNTS) ? mounted(directory, Files.readAllBytes(MOUNTS)) : List.of();
  }

  /** Other mount points of the machine may have names that are no UTF-8, and no paths here. */
  static List<Path> mounted(Path directory, byte[] mounts) {
    String root = directory.toString();
    List<Path> found = new ArrayList<>();
    for (String line : new String(mounts, UTF_8).split("\n")) {
      String[] fields = line.split(" ");
      if (fields.length > MOUNT_POINT) {
        String mount = unescaped(fields[MOUNT_POINT]);
        if (mount.equals(root) || mount.startsWith(root + "/")) {
          found.add(Path.of(mount));
        }
      }
    }
    found.sort(Comparator.comparing(Path::getNameCount).reversed());
    return found;
  }

  /** The kernel writes white space and backslashes as octal numbers. */
  private static String unescaped(String text) {
    return text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  @Override
  public void unmount(Path directory) throws IOException {
    if (!run("umount", directory.toString())) {
      throw new IOException("umount " + directory + " failed");
    }
  }

  private static boolean run(String... command) throws IOException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return false; // an image without the command
    }
    try {
      if (!process.waitFor(LIMIT, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
