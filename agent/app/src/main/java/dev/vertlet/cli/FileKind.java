package dev.vertlet.cli;

import dev.vertlet.config.document.ConfigException;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of file besides configurations that {@code vertlet validate} checks; found with {@link
 * ServiceLoader}. Reads files; not for event loops.
 */
public interface FileKind {
  /** Name of the kind in messages, for example {@code scenario}. */
  String name();

  /** Whether a JSON file is of this kind, judged by its keys. */
  boolean matches(JsonObject document);

  /**
   * Checks a file of this kind.
   *
   * @return one line that describes its content
   * @throws ConfigException with every mistake, each with its JSON pointer
   */
  String check(Path file);

  /** Returns the kind of a file; empty for a configuration or an unreadable file. */
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
