package dev.vertlet.content.file;

import dev.vertlet.model.Utf8;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files in which the instances of a container leave a message at their end, one for each. Blocks.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_container.go">
 *     getTerminationMessage, kubelet 1.36.3</a>
 */
public final class TerminationLog {
  private static final int MODE = 0666;

  /** MaxContainerTerminationMessageLength of kubelets. */
  private static final int BYTES = 4096;

  private final Path directory;

  /**
   * Names the files of a container.
   *
   * @param directory of the container
   */
  public TerminationLog(Path directory) {
    this.directory = directory;
  }

  /**
   * Creates the file of a new instance, and removes those of instances before the last one.
   *
   * @param random makes the name of the file unknown to other instances
   */
  Path create(int attempt, int random) throws IOException {
    Files.createDirectories(directory);
    for (Path old : files("")) {
      String name = old.getFileName().toString();
      if (!name.startsWith(prefix(attempt - 1))) {
        Files.deleteIfExists(old);
      }
    }
    Path file = directory.resolve(prefix(attempt) + "%08x".formatted(random));
    Files.createFile(file);
    FileModes.set(file, MODE);
    return file;
  }

  /** Returns the message of an instance, at most its last 4096 bytes; empty without one. */
  public String read(int attempt) {
    try {
      List<Path> files = files(prefix(attempt));
      return files.isEmpty() ? "" : tail(files.get(0));
    } catch (IOException e) {
      return "Error on reading termination log " + directory + ": " + e.getMessage();
    }
  }

  private static String prefix(int attempt) {
    return attempt + "-";
  }

  private static String tail(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "";
    }
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long length = open.length();
      byte[] bytes = new byte[(int) Math.min(BYTES, length)];
      open.seek(length - bytes.length);
      open.readFully(bytes);
      return Utf8.last(bytes, 0);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private List<Path> files(String prefix) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      List<Path> found = new ArrayList<>();
      all.filter(path -> path.getFileName().toString().startsWith(prefix)).forEach(found::add);
      found.sort(Comparator.comparing(Path::toString));
      return found;
    }
  }
}
