package dev.vertlet.host.logs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Files of a container's log. The shim renames {@code log} to {@code log.000001} and so on, and
 * then begins a new one; the oldest are removed. Every method blocks.
 *
 * @param directory of the instance
 */
public record LogSegments(Path directory) implements LogFiles {
  /** Name of the file that grows. */
  public static final String CURRENT = "log";

  private static final String ROTATED = CURRENT + ".";

  /**
   * An open file.
   *
   * @param number its place among all files of the log, 1 for the first; it keeps it when renamed
   */
  private record Segment(LogSegments all, long number, FileChannel channel) implements LogFile {
    @Override
    public boolean complete() throws IOException {
      return all.isRotated(number);
    }

    @Override
    public @Nullable LogFile next() throws IOException {
      return all.open(number + 1);
    }

    @Override
    public @Nullable LogFile previous() throws IOException {
      Segment found = number <= 1 ? null : all.open(number - 1);
      if (found != null && found.number() >= number) {
        found.close(); // older files were removed
        return null;
      }
      return found;
    }
  }

  @Override
  public @Nullable LogFile first() throws IOException {
    return open(oldest());
  }

  @Override
  public @Nullable LogFile last() throws IOException {
    return open(newest());
  }

  private Path rotated(long number) {
    return directory.resolve("%s%06d".formatted(ROTATED, number));
  }

  /** Whether the shim writes to a later file than this one, which may have been removed since. */
  private boolean isRotated(long number) throws IOException {
    try {
      return Files.exists(rotated(number)) || newest() > number;
    } catch (NoSuchFileException e) {
      return false; // the whole log was removed
    }
  }

  private TreeSet<Long> rotated() throws IOException {
    TreeSet<Long> numbers = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, ROTATED + "*")) {
      for (Path file : files) {
        String number = file.getFileName().toString().substring(ROTATED.length());
        if (number.chars().allMatch(Character::isDigit)) {
          numbers.add(Long.parseLong(number));
        }
      }
    }
    return numbers;
  }

  /** Number of the oldest file that is left. */
  public long oldest() throws IOException {
    TreeSet<Long> numbers = rotated();
    return numbers.isEmpty() ? 1 : numbers.first();
  }

  /** Number of the file that grows. */
  public long newest() throws IOException {
    TreeSet<Long> numbers = rotated();
    return numbers.isEmpty() ? 1 : numbers.last() + 1;
  }

  /**
   * Opens the file of this number, or the oldest later one if it was removed.
   *
   * @return null if the shim has not begun it yet
   */
  private @Nullable Segment open(long wanted) throws IOException {
    while (true) {
      TreeSet<Long> numbers = rotated();
      Long number = numbers.ceiling(wanted);
      try {
        if (number != null) {
          return new Segment(this, number, channel(rotated(number)));
        }
        long current = numbers.isEmpty() ? 1 : numbers.last() + 1;
        if (current < wanted) {
          return null;
        }
        FileChannel opened = channel(directory.resolve(CURRENT));
        if (!isRotated(current)) {
          return new Segment(this, current, opened);
        }
        opened.close(); // renamed meanwhile: it is not certain which file this is
      } catch (NoSuchFileException e) {
        if (number == null && !isRotated(wanted)) {
          return null;
        }
      }
    }
  }

  private static FileChannel channel(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }
}
