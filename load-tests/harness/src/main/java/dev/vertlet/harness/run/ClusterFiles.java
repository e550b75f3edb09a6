package dev.vertlet.harness.run;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Files of an embedded cluster, all readable by their owner only.
 *
 * @param kubeconfig kubeconfig of an administrator
 * @param state file for objects and certificates, empty to keep them in memory
 * @param token the administrator's token. It grants all permissions, and every user of the machine
 *     can reach the port
 */
public record ClusterFiles(Path kubeconfig, Optional<Path> state, String token) {
  private static final int TOKEN_BYTES = 16;
  private static final String TOKEN = "[0-9a-f]{%d}".formatted(2 * TOKEN_BYTES);

  /** Files of a cluster that is deleted with its directory. */
  public static ClusterFiles in(RunDir dir) {
    return new ClusterFiles(dir.file("kubeconfig"), Optional.empty(), newToken());
  }

  /**
   * Files of a cluster that can be started again: kubeconfig and token lie beside its state.
   *
   * @throws IllegalArgumentException when the file cannot exist
   * @throws FailedException when it cannot be read or written
   */
  public static ClusterFiles beside(Path stateFile) {
    Path state = stateFile.toAbsolutePath().normalize();
    Path directory = state.getParent();
    if (directory == null || Files.isDirectory(state)) {
      throw new IllegalArgumentException(state + " is a directory and must be a file");
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new IllegalArgumentException(directory + " cannot be made a directory", e);
    }
    if (!Files.isWritable(directory) || (Files.exists(state) && !Files.isReadable(state))) {
      throw new FailedException("the state file " + state + " may not be read and written");
    }
    return new ClusterFiles(
        sibling(state, ".kubeconfig"), Optional.of(state), keptToken(sibling(state, ".token")));
  }

  private static Path sibling(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** Reuses the token of the first start, so that earlier kubeconfigs stay valid. */
  private static String keptToken(Path file) {
    try {
      if (!Files.exists(file)) {
        Kubeconfig.writeSecret(file, newToken() + "\n");
      }
      String token = Files.readString(file).strip();
      if (!token.matches(TOKEN)) {
        throw new FailedException(
            file + " holds no token; delete it for a new one, and old kubeconfigs end to be valid");
      }
      return token;
    } catch (IOException e) {
      throw new FailedException("the token in %s cannot be kept: %s".formatted(file, e), e);
    }
  }

  private static String newToken() {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Hides the token. */
  @Override
  public String toString() {
    return "ClusterFiles[%s, %s]".formatted(kubeconfig, state);
  }
}
