package dev.vertlet.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code vertlet data-dir DIR}. Images without a shell have no {@code chown}, and an init container
 * with another image would be one more to trust as root.
 */
@Command(
    name = "data-dir",
    mixinStandardHelpOptions = true,
    description =
        "Hands a directory to the user that agents run as: for an init container with the"
            + " capability CHOWN. What is in it stays as it is.")
final class DataDirCommand implements Runnable {
  @Option(
      names = "--owner",
      paramLabel = "ID",
      required = true,
      description = "Number of the user and of its group.")
  private int owner;

  @Parameters(paramLabel = "DIR", description = "The directory, agent.dataDir.")
  private Path directory = Path.of("");

  @Override
  public void run() {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new FailedException(directory + " must be a directory");
    }
    try {
      Map<String, Object> now =
          Files.readAttributes(directory, "unix:uid,gid", LinkOption.NOFOLLOW_LINKS);
      if (!now.equals(Map.of("uid", owner, "gid", owner))) {
        Files.setAttribute(directory, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(directory, "unix:gid", owner, LinkOption.NOFOLLOW_LINKS);
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new FailedException(
          "%s cannot be handed to user %d: %s".formatted(directory, owner, e.getMessage()), e);
    }
  }
}
