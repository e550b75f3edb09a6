package dev.vertlet.registry;

import java.time.Duration;
import java.util.Set;

/**
 * How registries are asked.
 *
 * @param positiveTtl how long it is believed what a tag stands for
 * @param negativeTtl how long a registry that did not tell is not asked again
 * @param perRegistry questions to one registry at once
 * @param timeout for each answer, its last byte included
 * @param plainHttp registries, host and port, that are asked without TLS
 * @param registries those that are asked at all, host and port; empty for any
 */
public record ResolverOptions(
    Duration positiveTtl,
    Duration negativeTtl,
    int perRegistry,
    Duration timeout,
    Set<String> plainHttp,
    Set<String> registries) {
  /** A day, half a minute, eight, ten seconds, none, any. */
  public static final ResolverOptions DEFAULTS =
      new ResolverOptions(
          Duration.ofHours(24),
          Duration.ofSeconds(30),
          8,
          Duration.ofSeconds(10),
          Set.of(),
          Set.of());

  public ResolverOptions {
    plainHttp = Set.copyOf(plainHttp);
    registries = Set.copyOf(registries);
  }

  public ResolverOptions withPlainHttp(Set<String> plain) {
    return new ResolverOptions(positiveTtl, negativeTtl, perRegistry, timeout, plain, registries);
  }

  public ResolverOptions withTimes(Duration positive, Duration negative, Duration answer) {
    return new ResolverOptions(positive, negative, perRegistry, answer, plainHttp, registries);
  }

  /**
   * @param only empty for any
   */
  public ResolverOptions withRegistries(Set<String> only) {
    return new ResolverOptions(positiveTtl, negativeTtl, perRegistry, timeout, plainHttp, only);
  }

  /** Whether this registry may be asked. */
  boolean allows(String registry) {
    return registries.isEmpty() || registries.contains(registry);
  }
}
