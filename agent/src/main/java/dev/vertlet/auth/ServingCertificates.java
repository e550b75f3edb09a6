package dev.vertlet.auth;

import dev.vertlet.kube.KubeClient;
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
 * The serving certificates of all listeners of an agent: from files, issued by the cluster for each
 * listener, or one that is self-signed. Confined to the event loop that opened it.
 */
public final class ServingCertificates {
  /**
   * Names in the self-signed certificate. It names no node on agents with more: nobody checks names
   * there, and each handshake would carry them all.
   */
  private static final int MOST_NAMES = 64;

  private final Map<String, ServingCertificate> byNode;
  private final List<Runnable> closing;

  private ServingCertificates(Map<String, ServingCertificate> byNode, List<Runnable> closing) {
    this.byNode = byNode;
    this.closing = closing;
  }

  /** How often things are tried and looked at. */
  record Pace(Duration fileLook, Duration selfSignedLook, RequestedCertificate.Pace requested) {
    static final Pace DEFAULT =
        new Pace(FileWatch.INTERVAL, Duration.ofHours(1), RequestedCertificate.Pace.DEFAULT);
  }

  /**
   * Makes them ready.
   *
   * @param directory where certificates are kept that were issued or made
   * @param listeners what each is called; at least one
   * @param all whom a certificate names that is made here, the first of them as its subject
   * @return completes on the current context when each listener has something to show; fails with a
   *     line that names keys and files when the configured ones cannot be used
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

  /** One certificate for all listeners. */
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
   * The one of this node's listener.
   *
   * @throws NullPointerException for a node that is no listener's
   */
  public ServingCertificate of(String node) {
    @Nullable ServingCertificate certificate = byNode.get(node);
    return Objects.requireNonNull(certificate, () -> "no listener is called " + node);
  }

  /** Ends following files and renewing; what is shown stays. */
  public Future<Void> close() {
    closing.forEach(Runnable::run);
    return Future.succeededFuture();
  }
}
