package dev.vertlet.harness.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.cli.FailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the reachable objects in another JVM's heap. The measurement stops that JVM: for a good
 * second with 100 MB.
 */
public final class HeapHistogram {
  /** Last line of a histogram, {@code Total 1234567 98765432}: objects, bytes. */
  private static final Pattern TOTAL =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)$", Pattern.MULTILINE);

  /**
   * Number of full collections. The serial collector leaves some dead objects in place and counts
   * them, except in every fourth full collection (MarkSweepAlwaysCompactCount).
   */
  private static final int COLLECTIONS = 4;

  private HeapHistogram() {}

  /**
   * Bytes of all live objects. Blocks on the other JVM; not for event loops.
   *
   * @param javaHome home of a JDK with {@code jcmd}
   * @throws FailedException when there is no {@code jcmd}, or the process is no JVM of the same
   *     user
   */
  public static long liveBytes(ProcessHandle jvm, Path javaHome) throws InterruptedException {
    Path jcmd = javaHome.resolve("bin").resolve("jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw new FailedException(
          "the heap of the subject is counted by jcmd of a JDK, and there is no " + jcmd);
    }
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      String text = histogram(jcmd, jvm.pid());
      OptionalLong bytes = total(text);
      if (bytes.isEmpty()) {
        throw new FailedException(
            "jcmd tells no heap of process %d: %s"
                .formatted(jvm.pid(), text.lines().reduce((first, last) -> last).orElse("")));
      }
      least = Math.min(least, bytes.getAsLong());
    }
    return least;
  }

  private static String histogram(Path jcmd, long pid) throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
            .redirectErrorStream(true);
    try {
      Process asking = builder.start();
      asking.getOutputStream().close();
      String text = new String(asking.getInputStream().readAllBytes(), UTF_8);
      asking.waitFor();
      return text;
    } catch (IOException e) {
      throw new FailedException("cannot run %s: %s".formatted(jcmd, e.getMessage()), e);
    }
  }

  /** Total bytes of a class histogram; empty when the text has none. */
  static OptionalLong total(String histogram) {
    Matcher total = TOTAL.matcher(histogram.replace("\r", ""));
    return total.find() ? OptionalLong.of(Long.parseLong(total.group(1))) : OptionalLong.empty();
  }
}
