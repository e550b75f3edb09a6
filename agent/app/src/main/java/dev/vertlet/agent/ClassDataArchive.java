package dev.vertlet.agent;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether this JVM uses the class-data archive that it was given. Only the start time
 * depends on it, so its absence has to be logged to be noticed.
 */
final class ClassDataArchive {
  /** Set by the image and by {@code ./vertlet}: the file of {@code -XX:SharedArchiveFile}. */
  private static final String FILE = "vertlet.classDataArchive";

  private ClassDataArchive() {}

  /**
   * Returns the archive that is named but not in use: it is missing, or made for another Java,
   * other jars or other options. A JVM with a named archive uses that one or none.
   *
   * @param properties system properties by name
   * @return the archive's file; empty if it is in use or none was named
   */
  static Optional<String> unused(Function<String, @Nullable String> properties) {
    String file = properties.apply(FILE);
    String jvm = properties.apply("java.vm.info");
    return file == null || (jvm != null && jvm.contains("sharing"))
        ? Optional.empty()
        : Optional.of(file);
  }
}
