package dev.vertlet.harness.loopback;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.certificates.Identity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubeconfig of one cluster and one user, with all credentials embedded.
 *
 * @param yaml text of the file
 */
public record Kubeconfig(String yaml) {
  private static final Pattern SERVER = Pattern.compile("server: \"([^\"]+)\"");

  /** Creates a kubeconfig with a bearer token. */
  public static Kubeconfig withToken(URI server, String caPem, String token) {
    return of(server, caPem, "token: " + token);
  }

  /** Creates a kubeconfig with a client certificate. */
  public static Kubeconfig withCertificate(URI server, String caPem, Identity client) {
    return of(
        server,
        caPem,
        "client-certificate-data: %s, client-key-data: %s"
            .formatted(base64(client.certificatePem()), base64(client.privateKeyPem())));
  }

  private static Kubeconfig of(URI server, String caPem, String user) {
    return new Kubeconfig(
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: vertlet, cluster: {server: "%s", certificate-authority-data: %s}}]
        users: [{name: admin, user: {%s}}]
        contexts: [{name: vertlet, context: {cluster: vertlet, user: admin}}]
        current-context: vertlet
        """
            .formatted(server, base64(caPem), user));
  }

  /** Writes or replaces the file, readable by its owner only. Returns the file. */
  public Path writeTo(Path file) throws IOException {
    return writeSecret(file, yaml);
  }

  /** Server in a file of {@link #writeTo}; empty when the file does not exist. */
  public static Optional<URI> server(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Matcher matcher = SERVER.matcher(Files.readString(file));
    return matcher.find() ? Optional.of(URI.create(matcher.group(1))) : Optional.empty();
  }

  @Override
  public String toString() {
    return "Kubeconfig[…]";
  }

  /** Writes a file that only its owner can read. Returns the file. */
  public static Path writeSecret(Path file, String content) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, content);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
