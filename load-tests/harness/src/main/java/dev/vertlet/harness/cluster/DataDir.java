package dev.vertlet.harness.cluster;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Folder of one control plane: keys, certificates and tokens (reused by the next start), etcd's
 * data, process ids and, by default, logs. A file lock keeps a second control plane out.
 */
final class DataDir implements AutoCloseable {
  /** Name of the client certificate with which the API server calls aggregated APIs. */
  static final String FRONT_PROXY = "front-proxy-client";

  private static final String ADMIN = "admin";
  private static final String AUTHORITY = "ca";

  /** Group with all permissions on every Kubernetes cluster. */
  private static final String ADMINS = "system:masters";

  private final Path root;
  private final Path logs;
  private final boolean temporary;
  private final FileChannel lock;

  private DataDir(Path root, Path logs, boolean temporary, FileChannel lock) {
    this.root = root;
    this.logs = logs;
    this.temporary = temporary;
    this.lock = lock;
  }

  /** Creates or reopens the folder that the options name, or a temporary one. */
  static DataDir open(ControlPlaneOptions options) throws IOException {
    Path wanted = options.dataDir();
    Path root =
        wanted == null
            ? Files.createTempDirectory("vertlet-control-plane-")
            : Files.createDirectories(wanted.toAbsolutePath());
    Path logs =
        options.logDir() == null
            ? root
            : Files.createDirectories(options.logDir().toAbsolutePath());
    DataDir dir = new DataDir(root, logs, wanted == null, lock(root));
    try {
      dir.createKeys();
      dir.createFrontProxyKeys();
    } catch (IOException e) {
      dir.close();
      throw e;
    }
    return dir;
  }

  private static FileChannel lock(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException heldInThisProcess) {
      // same error as for a lock that another process holds
    }
    channel.close();
    throw new ControlPlaneException(
        root + " is in use by another control plane; give this one a directory of its own");
  }

  private void createKeys() throws IOException {
    Path last = pki("tokens.csv");
    if (Files.exists(last)) {
      return;
    }
    Files.createDirectories(root.resolve("pki"));
    CertificateAuthority authority =
        CertificateAuthority.create("vertlet-control-plane", Clock.systemUTC());
    write(AUTHORITY, authority.identity());
    write(
        "server",
        authority.issueServer("kube-apiserver", serviceNames(), List.of("127.0.0.1", "10.0.0.1")));
    write("kubelet-client", authority.issueClient("kube-apiserver-kubelet-client", ADMINS));
    write(ADMIN, authority.issueClient(ADMIN, ADMINS));
    write("service-account", Identity.signingKey());
    byte[] token = new byte[16];
    new SecureRandom().nextBytes(token);
    Kubeconfig.writeSecret(
        last, "%s,%s,%s,%s%n".formatted(HexFormat.of().formatHex(token), ADMIN, ADMIN, ADMINS));
  }

  /**
   * Creates the keys by which servers of aggregated APIs recognize requests from the API server.
   * They have their own authority; otherwise every client certificate would be accepted. A
   * directory of an earlier version gets them, too.
   */
  private void createFrontProxyKeys() throws IOException {
    Path last = pki(FRONT_PROXY + ".key");
    if (Files.exists(last)) {
      return;
    }
    CertificateAuthority authority =
        CertificateAuthority.create("vertlet-front-proxy", Clock.systemUTC());
    Files.writeString(pki("front-proxy-ca.crt"), authority.certificatePem());
    write(FRONT_PROXY, authority.issueClient(FRONT_PROXY, ""));
  }

  private static List<String> serviceNames() {
    return List.of("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc");
  }

  private void write(String name, Identity identity) throws IOException {
    Files.writeString(pki(name + ".crt"), identity.certificatePem());
    Kubeconfig.writeSecret(pki(name + ".key"), identity.privateKeyPem());
  }

  /** File with a key, a certificate or tokens. */
  Path pki(String name) {
    return root.resolve("pki").resolve(name);
  }

  Path file(String name) {
    return root.resolve(name);
  }

  Path log(String program) {
    return logs.resolve(program + ".log");
  }

  Path pid(String program) {
    return root.resolve(program + ".pid");
  }

  Path root() {
    return root;
  }

  boolean isTemporary() {
    return temporary;
  }

  String caPem() throws IOException {
    return Files.readString(pki(AUTHORITY + ".crt"));
  }

  /** Bearer token of the administrator. */
  String token() throws IOException {
    return Files.readString(pki("tokens.csv")).split(",", 2)[0];
  }

  Identity admin() throws IOException {
    return identity(ADMIN);
  }

  /** Authority of the API server's certificate and of its clients' certificates. */
  Identity authority() throws IOException {
    return identity(AUTHORITY);
  }

  private Identity identity(String name) throws IOException {
    return new Identity(Files.readString(pki(name + ".crt")), Files.readString(pki(name + ".key")));
  }

  /** Releases the lock; deletes a temporary folder. */
  @Override
  public void close() throws IOException {
    lock.close();
    if (temporary) {
      delete(root);
    }
  }

  /** Deletes a folder and its contents; does nothing when it does not exist. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
