package dev.vertlet.nodeconfig;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.config.DnsConfig;
import dev.vertlet.config.KubernetesConfig;
import dev.vertlet.config.PodsConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.TextFile;
import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.ResolvConf;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.kube.client.KubeClientOptions.Cap;
import dev.vertlet.kube.client.KubeClientOptions.Timeouts;
import dev.vertlet.kube.client.KubeClientOptions.Windows;
import dev.vertlet.kubelet.KubeletOptions;
import dev.vertlet.kubelet.PodTimes;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.lease.LeaseSettings;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.pods.PodWatchOptions;
import dev.vertlet.sources.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Derives the options of each feature from the configuration. */
public record FeatureOptions(VertletConfig config) {
  /** First back-off of a kubelet with its reducedInitialCrashLoopBackOff. */
  private static final Duration REDUCED_FIRST_BACK_OFF = Duration.ofSeconds(1);

  /** Least limit of a kubelet's sync loop. */
  private static final Duration SYNC_LOOP_LIMIT = Duration.ofMinutes(5);

  /**
   * Report period without leases, a kubelet's nodeStatusUpdateFrequency: with up to half of it
   * added at random, it is three times as frequent as the control plane requires, which waits for
   * 50 s.
   */
  private static final Duration LEASELESS_REPORTS = Duration.ofSeconds(10);

  public ApiAccess access() {
    KubernetesConfig k = config.kubernetes();
    return ApiAccess.discover(
        k.kubeconfig().isEmpty() ? null : Path.of(k.kubeconfig()),
        k.context().isEmpty() ? null : k.context());
  }

  /**
   * Most status writes that a shard hands to the client: those in flight, and as many again to
   * follow at once.
   */
  public int statusWindow() {
    return 2 * client().windows().main();
  }

  public KubeClientOptions client() {
    KubernetesConfig k = config.kubernetes();
    KubeClientOptions d = KubeClientOptions.defaults();
    int burst = k.kubeAPIBurst() > 0 ? k.kubeAPIBurst() : Math.max(1, k.kubeAPIQPS());
    return new KubeClientOptions(
        k.protocol(),
        k.tls(),
        new Windows(k.maxRequestsInFlight(), d.windows().lease(), d.windows().http1()),
        new Timeouts(k.requestTimeout(), d.timeouts().connect(), d.timeouts().ping()),
        new Cap(k.kubeAPIQPS(), burst),
        k.encoding() == KubernetesConfig.Encoding.PROTOBUF,
        userAgent());
  }

  /** Tells replicas with a shared ServiceAccount apart in the API server's audit log. */
  private String userAgent() {
    return "vertlet/%s (%s)".formatted(BuildInfo.get().version(), config.agent().identity());
  }

  public LeaseSettings lease() {
    Duration untilNextPing = config.nodeStatus().pingInterval();
    Duration answer = config.nodeStatus().pingTimeout();
    return new LeaseSettings(
        config.agent().identity(),
        config.lease(),
        // twice the limit of an answer: a busy machine is not a blocked thread
        untilNextPing.plus(answer.multipliedBy(2)));
  }

  public NodeOptions node() {
    return new NodeOptions(
        config.agent().identity(),
        reportFrequency(),
        config.nodeStatus().pingInterval(),
        config.nodeStatus().pingTimeout());
  }

  private Duration reportFrequency() {
    Duration configured = config.nodeStatus().reportFrequency();
    boolean alone = !config.lease().enabled() && configured.compareTo(LEASELESS_REPORTS) > 0;
    return alone ? LEASELESS_REPORTS : configured;
  }

  public PodWatchOptions podWatch() {
    KubernetesConfig k = config.kubernetes();
    return new PodWatchOptions(
        k.watch(),
        k.listPageSize(),
        k.maxWatchEventBytes(),
        config.replicas().enabled(),
        !config.adopt().isEmpty());
  }

  /** Namespace of the agent's ServiceAccount; without one, that of kubelets' ConfigMaps. */
  public String ownNamespace() {
    Path file = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "kube-system";
    }
  }

  /** Reads a file: not for event loops. */
  public DnsSettings dns() {
    DnsConfig d = config.dns();
    return new DnsSettings(d.clusterDomain(), d.clusterDNS(), resolvConf(d.resolvConf()));
  }

  private static ResolvConf resolvConf(@Nullable Path file) {
    if (file == null) {
      return ResolvConf.EMPTY;
    }
    try {
      return ResolvConf.parse(TextFile.read(file).lines().toList());
    } catch (ConfigException e) {
      return ResolvConf.EMPTY; // as documented: not every host has one
    }
  }

  /** Longest block of an event loop, as a kubelet's sync loop limit. */
  public Duration syncLoopLimit() {
    Duration syncs = config.pods().syncFrequency().multipliedBy(2);
    return syncs.compareTo(SYNC_LOOP_LIMIT) > 0 ? syncs : SYNC_LOOP_LIMIT;
  }

  public SourceOptions sources() {
    return new SourceOptions(
        config.pods().fileCheckFrequency(), config.pods().httpCheckFrequency());
  }

  public KubeletOptions kubelet() {
    return KubeletOptions.DEFAULTS
        .withProfile(config.agent().profile())
        .withPrePull(config.agent().inplace().prePull());
  }

  public NodePolicy policy() {
    FeatureGates gates = config.featureGates();
    return new NodePolicy(
        gates.enabled(FeatureGates.RESTART_RULES),
        gates.enabled(FeatureGates.RESTART_OF_ALL),
        gates.enabled(FeatureGates.POD_LEVEL_RESOURCES),
        gates.enabled(FeatureGates.DECLARED_FEATURES),
        config.pods().allowedUnsafeSysctls(),
        NodePolicy.DEFAULTS.appArmor());
  }

  public PodTimes pods() {
    // as a kubelet's newCrashLoopBackOff
    boolean reduced = config.featureGates().enabled(FeatureGates.REDUCED_BACK_OFF);
    Duration first = reduced ? REDUCED_FIRST_BACK_OFF : PodTimes.DEFAULTS.firstContainerBackOff();
    Duration usual =
        reduced ? PodsConfig.REDUCED_MAX_BACK_OFF : PodTimes.DEFAULTS.maxContainerBackOff();
    boolean configurable = config.featureGates().enabled(FeatureGates.BACK_OFF_MAX);
    return new PodTimes(
        config.pods().syncFrequency(),
        first,
        configurable ? config.pods().maxContainerBackOff() : usual);
  }
}
