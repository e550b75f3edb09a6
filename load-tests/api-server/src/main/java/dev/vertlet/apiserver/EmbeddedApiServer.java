package dev.vertlet.apiserver;

import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.fault.RequestLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A running embedded API server and everything a test does with it. Any thread; Futures complete on
 * the caller's context.
 */
public final class EmbeddedApiServer {
  private final Vertx vertx;
  private final String deployment;
  private final ApiServerVerticle verticle;
  private final ApiServerOptions options;
  private final Certificates certificates;
  private final Loop loop;
  private final Objects objects;
  private final int port;

  private EmbeddedApiServer(
      Vertx vertx, String deployment, ApiServerVerticle verticle, ApiServerOptions options) {
    this.vertx = vertx;
    this.deployment = deployment;
    this.verticle = verticle;
    this.options = options;
    this.certificates = verticle.certificates();
    this.loop = verticle.loop();
    this.objects = verticle.objects();
    this.port = verticle.port();
  }

  /** Starts a server with {@link ApiServerOptions#defaults()}. */
  public static Future<EmbeddedApiServer> start(Vertx vertx) {
    return start(vertx, ApiServerOptions.defaults());
  }

  /** Starts a server; the Future fails with a {@code BindException} when the port is taken. */
  public static Future<EmbeddedApiServer> start(Vertx vertx, ApiServerOptions options) {
    return vertx
        .executeBlocking(() -> ApiServerVerticle.build(options), false)
        .compose(
            verticle ->
                vertx
                    .deployVerticle(verticle)
                    .map(id -> new EmbeddedApiServer(vertx, id, verticle, options)));
  }

  /** The base URL, without a slash at its end. */
  public String url() {
    String host = options.host();
    return "%s://%s:%d"
        .formatted(
            options.tls() ? "https" : "http", host.contains(":") ? "[" + host + "]" : host, port);
  }

  public int port() {
    return port;
  }

  /** The certificate of the throw-away CA in PEM, empty for plain http. */
  public String caPem() {
    return options.tls() ? certificates.caPem() : "";
  }

  /** One of the tokens the server started with, empty when it accepts everyone. */
  public String token() {
    return options.tokens().stream().sorted().findFirst().orElse("");
  }

  /** A kubeconfig for this server with {@link #token()}. */
  public String kubeconfig() {
    return kubeconfig(token());
  }

  /** A kubeconfig for this server with another token. */
  public String kubeconfig(String token) {
    String ca =
        options.tls()
            ? "\n    certificate-authority-data: "
                + Base64.getEncoder()
                    .encodeToString(certificates.caPem().getBytes(StandardCharsets.UTF_8))
            : "";
    String user = token.isEmpty() ? "{}" : "\n    token: " + token;
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: embedded
          cluster:
            server: %s%s
        users:
        - name: admin
          user: %s
        contexts:
        - name: embedded
          context:
            cluster: embedded
            user: admin
        current-context: embedded
        """
        .formatted(url(), ca, user);
  }

  /**
   * Writes {@link #kubeconfig()} to a file that its owner alone can read, in place of what is
   * there.
   */
  public Future<Path> writeKubeconfig(Path file) {
    return vertx.executeBlocking(() -> writeSecret(file, kubeconfig()), false);
  }

  /** At no time can others read it, whatever the umask and the mode of a file that is there. */
  private static Path writeSecret(Path file, String content) throws IOException {
    Path target = file.toAbsolutePath();
    Path directory = Optional.ofNullable(target.getParent()).orElseThrow();
    Path temporary = Files.createTempFile(directory, ".kubeconfig", ".tmp"); // has mode 600
    try {
      Files.writeString(temporary, content);
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    return file;
  }

  /** Accepts these tokens and no others from the next request on; none accepts everyone. */
  public void acceptTokens(String... tokens) {
    verticle.authenticator().accept(Set.of(tokens));
  }

  /** The objects, for a test that plays kubectl. */
  public Objects objects() {
    return objects;
  }

  /** Scripted misbehaviour. */
  public Faults faults() {
    return verticle.faults();
  }

  /** The log of requests. */
  public RequestLog log() {
    return verticle.log();
  }

  /** Requests so far, in order of arrival. */
  public List<ApiRequest> requests() {
    return verticle.log().requests();
  }

  /** How many requests so far match. */
  public long count(Predicate<ApiRequest> matching) {
    return verticle.log().count(matching);
  }

  /**
   * How many requests so far had this verb on this {@code resource} or {@code
   * resource/subresource}.
   */
  public long count(String verb, String resource) {
    return count(request -> request.is(verb, resource));
  }

  /** How many watches run. */
  public Future<Integer> openWatches() {
    return loop.call(() -> verticle.watches().size());
  }

  /** How many connections of clients are tunnelled to kubelets. */
  public Future<Integer> openTunnels() {
    return loop.call(verticle::tunnels);
  }

  /** Breaks every running watch; their number. */
  public Future<Integer> cutWatches() {
    return loop.call(() -> verticle.watches().cutAll());
  }

  /** Closes every connection; their number. */
  public Future<Integer> cutConnections() {
    return loop.call(verticle::cutConnections);
  }

  /**
   * Forgets the history: a watch that resumes from any revision so far gets {@code 410 Expired}.
   */
  public Future<Void> expireWatchWindow() {
    return run(() -> verticle.store().compact());
  }

  /** Sends a bookmark to every watch that asked for them. */
  public Future<Void> sendBookmarks() {
    return run(() -> verticle.watches().bookmarkAll());
  }

  private Future<Void> run(Runnable task) {
    return loop.<Boolean>call(
            () -> {
              task.run();
              return true;
            })
        .mapEmpty();
  }

  /** Goes down as a killed server does: the port and every connection close, objects stay. */
  public Future<Void> suspend() {
    return loop.call(verticle::close).compose(closing -> closing);
  }

  /** Comes back on the same port with the same objects. */
  public Future<Void> resume() {
    return loop.call(verticle::listen).compose(listening -> listening);
  }

  /** Ends the server for good. */
  public Future<Void> stop() {
    return vertx.undeploy(deployment);
  }
}
