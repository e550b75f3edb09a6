package dev.vertlet.host.logs;

import dev.vertlet.host.files.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names of the files of one log: {@code 0.log} grows, {@code 0.log.20260102-030405} is older, and
 * {@code 0.log.20260102-030405.gz} is compressed. Times are in UTC.
 *
 * @param log path of the file that grows
 */
record RotatedNames(Path log) {
  /** Ending of a compressed file. */
  static final String COMPRESSED = ".gz";

  /** Ending of a file that is being compressed. */
  static final String PART = ".tmp";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final Pattern TIME_FORM = Pattern.compile("[0-9]{8}-[0-9]{6}");

  private Path directory() {
    return Objects.requireNonNull(log.toAbsolutePath().getParent(), "a file has a directory");
  }

  /** Path of the file that is rotated at a time. */
  Path at(Instant time) {
    return log.resolveSibling(log.getFileName() + "." + TIME.format(time));
  }

  /** Time in the name of a file of this log; empty if it is not a rotated one. */
  String time(Path file) {
    String prefix = log.getFileName() + ".";
    String name = file.getFileName().toString();
    if (!name.startsWith(prefix)) {
      return "";
    }
    String time = name.substring(prefix.length());
    String bare =
        time.endsWith(COMPRESSED) ? time.substring(0, time.length() - COMPRESSED.length()) : time;
    return TIME_FORM.matcher(bare).matches() ? bare : "";
  }

  /**
   * Lists the rotated files by their times, the oldest first. A file that is there twice is listed
   * as it was before it was compressed.
   */
  TreeMap<String, Path> rotated() throws IOException {
    TreeMap<String, Path> found = new TreeMap<>();
    for (Path file : Directories.children(directory())) {
      String time = time(file);
      if (!time.isEmpty()) {
        found.merge(time, file, (one, other) -> isCompressed(one) ? other : one);
      }
    }
    return found;
  }

  /** Removes what an interrupted compression left. */
  void removeRemains() throws IOException {
    String prefix = log.getFileName() + ".";
    for (Path file : Directories.children(directory())) {
      String name = file.getFileName().toString();
      boolean twice = isCompressed(file) && Files.exists(uncompressed(file));
      if (name.startsWith(prefix) && (name.endsWith(PART) || !time(file).isEmpty() && twice)) {
        Files.deleteIfExists(file);
      }
    }
  }

  static boolean isCompressed(Path file) {
    return file.getFileName().toString().endsWith(COMPRESSED);
  }

  private static Path uncompressed(Path file) {
    String name = file.getFileName().toString();
    return file.resolveSibling(name.substring(0, name.length() - COMPRESSED.length()));
  }
}
