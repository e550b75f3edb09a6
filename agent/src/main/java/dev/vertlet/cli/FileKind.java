package dev.vertlet.cli;

import dev.vertlet.config.ConfigException;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of file beside configurations that {@code vertlet validate} checks; found with {@link
 * ServiceLoader}. Reads files; not for event loops.
 */
public interface FileKind {
  /** What messages call it, for example {@code scenario}. */
  String name();

  /** Whether a JSON file is of this kind, going by its keys. */
  boolean matches(JsonObject document);

  /**
   * Checks a file of this kind.
   *
   * @return one line that says what it holds
   * @throws ConfigException with every mistake, each with its JSON pointer
   */
  String check(Path file);

  /** The kind of a file; empty for a configuration, and for one that nobody can read. */
  static Optional<FileKind> of(Path file) {
    try {
      JsonObject document = new JsonObject(Files.readString(file));
      return ServiceLoader.load(FileKind.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(kind -> kind.matches(document))
          .findFirst();
    } catch (IOException | DecodeException e) {
      return Optional.empty();
    }
  }
}
