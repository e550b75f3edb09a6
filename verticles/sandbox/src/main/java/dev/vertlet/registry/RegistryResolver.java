package dev.vertlet.registry;

import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.ConcurrencyLimit;
import dev.vertlet.model.ImageReference;
import dev.vertlet.registry.RegistryClient.Answer;
import dev.vertlet.sandbox.DigestResolver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.TrustOptions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link DigestResolver} that asks the registries. Caches the digest of a tag for all callers, and
 * a failure for callers with the same secrets. Confined to one context.
 */
public final class RegistryResolver implements DigestResolver {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryResolver.class);

  /** Maximum number of cache entries, of some hundred bytes each. */
  private static final int MOST_REMEMBERED = 10_000;

  /**
   * Maximum number of registries that are asked concurrently: each has a queue of its own and may
   * be silent for long.
   */
  static final int MOST_BUSY = 256;

  private record Known<T>(T value, Instant until) {}

  private final ResolverOptions options;
  private final RegistryClient client;
  private final PullSecrets secrets;
  private final Clock clock;
  private final Map<String, ConcurrencyLimit> gates = new HashMap<>();
  private final Map<String, Known<String>> digests = new LinkedHashMap<>();
  private final Map<String, Known<Set<String>>> configs = new LinkedHashMap<>();
  private final Map<String, Instant> silent = new LinkedHashMap<>();
  private final Map<String, Future<?>> onTheirWay = new HashMap<>();

  /**
   * Creates a resolver.
   *
   * @param kube reads image pull secrets
   */
  public RegistryResolver(Vertx vertx, ResolverOptions options, KubeClient kube, Clock clock) {
    this(vertx, options, new KubePullSecrets(kube), null, clock);
  }

  RegistryResolver(
      Vertx vertx,
      ResolverOptions options,
      PullSecrets secrets,
      @Nullable TrustOptions authorities,
      Clock clock) {
    this.options = options;
    this.client = new RegistryClient(vertx, options, authorities, clock);
    this.secrets = secrets;
    this.clock = clock;
  }

  @Override
  public Future<Optional<String>> digest(String image, Credentials credentials) {
    ImageReference reference;
    try {
      reference = ImageReference.parse(image);
    } catch (IllegalArgumentException e) {
      return Future.succeededFuture(Optional.empty());
    }
    if (!reference.digest().isEmpty()) {
      return Future.succeededFuture(Optional.of(reference.digest()));
    }
    if (!options.allows(reference.registry())) {
      return Future.succeededFuture(Optional.empty());
    }
    String key = reference.toString();
    Known<String> known = digests.get(key);
    if (known != null && clock.instant().isBefore(known.until)) {
      return Future.succeededFuture(Optional.of(known.value));
    }
    return ask(
            "digest " + key,
            credentials,
            () ->
                each(reference, credentials, login -> head(reference, login))
                    .onSuccess(digest -> remember(digests, key, digest)))
        .map(Optional::of)
        .otherwise(Optional.empty());
  }

  /** Requests the digest; a registry that does not send it must send the manifest. */
  private Future<String> head(ImageReference image, Login login) {
    return client
        .manifest(HttpMethod.HEAD, image, image.selector(), login)
        .compose(
            answer ->
                answer.digest().isEmpty()
                    ? client
                        .manifest(HttpMethod.GET, image, image.selector(), login)
                        .map(RegistryResolver::digest)
                    : Future.succeededFuture(answer.digest()));
  }

  private static String digest(Answer answer) {
    return answer.digest().isEmpty() ? Manifest.digest(answer.body()) : answer.digest();
  }

  @Override
  public Future<Set<String>> configDigests(String image, Credentials credentials) {
    String bare = image.substring(image.lastIndexOf("://") < 0 ? 0 : image.lastIndexOf("://") + 3);
    if (bare.startsWith("sha256:")) {
      // runtimes report only the configuration of an image that came from no registry
      return Future.succeededFuture(ImageReference.digestOf(bare).map(Set::of).orElse(Set.of()));
    }
    ImageReference reference;
    try {
      reference = ImageReference.parse(bare);
    } catch (IllegalArgumentException e) {
      return Future.succeededFuture(Set.of());
    }
    if (!options.allows(reference.registry())) {
      return Future.succeededFuture(Set.of());
    }
    String key = reference.toString();
    Known<Set<String>> known = configs.get(key);
    if (known != null && clock.instant().isBefore(known.until)) {
      return Future.succeededFuture(known.value);
    }
    return ask(
            "config " + key,
            credentials,
            () ->
                each(reference, credentials, login -> content(reference, login))
                    .onSuccess(found -> remember(configs, key, found)))
        .otherwise(Set.of());
  }

  private Future<Set<String>> content(ImageReference image, Login login) {
    return manifest(image, image.selector(), login)
        .compose(
            manifest -> {
              Set<String> found = new HashSet<>();
              if (!manifest.config().isEmpty()) {
                found.add(manifest.config());
              }
              List<Future<Manifest>> children = new ArrayList<>();
              manifest.children().forEach(c -> children.add(manifest(image, c, login)));
              return Future.join(children)
                  .transform(
                      v -> {
                        for (Future<Manifest> child : children) {
                          if (child.succeeded() && !child.result().config().isEmpty()) {
                            found.add(child.result().config());
                          }
                        }
                        return Future.succeededFuture(found);
                      });
            });
  }

  private Future<Manifest> manifest(ImageReference image, String selector, Login login) {
    return client
        .manifest(HttpMethod.GET, image, selector, login)
        .map(answer -> Manifest.parse(answer.body()));
  }

  /** Tries the logins in order; returns the first answer. */
  private <T> Future<T> each(
      ImageReference image, Credentials credentials, Function<Login, Future<T>> question) {
    return secrets
        .read(credentials)
        .compose(keyring -> pass(image.registry(), () -> each(keyring.logins(image), 0, question)))
        .onFailure(
            failure ->
                LOG.atDebug()
                    .addKeyValue("image", image)
                    .addKeyValue("error", failure.getMessage())
                    .log("registry did not resolve an image"));
  }

  /**
   * Limits the requests per registry. Users choose the registries, through their images: an idle
   * registry is forgotten.
   */
  private <T> Future<T> pass(String registry, Supplier<Future<T>> task) {
    if (gates.size() >= MOST_BUSY && !gates.containsKey(registry)) {
      return Future.failedFuture(
          new RegistryException(MOST_BUSY + " other registries are being asked"));
    }
    ConcurrencyLimit gate =
        gates.computeIfAbsent(registry, r -> new ConcurrencyLimit(options.perRegistry()));
    return gate.run(task)
        .onComplete(
            done -> {
              if (gate.isIdle()) {
                gates.remove(registry, gate);
              }
            });
  }

  /** Number of registries with requests in progress. */
  int busy() {
    return gates.size();
  }

  private static <T> Future<T> each(
      List<Login> logins, int next, Function<Login, Future<T>> question) {
    return question
        .apply(logins.get(next))
        .recover(
            failure ->
                next + 1 < logins.size()
                    ? each(logins, next + 1, question)
                    : Future.failedFuture(failure));
  }

  /** Sends each request once at a time, and not again for a while after a failure. */
  @SuppressWarnings("unchecked") // the key determines the type
  private <T> Future<T> ask(String question, Credentials credentials, Supplier<Future<T>> asking) {
    String key = question + " " + credentials;
    Future<?> asked = onTheirWay.get(key);
    if (asked != null) {
      return (Future<T>) asked;
    }
    Instant until = silent.get(key);
    if (until != null && clock.instant().isBefore(until)) {
      return Future.failedFuture(new RegistryException("asked a moment ago"));
    }
    Future<T> fresh = asking.get();
    if (!fresh.isComplete()) {
      onTheirWay.put(key, fresh);
    }
    return fresh.onComplete(
        done -> {
          onTheirWay.remove(key);
          if (done.failed()) {
            bounded(silent).put(key, clock.instant().plus(options.negativeTtl()));
          } else {
            silent.remove(key);
          }
        });
  }

  private <T> void remember(Map<String, Known<T>> known, String key, T value) {
    known.remove(key);
    bounded(known).put(key, new Known<>(value, clock.instant().plus(options.positiveTtl())));
  }

  private static <T> Map<String, T> bounded(Map<String, T> map) {
    if (map.size() >= MOST_REMEMBERED) {
      map.remove(map.keySet().iterator().next());
    }
    return map;
  }

  /** Closes all connections. */
  public Future<Void> close() {
    return client.close();
  }
}
