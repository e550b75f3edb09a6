package dev.vertlet.apiserver;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
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
    Duration stateInterval) {

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
        Duration.ofSeconds(2));
  }

  /**
   * Listens on another address or host name than loopback. Whoever reaches it needs a token, unless
   * there are none; admin calls are still accepted from loopback only.
   */
  public ApiServerOptions withHost(String newHost) {
    return new ApiServerOptions(
        newHost,
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
        stateInterval);
  }

  public ApiServerOptions withPort(int newPort) {
    return new ApiServerOptions(
        host,
        newPort,
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
        stateInterval);
  }

  /** Plain http instead of https. */
  public ApiServerOptions withPlainHttp() {
    return new ApiServerOptions(
        host,
        port,
        false,
        http2,
        tokens,
        watchWindow,
        requestLog,
        bookmarkInterval,
        clock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  /** HTTP/1.1 alone. */
  public ApiServerOptions withHttp1Only() {
    return new ApiServerOptions(
        host,
        port,
        tls,
        false,
        tokens,
        watchWindow,
        requestLog,
        bookmarkInterval,
        clock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  /** Accepts these tokens; none accepts everyone. */
  public ApiServerOptions withTokens(String... newTokens) {
    return new ApiServerOptions(
        host,
        port,
        tls,
        http2,
        Set.of(newTokens),
        watchWindow,
        requestLog,
        bookmarkInterval,
        clock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  public ApiServerOptions withWatchWindow(int events) {
    return new ApiServerOptions(
        host,
        port,
        tls,
        http2,
        tokens,
        events,
        requestLog,
        bookmarkInterval,
        clock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  public ApiServerOptions withRequestLog(int requests) {
    return new ApiServerOptions(
        host,
        port,
        tls,
        http2,
        tokens,
        watchWindow,
        requests,
        bookmarkInterval,
        clock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  public ApiServerOptions withBookmarkInterval(Duration interval) {
    return new ApiServerOptions(
        host,
        port,
        tls,
        http2,
        tokens,
        watchWindow,
        requestLog,
        interval,
        clock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  public ApiServerOptions withClock(Clock newClock) {
    return new ApiServerOptions(
        host,
        port,
        tls,
        http2,
        tokens,
        watchWindow,
        requestLog,
        bookmarkInterval,
        newClock,
        random,
        controllers,
        stateFile,
        stateInterval);
  }

  public ApiServerOptions withRandom(RandomGenerator newRandom) {
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
        newRandom,
        controllers,
        stateFile,
        stateInterval);
  }

  public ApiServerOptions withControllers(ControllerOptions newControllers) {
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
        newControllers,
        stateFile,
        stateInterval);
  }

  /** Keeps objects, revision and certificates in a file; the tokens are not in it. */
  public ApiServerOptions withStateFile(Path file) {
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
        Optional.of(file),
        stateInterval);
  }

  public ApiServerOptions withStateInterval(Duration interval) {
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
        interval);
  }

  /** Hides the tokens. */
  @Override
  public String toString() {
    return "ApiServerOptions[%s:%d, tls=%s, http2=%s]".formatted(host, port, tls, http2);
  }
}
