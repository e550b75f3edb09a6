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

/** Every default, in the order of the schema, which says the same to people and editors. */
final class Defaults {
  /** Kubelets' own: the pod specification sets it, elsewhere it is the host's name. */
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
          // below the 100 streams of a connection, so that no request waits inside HTTP/2
          64,
          0,
          0,
          // client-go's page
          500,
          // 1.5 MiB is the most etcd takes; as JSON, with the old object's fields, 5 times that
          8 << 20);

  /** As kubelets: 0.25 × 40 s = 10 s, so three renewals may be lost before expiry. */
  static final LeaseConfig LEASE =
      new LeaseConfig(true, Duration.ofSeconds(40), Duration.ofSeconds(10));

  /** As the leader election of Kubernetes' own controllers: gone after 15 s. */
  static final ReplicasConfig REPLICAS =
      new ReplicasConfig(false, "vertlet", "", Duration.ofSeconds(15), Duration.ofSeconds(5));

  /** As kubelets; a ping is given up when the next one is due. */
  static final NodeStatusConfig NODE_STATUS =
      new NodeStatusConfig(
          Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(10), 50);

  /**
   * As kubelets: ResyncInterval, MaxContainerBackOff, fileCheckFrequency, httpCheckFrequency,
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

  /** Most clusters have this domain. */
  static final DnsConfig DNS = new DnsConfig("cluster.local", List.of(), "/etc/resolv.conf");

  /** No providers but those of the build. */
  static final String PROVIDERS_DIRECTORY = "";

  static final SimulatedConfig SIMULATED = new SimulatedConfig(1, List.of(), List.of(), 0);

  /** A rule takes all the pods it fits. */
  static final double SHARE = 1;

  /** As kubelets: ports, time-outs, caches; 64 ports without those of others. */
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
          // commands are part of the request line
          128 << 10,
          2_000,
          // a session has one of its own; as many may wait for their next request
          4_000,
          ServingTls.DEFAULTS,
          Authentication.DEFAULTS,
          Authorization.DEFAULTS,
          new PageConfig(true));

  /** Of what is traced at all, everything. */
  static final TracingConfig TRACING =
      new TracingConfig(TracingConfig.NONE, "", 1_000_000, "vertlet");

  static final LogConfig LOG = new LogConfig(LogConfig.Level.INFO, LogConfig.Format.TEXT, Map.of());

  /** Nothing here ends at the 110 pods of a kubelet; the rest is a middling machine. */
  static final Map<String, String> CAPACITY =
      Map.of("cpu", "16", "memory", "64Gi", "ephemeral-storage", "256Gi", "pods", "10000");

  /** What kube-controller-manager gives a node: --node-cidr-mask-size. */
  static final int POD_CIDR_MASK = 24;

  static final NodeTemplate NODE =
      new NodeTemplate(
          "${NODE_NAME}-v" + NodeTemplate.INDEX,
          1,
          Providers.SIMULATED,
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
          // room for 512 nodes with a /18 each or 32,768 with a /24, clear of the usual service
          // range 10.96.0.0/12
          "10.128.0.0/9",
          null,
          "linux",
          "amd64",
          "",
          "",
          null);

  /**
   * Of the nodes that are adopted and have none of their own: 16,384 times a /24 of the range that
   * RFC 6598 sets apart, which neither clusters nor the template above take their addresses from.
   */
  static final String ADOPTED_POD_CIDR = "100.64.0.0/10";

  /** A message from loop to loop wakes a thread, which costs more than most of what it asks for. */
  static final int SHARDS = 1;

  static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

  /** The document that stands for an absent {@code nodes}. */
  static final JsonObject ONE_NODE =
      new JsonObject().put("nodes", new JsonArray().add(new JsonObject()));

  private Defaults() {}

  /** Off, as kubelets without --dynamic-config-dir; the trial is theirs. */
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
