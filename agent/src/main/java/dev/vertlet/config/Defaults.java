package dev.vertlet.config;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.ServingTls;
import dev.vertlet.events.EventLimit;
import dev.vertlet.kube.TlsEngine;
import dev.vertlet.lifecycle.KubeletOptions.Profile;
import dev.vertlet.pods.PodWatchOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Every default, in the order of the schema, which documents the same values. */
final class Defaults {
  /** The agent's identity: set by the pod specification, elsewhere the host name. */
  static final String IDENTITY = "${NODE_NAME}";

  static final KubernetesConfig KUBERNETES =
      new KubernetesConfig(
          "",
          "",
          KubernetesConfig.Protocol.HTTP2,
          TlsEngine.AUTO,
          KubernetesConfig.Encoding.PROTOBUF,
          PodWatchOptions.Mode.AUTO,
          Duration.ofSeconds(30),
          // fewer than a connection's 100 streams, so that no request waits inside HTTP/2
          64,
          0,
          0,
          // client-go's page size
          500,
          // etcd stores at most 1.5 MiB; as JSON, with the old object's fields, that is 5 times as
          // much
          8 << 20);

  /** As in kubelets: renewal every 0.25 × 40 s = 10 s, so three renewals may fail before expiry. */
  static final LeaseConfig LEASE =
      new LeaseConfig(true, Duration.ofSeconds(40), Duration.ofSeconds(10));

  /** As in the leader election of Kubernetes' controllers: a Lease expires after 15 s. */
  static final ReplicasConfig REPLICAS =
      new ReplicasConfig(false, "vertlet", "", Duration.ofSeconds(15), Duration.ofSeconds(5));

  /** As in kubelets; a ping times out when the next one is due. */
  static final NodeStatusConfig NODE_STATUS =
      new NodeStatusConfig(
          Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(10), 50);

  /**
   * As in kubelets: ResyncInterval, MaxContainerBackOff, fileCheckFrequency, httpCheckFrequency,
   * containerLogMaxSize.
   */
  static final PodsConfig PODS =
      new PodsConfig(
          Duration.ofMinutes(1),
          Duration.ofSeconds(300),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          "10Mi",
          List.of(),
          false);

  /** The domain of most clusters. */
  static final DnsConfig DNS = new DnsConfig("cluster.local", List.of(), "/etc/resolv.conf");

  /** No provider directory: only the providers of the build. */
  static final String PROVIDERS_DIRECTORY = "";

  static final SimulatedConfig SIMULATED = new SimulatedConfig(1, List.of(), List.of(), 0);

  /** A rule applies to all pods that it selects. */
  static final double SHARE = 1;

  /** As in kubelets: ports, timeouts, caches; 64 ports without those of other components. */
  static final ServerConfig SERVER =
      new ServerConfig(
          "0.0.0.0",
          9250,
          false,
          "",
          true,
          "0.0.0.0",
          new PortRange(10_250, 10_318),
          0,
          10_248,
          true,
          true,
          "",
          Duration.ofHours(4),
          Duration.ofSeconds(30),
          // exec sends the command in the request line
          128 << 10,
          2_000,
          // each session uses one connection; as many connections may be idle between requests
          4_000,
          ServingTls.DEFAULTS,
          Authentication.DEFAULTS,
          Authorization.DEFAULTS,
          new PageConfig(true));

  /** Sampling: with an exporter, everything is traced. */
  static final TracingConfig TRACING =
      new TracingConfig(TracingConfig.NONE, "", 1_000_000, "vertlet");

  static final LogConfig LOG = new LogConfig(LogConfig.Level.INFO, LogConfig.Format.TEXT, Map.of());

  /** A medium-sized machine, without a kubelet's limit of 110 pods. */
  static final Map<String, String> CAPACITY =
      Map.of("cpu", "16", "memory", "64Gi", "ephemeral-storage", "256Gi", "pods", "10000");

  /** kube-controller-manager's default for --node-cidr-mask-size. */
  static final int POD_CIDR_MASK = 24;

  static final NodeTemplate NODE =
      new NodeTemplate(
          "${NODE_NAME}-v" + NodeTemplate.INDEX,
          1,
          ProviderNames.SIMULATED,
          Map.of(),
          Map.of(),
          null,
          CAPACITY,
          new Reserved(Map.of(), Map.of()),
          EvictionTemplate.DEFAULTS,
          ImageGcTemplate.DEFAULTS,
          ApiLimit.DEFAULTS,
          EventLimit.DEFAULTS,
          null,
          // room for 512 nodes with a /18 each or 32,768 with a /24; outside the usual service
          // range 10.96.0.0/12
          "10.128.0.0/9",
          null,
          "linux",
          "amd64",
          "",
          "",
          null);

  /**
   * Block for adopted nodes without a pod CIDR: 16,384 times a /24 of the range that RFC 6598
   * reserves. Neither clusters nor the default template use addresses of that range.
   */
  static final String ADOPTED_POD_CIDR = "100.64.0.0/10";

  /**
   * One shard: a message between event loops wakes a thread, which costs more than most of the work
   * it starts.
   */
  static final int SHARDS = 1;

  static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

  /** Stands in for an absent {@code nodes}. */
  static final JsonObject ONE_NODE =
      new JsonObject().put("nodes", new JsonArray().add(new JsonObject()));

  private Defaults() {}

  /** Disabled, as in kubelets without --dynamic-config-dir; the trial takes as long as theirs. */
  static ConfigSyncConfig configSync(Path dataDir) {
    return new ConfigSyncConfig(
        false,
        dataDir.toAbsolutePath().resolve("dynamic-config"),
        List.of(),
        Duration.ofMinutes(10),
        5);
  }

  static AgentConfig agent(Environment environment, String identity) {
    return new AgentConfig(
        identity,
        environment.defaultDataDir(),
        Profile.KUBELET,
        SHARDS,
        SHUTDOWN_TIMEOUT,
        false,
        "",
        new InPlaceConfig(false),
        AgentConfig.ConfigChangeMode.HOT);
  }
}
