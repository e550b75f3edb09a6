package dev.vertlet.harness.result.servicelevel;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Official service level objectives of Kubernetes, as sig-scalability defines them
 * (api_call_latency and pod_startup_latency, August 2026): each limits a 99th percentile. They hold
 * for built-in resources that are stored; not for virtual and aggregated ones, and not for custom
 * resources.
 */
public enum ServiceLevel {
  /** Writes of single objects, for each resource and verb. */
  MUTATING("mutating", "writes of single objects", Duration.ofSeconds(1)),
  /** Reads of single objects, for each resource. */
  SINGLE_READS("single_reads", "reads of single objects", Duration.ofSeconds(1)),
  /**
   * Lists, for each resource and scope. Earlier definitions allowed lists of one namespace 5 s; the
   * present one has 30 s for both scopes.
   */
  LISTS("lists", "lists", Duration.ofSeconds(30)),
  /** Start of a pod without image pulls and init containers. */
  POD_STARTUP("pod_startup", "pod start-up", Duration.ofSeconds(5));

  /** Beginning of the paths of all figures of service levels in a result. */
  public static final String FIGURES = "service_levels.";

  /** API groups of the API server itself whose objects are stored. */
  private static final Set<String> STORED =
      Set.of(
          "",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "apiregistration.k8s.io",
          "apps",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "events.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "internal.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io",
          "storagemigration.k8s.io");

  /** Resources of the core group that are computed or answered by a node. */
  private static final Set<String> VIRTUAL = Set.of("componentstatuses", "bindings");

  private static final Set<String> STREAMS =
      Set.of("log", "exec", "attach", "portforward", "proxy");

  private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "APPLY", "DELETE");

  private final String key;
  private final String text;
  private final Duration limit;

  ServiceLevel(String key, String text, Duration limit) {
    this.key = key;
    this.text = text;
    this.limit = limit;
  }

  /** Name in results. */
  public String key() {
    return key;
  }

  /** Name for display. */
  public String text() {
    return text;
  }

  /** Highest 99th percentile. */
  public double limitMillis() {
    return limit.toMillis();
  }

  /** Path of the percentile in a result. */
  public String figure() {
    return FIGURES + key + ".p99_ms";
  }

  /** Level with this figure; empty for any other figure. */
  public static Optional<ServiceLevel> ofFigure(String figure) {
    return Arrays.stream(values()).filter(level -> level.figure().equals(figure)).findFirst();
  }

  /** Level that a request counts for; empty for streams, watches and what no level promises. */
  public static Optional<ServiceLevel> of(RequestKind kind) {
    int slash = kind.resource().indexOf('/');
    String subresource = slash < 0 ? "" : kind.resource().substring(slash + 1);
    if (kind.resource().isEmpty()
        || !STORED.contains(kind.group())
        || VIRTUAL.contains(kind.resource())
        || STREAMS.contains(subresource)) {
      return Optional.empty();
    }
    if (WRITES.contains(kind.verb())) {
      return kind.isOfOneObject() ? Optional.of(MUTATING) : Optional.empty();
    }
    return switch (kind.verb()) {
      case "GET" -> Optional.of(SINGLE_READS);
      case "LIST" -> Optional.of(LISTS);
      default -> Optional.empty();
    };
  }
}
