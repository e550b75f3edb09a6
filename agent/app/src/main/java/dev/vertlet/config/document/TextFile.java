package dev.vertlet.config.document;

import dev.vertlet.problem.Problem;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads text files. Blocks: not for event loops. */
public final class TextFile {
  private TextFile() {}

  /**
   * Reads the whole file.
   *
   * @throws ConfigException with the reason why it cannot be read
   */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw unreadable(file, "no such file");
    } catch (AccessDeniedException e) {
      throw unreadable(file, "permission denied");
    } catch (CharacterCodingException e) {
      throw unreadable(file, "not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(
          file, Files.isDirectory(file) ? "it is a directory" : String.valueOf(e.getMessage()));
    }
  }

  private static ConfigException unreadable(Path file, String reason) {
    return new ConfigException(Problem.about(file.toString(), "cannot be read: " + reason));
  }
}
