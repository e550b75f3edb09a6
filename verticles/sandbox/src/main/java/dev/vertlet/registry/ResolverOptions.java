package dev.vertlet.registry;

import java.time.Duration;
import java.util.Set;

/**
 * Settings of the registry client.
 *
 * @param positiveTtl how long the digest of a tag is cached
 * @param negativeTtl how long a failure is cached
 * @param perRegistry maximum number of concurrent requests to one registry
 * @param timeout for each answer, including its last byte
 * @param plainHttp registries, host and port, that are asked without TLS
 * @param registries allowed registries, host and port; empty for any
 */
public record ResolverOptions(
    Duration positiveTtl,
    Duration negativeTtl,
    int perRegistry,
    Duration timeout,
    Set<String> plainHttp,
    Set<String> registries) {
  /** 24 h, 30 s, 8, 10 s, none, any. */
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
   * Restricts the registries.
   *
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
