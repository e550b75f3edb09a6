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
 */
public record ResolverOptions(
    Duration positiveTtl,
    Duration negativeTtl,
    int perRegistry,
    Duration timeout,
    Set<String> plainHttp) {
  /** A day, half a minute, eight, ten seconds, none. */
  public static final ResolverOptions DEFAULTS =
      new ResolverOptions(
          Duration.ofHours(24), Duration.ofSeconds(30), 8, Duration.ofSeconds(10), Set.of());

  public ResolverOptions {
    plainHttp = Set.copyOf(plainHttp);
  }

  public ResolverOptions withPlainHttp(Set<String> registries) {
    return new ResolverOptions(positiveTtl, negativeTtl, perRegistry, timeout, registries);
  }

  public ResolverOptions withTimes(Duration positive, Duration negative, Duration answer) {
    return new ResolverOptions(positive, negative, perRegistry, answer, plainHttp);
  }
}
