package dev.vertlet.agent;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether this JVM uses the class-data archive that whoever started it named: nothing but the time
 * of a start depends on it, so it must be told or nobody notices.
 */
final class ClassDataArchive {
  /** Set by the image and by {@code ./vertlet}: the file of {@code -XX:SharedArchiveFile}. */
  private static final String FILE = "vertlet.classDataArchive";

  private ClassDataArchive() {}

  /**
   * The archive that is named but not in use: it is not there, or it is of another Java, of other
   * jars or of other options. A JVM that was given an archive takes that one or none.
   *
   * @param properties those of the system
   * @return its file; empty: it is in use, or none was named
   */
  static Optional<String> unused(Function<String, @Nullable String> properties) {
    String file = properties.apply(FILE);
    String jvm = properties.apply("java.vm.info");
    return file == null || (jvm != null && jvm.contains("sharing"))
        ? Optional.empty()
        : Optional.of(file);
  }
}
