package dev.vertlet.apiserver;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * How an embedded API server starts. Immutable; begin with {@link #defaults()}.
 *
 * @param host address or host name to listen on, loopback unless told otherwise; it is in the URL
 *     and in the certificate
 * @param port port to listen on, 0 for a free one
 * @param tls https with a throw-away CA, else plain http
 * @param http2 HTTP/2 (by ALPN, or cleartext with prior knowledge) beside HTTP/1.1
 * @param tokens bearer tokens that are accepted; empty accepts everyone. The first one written goes
 *     into the kubeconfig
 * @param watchWindow events kept per resource type, at least 1; older revisions answer {@code 410
 *     Expired}
 * @param requestLog requests kept for tests, 0 to keep none
 * @param bookmarkInterval pause between bookmarks
 * @param clock source of timestamps
 * @param random source of UIDs and generated names
 * @param controllers what runs beside the API server
 * @param stateFile where the objects are kept over a restart, empty to keep them in memory alone
 * @param stateInterval shortest pause between two writes of the state file
 * @param nodeConfigs whether Nodes keep {@code spec.configSource} and {@code status.config}, as on
 *     servers before 1.26; later ones keep what there was before alone
 * @param trustBundles whether ClusterTrustBundles are served, as behind a feature gate that is off
 *     by default
 */
public record ApiServerOptions(
    String host,
    int port,
    boolean tls,
    boolean http2,
    Set<String> tokens,
    int watchWindow,
    int requestLog,
    Duration bookmarkInterval,
    Clock clock,
    RandomGenerator random,
    ControllerOptions controllers,
    Optional<Path> stateFile,
    Duration stateInterval,
    boolean nodeConfigs,
    boolean trustBundles) {

  /** The token of {@link #defaults()}. */
  public static final String DEFAULT_TOKEN = "embedded-admin-token";

  public ApiServerOptions {
    tokens = Set.copyOf(tokens);
    if (host.isBlank()) {
      throw new IllegalArgumentException("host must not be blank");
    } else if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be within 0..65535, got " + port);
    } else if (watchWindow < 1) {
      throw new IllegalArgumentException("watchWindow must be at least 1, got " + watchWindow);
    } else if (requestLog < 0) {
      throw new IllegalArgumentException("requestLog must not be negative, got " + requestLog);
    } else if (bookmarkInterval.toMillis() < 1) {
      throw new IllegalArgumentException(
          "bookmarkInterval must be at least 1 ms, got " + bookmarkInterval);
    } else if (stateInterval.toMillis() < 1) {
      throw new IllegalArgumentException(
          "stateInterval must be at least 1 ms, got " + stateInterval);
    }
  }

  /**
   * https with HTTP/2 on a free loopback port, one token, 10,000 events per type, bookmarks every
   * minute, no controllers but the one for namespaces, no state file.
   */
  public static ApiServerOptions defaults() {
    return new ApiServerOptions(
        "127.0.0.1",
        0,
        true,
        true,
        Set.of(DEFAULT_TOKEN),
        10_000,
        100_000,
        Duration.ofMinutes(1),
        Clock.systemUTC(),
        RandomGenerator.getDefault(),
        ControllerOptions.minimal(),
        Optional.empty(),
        Duration.ofSeconds(2),
        false,
        false);
  }

  /**
   * Listens on another address or host name than loopback. Whoever reaches it needs a token, unless
   * there are none; admin calls are still accepted from loopback only.
   */
  public ApiServerOptions withHost(String newHost) {
    return with(draft -> draft.host = newHost);
  }

  public ApiServerOptions withPort(int newPort) {
    return with(draft -> draft.port = newPort);
  }

  /** Plain http instead of https. */
  public ApiServerOptions withPlainHttp() {
    return with(draft -> draft.tls = false);
  }

  /** HTTP/1.1 alone. */
  public ApiServerOptions withHttp1Only() {
    return with(draft -> draft.http2 = false);
  }

  /** Accepts these tokens; none accepts everyone. */
  public ApiServerOptions withTokens(String... newTokens) {
    return with(draft -> draft.tokens = Set.of(newTokens));
  }

  public ApiServerOptions withWatchWindow(int events) {
    return with(draft -> draft.watchWindow = events);
  }

  public ApiServerOptions withRequestLog(int requests) {
    return with(draft -> draft.requestLog = requests);
  }

  public ApiServerOptions withBookmarkInterval(Duration interval) {
    return with(draft -> draft.bookmarkInterval = interval);
  }

  public ApiServerOptions withClock(Clock newClock) {
    return with(draft -> draft.clock = newClock);
  }

  public ApiServerOptions withRandom(RandomGenerator newRandom) {
    return with(draft -> draft.random = newRandom);
  }

  public ApiServerOptions withControllers(ControllerOptions newControllers) {
    return with(draft -> draft.controllers = newControllers);
  }

  /** Keeps objects, revision and certificates in a file; the tokens are not in it. */
  public ApiServerOptions withStateFile(Path file) {
    return with(draft -> draft.stateFile = Optional.of(file));
  }

  public ApiServerOptions withStateInterval(Duration interval) {
    return with(draft -> draft.stateInterval = interval);
  }

  /** As servers that still configured kubelets by their Nodes. */
  public ApiServerOptions withNodeConfigs() {
    return with(draft -> draft.nodeConfigs = true);
  }

  /** Serves {@code certificates.k8s.io/v1beta1} with ClusterTrustBundles. */
  public ApiServerOptions withTrustBundles() {
    return with(draft -> draft.trustBundles = true);
  }

  private ApiServerOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** Options under change: the one place that copies them all. */
  private static final class Draft {
    private String host;
    private int port;
    private boolean tls;
    private boolean http2;
    private Set<String> tokens;
    private int watchWindow;
    private int requestLog;
    private Duration bookmarkInterval;
    private Clock clock;
    private RandomGenerator random;
    private ControllerOptions controllers;
    private Optional<Path> stateFile;
    private Duration stateInterval;
    private boolean nodeConfigs;
    private boolean trustBundles;

    Draft(ApiServerOptions from) {
      host = from.host;
      port = from.port;
      tls = from.tls;
      http2 = from.http2;
      tokens = from.tokens;
      watchWindow = from.watchWindow;
      requestLog = from.requestLog;
      bookmarkInterval = from.bookmarkInterval;
      clock = from.clock;
      random = from.random;
      controllers = from.controllers;
      stateFile = from.stateFile;
      stateInterval = from.stateInterval;
      nodeConfigs = from.nodeConfigs;
      trustBundles = from.trustBundles;
    }

    ApiServerOptions finish() {
      return new ApiServerOptions(
          host,
          port,
          tls,
          http2,
          tokens,
          watchWindow,
          requestLog,
          bookmarkInterval,
          clock,
          random,
          controllers,
          stateFile,
          stateInterval,
          nodeConfigs,
          trustBundles);
    }
  }

  /** Hides the tokens. */
  @Override
  public String toString() {
    return "ApiServerOptions[%s:%d, tls=%s, http2=%s]".formatted(host, port, tls, http2);
  }
}
