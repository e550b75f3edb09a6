package dev.vertlet.auth.tls;

import dev.vertlet.auth.file.FileWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serving certificates of all listeners: from files, issued by the cluster per listener, or
 * self-signed. Confined to the event loop that opened it.
 */
public final class ServingCertificates {
  /**
   * Names in the self-signed certificate. With more nodes it names none: clients of such an agent
   * do not verify names, and each handshake would carry them all.
   */
  private static final int MOST_NAMES = 64;

  private final Map<String, ServingCertificate> byNode;
  private final List<Runnable> closing;

  private ServingCertificates(Map<String, ServingCertificate> byNode, List<Runnable> closing) {
    this.byNode = byNode;
    this.closing = closing;
  }

  public record Pace(
      Duration fileLook, Duration selfSignedLook, RequestedCertificate.Pace requested) {
    static final Pace DEFAULT =
        new Pace(FileWatch.INTERVAL, Duration.ofHours(1), RequestedCertificate.Pace.DEFAULT);
  }

  /**
   * Prepares the certificates.
   *
   * @param directory directory for issued and created certificates
   * @param listeners names of each listener; at least one
   * @param all names in a self-signed certificate, the first as its subject
   * @return completes on the current context when each listener has a certificate; fails with a
   *     line that names keys and files when the configured ones are invalid
   */
  public static Future<ServingCertificates> open(
      Vertx vertx,
      ServingTls config,
      Path directory,
      KubeClient kube,
      List<ServingNames> listeners,
      List<ServingNames> all,
      Env env) {
    return open(vertx, config, directory, kube, listeners, all, env, Pace.DEFAULT);
  }

  static Future<ServingCertificates> open(
      Vertx vertx,
      ServingTls config,
      Path directory,
      KubeClient kube,
      List<ServingNames> listeners,
      List<ServingNames> all,
      Env env,
      Pace pace) {
    Path certificate = config.tlsCertFile();
    Path key = config.tlsPrivateKeyFile();
    if (certificate != null && key != null) {
      return CertificateFiles.follow(vertx, ServerFiles.SECTION, certificate, key, pace.fileLook)
          .map(files -> same(listeners, files.keys(), files::close));
    }
    Pki pki = new Pki(directory);
    SelfSigned selfSigned =
        new SelfSigned(vertx, pki, together(all), env.clock(), env.random(), pace.selfSignedLook);
    ServingKeyManager keys = new ServingKeyManager(selfSigned::get);
    if (!config.serverTLSBootstrap()) {
      selfSigned.follow(keys);
      return Future.succeededFuture(same(listeners, keys, selfSigned::close));
    }
    return requested(vertx, pki, kube, listeners, keys, env, pace.requested);
  }

  private static ServingCertificates same(
      List<ServingNames> listeners, ServingKeyManager keys, Runnable close) {
    ServingCertificate certificate = new ServingCertificate(keys);
    Map<String, ServingCertificate> byNode = new LinkedHashMap<>();
    listeners.forEach(listener -> byNode.put(listener.node(), certificate));
    return new ServingCertificates(byNode, List.of(close));
  }

  private static Future<ServingCertificates> requested(
      Vertx vertx,
      Pki pki,
      KubeClient kube,
      List<ServingNames> listeners,
      ServingKeyManager meanwhile,
      Env env,
      RequestedCertificate.Pace pace) {
    Map<String, ServingCertificate> byNode = new LinkedHashMap<>();
    List<Runnable> closing = new ArrayList<>();
    List<Future<Void>> started = new ArrayList<>();
    for (ServingNames listener : listeners) {
      ServingKeyManager keys = new ServingKeyManager(meanwhile::current);
      RequestedCertificate requested =
          new RequestedCertificate(vertx, kube, pki, listener, keys, env, pace);
      byNode.put(listener.node(), new ServingCertificate(keys));
      closing.add(requested::close);
      started.add(requested.start());
    }
    return Future.all(started).map(done -> new ServingCertificates(byNode, closing));
  }

  /** Merges the names of all listeners for one certificate. */
  private static ServingNames together(List<ServingNames> listeners) {
    Set<String> hostNames = new LinkedHashSet<>();
    Set<String> addresses = new LinkedHashSet<>();
    for (ServingNames listener : listeners) {
      hostNames.addAll(listener.hostNames());
      addresses.addAll(listener.addresses());
    }
    return new ServingNames(
        listeners.get(0).node(),
        hostNames.size() > MOST_NAMES && !addresses.isEmpty() ? List.of() : List.copyOf(hostNames),
        addresses.stream().limit(MOST_NAMES).toList());
  }

  /**
   * Returns the certificate of this node's listener.
   *
   * @throws NullPointerException for a node without a listener
   */
  public ServingCertificate of(String node) {
    @Nullable ServingCertificate certificate = byNode.get(node);
    return Objects.requireNonNull(certificate, () -> "no listener is called " + node);
  }

  /** Stops watching files and renewing; the certificates stay in use. */
  public Future<Void> close() {
    closing.forEach(Runnable::run);
    return Future.succeededFuture();
  }
}
