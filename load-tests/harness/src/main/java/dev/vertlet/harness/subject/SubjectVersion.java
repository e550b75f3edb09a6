package dev.vertlet.harness.subject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.config.process.BuildInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Version of a subject.
 *
 * @param text one line for display; empty if unknown
 * @param trouble reason why the version command failed; empty for none
 */
public record SubjectVersion(String text, String trouble) {
  /** Time limit of the version command, which normally ends at once. */
  private static final int PATIENCE_SECONDS = 10;

  /** Limit of the text's length. */
  private static final int LONGEST = 200;

  /** File for output and errors, because some programs print their version as an error. */
  private static final String OUTPUT = "version.log";

  private static final SubjectVersion NONE = new SubjectVersion("", "");

  /**
   * Runs a peer's version command, which blocks for at most {@value #PATIENCE_SECONDS} s; vertlet
   * has the version of the load test.
   *
   * @throws InterruptedException when the wait is interrupted; the command has ended then
   */
  public static SubjectVersion of(SubjectSpec spec, SubjectEnvironment where)
      throws InterruptedException {
    if (spec instanceof SubjectSpec.Program program) {
      return program.peer().version().isEmpty() ? NONE : ask(program.peer(), where);
    }
    BuildInfo build = BuildInfo.get();
    String commit = build.commit().isEmpty() ? "" : " (%s)".formatted(build.commit());
    return new SubjectVersion("vertlet " + build.version() + commit, "");
  }

  private static SubjectVersion ask(Peer peer, SubjectEnvironment where)
      throws InterruptedException {
    try {
      return new SubjectVersion(
          firstLine(PeerCommand.version(peer, where), where.dir().file(OUTPUT)), "");
    } catch (IOException | FailedException | IllegalArgumentException e) {
      return new SubjectVersion(
          "", "the version of %s is not known: %s".formatted(peer.name(), e.getMessage()));
    }
  }

  private static String firstLine(CommandLine command, Path output)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command.words())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(Path.of("/dev/null").toFile());
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    Process process = builder.start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, SECONDS)) {
        throw new IOException(
            "%s does not end within %d s".formatted(command.words().get(0), PATIENCE_SECONDS));
      }
    } finally {
      process.destroyForcibly();
    }
    Optional<String> line =
        new String(Files.readAllBytes(output), UTF_8)
            .lines()
            .map(String::strip)
            .filter(text -> !text.isEmpty())
            .findFirst();
    if (process.exitValue() != 0) {
      throw new IOException(
          "%s ends with exit code %d%s"
              .formatted(
                  command.words().get(0),
                  process.exitValue(),
                  line.map(text -> " and says: " + cut(text)).orElse("")));
    }
    return line.map(SubjectVersion::cut)
        .orElseThrow(() -> new IOException(command.words().get(0) + " says nothing"));
  }

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
