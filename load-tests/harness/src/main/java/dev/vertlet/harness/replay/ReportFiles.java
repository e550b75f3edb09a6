package dev.vertlet.harness.replay;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.replay.report.ReplayPage;
import dev.vertlet.harness.replay.report.ReplayReport;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A replay's report in a directory: JSON, and a page for the browser. */
public final class ReportFiles {
  private static final String JSON = "replay.json";
  private static final String PAGE = "replay.html";

  private ReportFiles() {}

  /**
   * Makes the directory before the replay, so that an hour's replay does not end with a path that
   * cannot be written.
   *
   * @throws IllegalArgumentException when it cannot be a directory that can be written
   */
  public static void require(Path dir) {
    try {
      Files.createDirectories(dir);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "\"%s\" must be a directory that can be made: %s".formatted(dir, e.getMessage()), e);
    }
    if (!Files.isWritable(dir)) {
      throw new IllegalArgumentException(
          "\"%s\" must be a directory that can be written".formatted(dir));
    }
  }

  /**
   * Writes both files.
   *
   * @return the files
   * @throws FailedException when one cannot be written
   */
  public static List<Path> write(Path dir, ReplayReport report) {
    return List.of(
        write(dir.resolve(JSON), report.json().encodePrettily()),
        write(dir.resolve(PAGE), ReplayPage.of(report)));
  }

  private static Path write(Path file, String content) {
    try {
      return Files.writeString(file, content + System.lineSeparator());
    } catch (IOException e) {
      throw new FailedException("cannot write %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /**
   * Reads a report.
   *
   * @param file JSON file, or the directory of one
   * @throws IllegalArgumentException that names the file and what is wrong
   */
  public static ReplayReport read(Path file) {
    Path json = Files.isDirectory(file) ? file.resolve(JSON) : file;
    try {
      return ReplayReport.read(new JsonObject(Files.readString(json)));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("\"%s\" is not there".formatted(json), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "\"%s\" cannot be read: %s".formatted(json, e.getMessage()), e);
    } catch (DecodeException | ClassCastException e) {
      throw new IllegalArgumentException(
          "\"%s\" must be the JSON that replay --report writes".formatted(json), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"%s\" is no report of a replay: %s".formatted(json, e.getMessage()), e);
    }
  }
}
