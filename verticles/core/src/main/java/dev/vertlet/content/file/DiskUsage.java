package dev.vertlet.content.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes that directories occupy on disk, with everything on the same file system below them: holes
 * of sparse files are left out, and a file with several names counts once. Blocks.
 *
 * <p>The JDK does not tell how many blocks a file has, so that {@code du} is asked. Where it is
 * missing, lengths of files count instead.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/util/fs/fs.go">DiskUsage,
 *     kubelet 1.36.3</a>
 */
final class DiskUsage {
  private static final Logger LOG = LoggerFactory.getLogger(DiskUsage.class);

  /** Directories of one call: with their paths far below the kernel's limit of 2 MB. */
  private static final int DIRECTORIES = 256;

  /** Options of POSIX: one sum for each directory, in KiB, on its own file system alone. */
  private static final List<String> COMMAND = List.of("du", "-skx", "--");

  private static final int KIB = 1024;

  private DiskUsage() {}

  /** Returns the bytes of each directory; 0 for one that does not exist. */
  static Map<Path, Long> of(List<Path> directories) throws IOException {
    Map<Path, Long> bytes = new HashMap<>();
    for (int from = 0; from < directories.size(); from += DIRECTORIES) {
      List<Path> some = directories.subList(from, Math.min(directories.size(), from + DIRECTORIES));
      Map<String, Long> sums = sums(some);
      for (Path directory : some) {
        Long sum = sums.get(directory.toString());
        bytes.put(directory, sum == null ? lengths(directory) : sum);
      }
    }
    return bytes;
  }

  /** Asks du; empty where it is missing, and without the directories that it cannot measure. */
  private static Map<String, Long> sums(List<Path> directories) throws IOException {
    List<String> command = new ArrayList<>(COMMAND);
    directories.stream().filter(Files::isDirectory).map(Path::toString).forEach(command::add);
    if (command.size() == COMMAND.size()) {
      return Map.of();
    }
    Process process = start(command);
    if (process == null) {
      return Map.of();
    }
    try {
      // files that disappear meanwhile make it fail: its sums count all the same
      return sums(new String(process.getInputStream().readAllBytes(), UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }

  private static @Nullable Process start(List<String> command) {
    try {
      return new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .start();
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("error", e.toString()).log("du cannot be run");
      return null;
    }
  }

  private static Map<String, Long> sums(String lines) {
    Map<String, Long> sums = new HashMap<>();
    for (String line : lines.split("\n")) {
      int tab = line.indexOf('\t');
      if (tab > 0) {
        sums.put(line.substring(tab + 1), Long.parseLong(line.substring(0, tab)) * KIB);
      }
    }
    return sums;
  }

  /** Adds up the lengths of files, without links. */
  static long lengths(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    long[] bytes = {0};
    Set<Object> known = new HashSet<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            Object key = attributes.fileKey();
            if (key == null || known.add(key)) {
              bytes[0] += attributes.size();
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE; // gone meanwhile, or not readable
          }
        });
    return bytes[0];
  }
}
