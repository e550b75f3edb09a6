package dev.vertlet.host.files;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Files in which a provider keeps its state. Every method blocks. */
public final class StateFiles {
  private StateFiles() {}

  /** Replaces a file; of several writers at a time one wins. */
  public static void write(Path file, String text) throws IOException {
    Path part = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".new");
    try {
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Replaces a file, as above. */
  public static void write(Path file, JsonObject json) throws IOException {
    write(file, json.encode());
  }

  /** Reads a file; null if there is none. */
  public static @Nullable JsonObject read(Path file) throws IOException {
    try {
      return new JsonObject(Files.readString(file));
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
