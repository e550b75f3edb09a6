package dev.vertlet.sandbox;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Knows what a test tells it. */
public final class FakeResolver implements DigestResolver {
  private final Map<String, String> digests = new HashMap<>();
  private final Map<String, Set<String>> configs = new HashMap<>();
  private boolean broken;

  public FakeResolver knows(String image, String digest) {
    digests.put(image, digest);
    return this;
  }

  public FakeResolver config(String image, String config) {
    configs.put(image, Set.of(config));
    return this;
  }

  /** As one that breaks its promise never to fail. */
  public FakeResolver breaks() {
    broken = true;
    return this;
  }

  @Override
  public Future<Optional<String>> digest(String image, Credentials credentials) {
    return broken
        ? Future.failedFuture("no answer")
        : Future.succeededFuture(Optional.ofNullable(digests.get(image)));
  }

  @Override
  public Future<Set<String>> configDigests(String image, Credentials credentials) {
    return broken
        ? Future.failedFuture("no answer")
        : Future.succeededFuture(configs.getOrDefault(image, Set.of()));
  }
}
