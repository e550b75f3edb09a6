package dev.vertlet.config;

import dev.vertlet.events.EventLimit;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.model.NodeAddressView;
import dev.vertlet.model.Quantities;
import dev.vertlet.model.TaintView;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Turns a document into records. A section the schema refused is left out, as its relations cannot
 * be judged; all others are, so that one round shows every problem.
 */
final class ConfigMapper {
  private static final List<String> IDENTITY =
      List.of("name", "count", "labels", "annotations", "taints");

  private static final List<String> STATIC_PODS = List.of("staticPodPath", "staticPodURL");

  /** Keys that an item of {@code nodes} must not have beside {@code adopt}. */
  static final List<String> NOT_ADOPTED =
      Stream.concat(IDENTITY.stream(), STATIC_PODS.stream()).toList();

  private final Section root;
  private final Environment environment;
  private final Variables references;
  private final Problems problems;
  private final ProvidersReader providers;

  /** JSON pointers of values that cannot be read. */
  private final Set<String> broken = new LinkedHashSet<>();

  ConfigMapper(
      JsonObject document,
      ConfigSchema schema,
      Environment environment,
      Variables references,
      ProvidersReader providers,
      Problems problems) {
    this.root = new Section(document, "");
    this.environment = environment;
    this.references = references;
    this.problems = problems;
    this.providers = providers;
    for (Problem problem : problems.list()) {
      // an unknown key spoils nothing
      if (schema.at(Pointers.tokens(problem.pointer())) != null) {
        broken.add(problem.pointer());
      }
    }
  }

  /** Of use only while there are no problems. */
  VertletConfig map() {
    ProvidersConfig loaded =
        providers.read(
            isBroken("/providers", true)
                ? new Section(new JsonObject(), "")
                : root.section("providers"));
    NodePlanner.Plan plan = nodes(loaded.catalog());
    List<ConfiguredNode> nodes = plan.nodes();
    providers.check(loaded, nodes);
    ServerConfig server =
        section("server", json -> new ServerReader(environment).read(json), Defaults.SERVER);
    ServerReader.check(server, nodes.size(), problems);
    checkReplicas();
    checkConfigSync(plan);
    if (!plan.adopt().isEmpty() && server.tls().serverTLSBootstrap()) {
      problems.refuse(
          "/server/tls/serverTLSBootstrap",
          true,
          "must be false beside nodes[%d].adopt: certificates are issued to nodes that the agent makes"
              .formatted(plan.adopt().get(0).template()));
    }
    AgentConfig agent = section("agent", this::agent, agent(new Section(new JsonObject(), "")));
    FeatureGates gates =
        isBroken("/featureGates", true)
            ? FeatureGates.DEFAULTS
            : gates(root.objectOf("featureGates"));
    return new VertletConfig(
        agent,
        section(
            "configSync",
            json -> configSync(json, agent.dataDir()),
            Defaults.configSync(agent.dataDir())),
        section("kubernetes", this::kubernetes, Defaults.KUBERNETES),
        nodes,
        section("lease", ConfigMapper::lease, Defaults.LEASE),
        section("replicas", ConfigMapper::replicas, Defaults.REPLICAS),
        section("nodeStatus", ConfigMapper::nodeStatus, Defaults.NODE_STATUS),
        section("pods", json -> pods(json, gates), Defaults.PODS),
        section("dns", ConfigMapper::dns, Defaults.DNS),
        loaded,
        isBroken("/simulated", false) ? Defaults.SIMULATED : simulated(root.section("simulated")),
        gates,
        server,
        section("tracing", ConfigMapper::tracing, Defaults.TRACING),
        section("log", ConfigMapper::log, Defaults.LOG),
        plan.adopt());
  }

  /** Checks the keys on which several agents must agree: Leases, node names and identity. */
  private void checkReplicas() {
    if (isBroken("/replicas", true) || !root.section("replicas").flag("enabled")) {
      return;
    }
    if (!isBroken("/lease", true) && !root.section("lease").flag("enabled", true)) {
      problems.refuse("/replicas/enabled", true, "needs lease.enabled: Leases say whose a node is");
    }
    List<Section> templates = isBroken("/nodes", false) ? List.of() : root.items("nodes");
    boolean unnamed =
        templates.isEmpty() || templates.stream().anyMatch(t -> !t.has("name") && !t.has("adopt"));
    if (unnamed && !isBroken("/nodes", false)) {
      problems.about(
          "/nodes",
          "each must have a name, the same in every agent, when replicas.enabled is true");
    }
    if (isBroken("/agent", true)) {
      return;
    }
    String identity =
        root.section("agent")
            .text("identity", references.expand("/agent/identity", Defaults.IDENTITY));
    if (!identity.matches("[a-z0-9]([-a-z0-9.]{0,180}[a-z0-9])?")) {
      problems.refuse(
          "/agent/identity",
          identity,
          "must be at most 182 lower case letters, digits, - and . when replicas.enabled is"
              + " true");
    }
  }

  /**
   * Refuses {@code configSync} beside {@code adopt}: a node's config is stored under the node's
   * name before the node is known to exist.
   */
  private void checkConfigSync(NodePlanner.Plan plan) {
    if (!plan.adopt().isEmpty()
        && !isBroken("/configSync", true)
        && root.section("configSync").flag("enabled")) {
      problems.refuse(
          "/configSync/enabled",
          true,
          "must be false beside nodes[%d].adopt: nodes that are adopted are configured by this file alone; an agent of its own can serve them"
              .formatted(plan.adopt().get(0).template()));
    }
  }

  private <T> T section(String key, Function<Section, T> read, T fallback) {
    return isBroken("/" + key, true)
        ? fallback
        : collect("", () -> read.apply(root.section(key)), fallback);
  }

  /** What is read, or the fallback and its problems. */
  private <T> T collect(String prefix, Supplier<T> read, T fallback) {
    try {
      return read.get();
    } catch (ConfigException e) {
      problems.at(prefix).addAll(e.problems());
      return fallback;
    }
  }

  private boolean isBroken(String pointer, boolean orInside) {
    return broken.stream()
        .anyMatch(
            place ->
                place.isEmpty()
                    || place.equals(pointer)
                    || (orInside && place.startsWith(pointer + "/")));
  }

  private AgentConfig agent(Section json) {
    String identity =
        json.text("identity", references.expand("/agent/identity", Defaults.IDENTITY));
    AgentConfig defaults = Defaults.agent(environment, identity);
    return new AgentConfig(
        identity,
        json.has("dataDir") ? Path.of(environment.path(json, "dataDir", "")) : defaults.dataDir(),
        json.word("profile", defaults.profile()),
        json.number("shards", defaults.shards()),
        json.duration("shutdownTimeout", defaults.shutdownTimeout()),
        json.flag("drainOnShutdown"),
        environment.path(json, "containerLogsDir", defaults.containerLogsDir()),
        new InPlaceConfig(json.section("inplace").flag("prePull")),
        json.word("configChangeMode", defaults.configChangeMode()));
  }

  private ConfigSyncConfig configSync(Section json, Path dataDir) {
    ConfigSyncConfig defaults = Defaults.configSync(dataDir);
    return new ConfigSyncConfig(
        json.flag("enabled"),
        json.has("dynamicConfigDir")
            ? Path.of(environment.path(json, "dynamicConfigDir", ""))
            : defaults.dynamicConfigDir(),
        json.list("allowedNamespaces"),
        json.duration("trialDuration", defaults.trialDuration()),
        json.number("checkpointHistory", defaults.checkpointHistory()));
  }

  private KubernetesConfig kubernetes(Section json) {
    KubernetesConfig defaults = Defaults.KUBERNETES;
    return new KubernetesConfig(
        environment.path(json, "kubeconfig", defaults.kubeconfig()),
        json.text("context", defaults.context()),
        json.word("protocol", defaults.protocol()),
        json.word("tls", defaults.tls()),
        json.word("encoding", defaults.encoding()),
        json.word("watch", defaults.watch()),
        json.duration("requestTimeout", defaults.requestTimeout()),
        json.number("maxRequestsInFlight", defaults.maxRequestsInFlight()),
        json.number("kubeAPIQPS", defaults.kubeAPIQPS()),
        json.number("kubeAPIBurst", defaults.kubeAPIBurst()),
        json.number("listPageSize", defaults.listPageSize()),
        json.number("maxWatchEventBytes", defaults.maxWatchEventBytes()));
  }

  private NodePlanner.Plan nodes(ProviderCatalog catalog) {
    if (isBroken("/nodes", true)) {
      if (!isBroken("/nodes", false)) {
        root.items("nodes").forEach(node -> checkAlone(node, catalog));
      }
      return new NodePlanner.Plan(List.of(), List.of());
    }
    root.items("nodes").forEach(this::checkAdopting);
    Section read = root.has("nodes") ? root : new Section(Defaults.ONE_NODE, "");
    List<NodeTemplate> templates = read.sections("nodes", (json, place) -> template(json, place));
    return new NodePlanner(templates, environment.host(), catalog, problems).plan();
  }

  /** Refuses name, labels and taints beside {@code adopt}: an adopted node's owner sets them. */
  private void checkAdopting(Section json) {
    if (!json.has("adopt")) {
      return;
    }
    for (String key : IDENTITY) {
      if (json.has(key)) {
        problems.about(
            json.pointer(key), "must not be given beside adopt: adopted nodes have their own");
      }
    }
    for (String key : STATIC_PODS) {
      if (json.has(key)) {
        problems.about(
            json.pointer(key), "must not be given beside adopt: adopted nodes run no static pods");
      }
    }
  }

  /** Checks the readable values of one node template when other templates cannot be read. */
  private void checkAlone(Section json, ProviderCatalog catalog) {
    String place = json.place();
    NodeTemplate readable = template(json.without(key -> isBroken(key, true)), place);
    Problems found = new Problems(place);
    new TemplateCheck(readable, catalog, found).run();
    // a default that stands for what cannot be read is nobody's mistake
    found.list().stream()
        .filter(problem -> !isBroken(problem.pointer(), false))
        .forEach(problems::add);
  }

  private NodeTemplate template(Section json, String place) {
    NodeTemplate defaults = Defaults.NODE;
    boolean adopts = json.has("adopt");
    return new NodeTemplate(
        adopts
            ? json.text("name", "")
            : json.text("name", references.expand(place + "/name", defaults.name())),
        json.number("count", defaults.count()),
        json.text("provider", defaults.provider()),
        json.texts("labels"),
        json.texts("annotations"),
        json.has("taints")
            ? json.sections(
                "taints",
                (taint, at) ->
                    new TaintView(
                        taint.text("key", ""), taint.text("value", ""), taint.text("effect", "")))
            : null,
        json.texts("capacity"),
        new Reserved(json.texts("kubeReserved"), json.texts("systemReserved")),
        EvictionTemplate.read(json),
        ImageGcTemplate.read(json),
        new ApiLimit(
            json.number("kubeAPIQPS", ApiLimit.DEFAULTS.perSecond()),
            json.number("kubeAPIBurst", ApiLimit.DEFAULTS.burst())),
        new EventLimit(
            json.number("eventRecordQPS", EventLimit.DEFAULTS.perSecond()),
            json.number("eventBurst", EventLimit.DEFAULTS.burst())),
        json.has("addresses")
            ? json.sections(
                "addresses",
                (address, at) ->
                    new NodeAddressView(address.text("type", ""), address.text("address", "")))
            : null,
        json.text("podCIDR", adopts ? Defaults.ADOPTED_POD_CIDR : defaults.podCidr()),
        json.has("podCIDRMask") ? Integer.valueOf(json.number("podCIDRMask", 0)) : null,
        json.text("operatingSystem", defaults.operatingSystem()),
        json.text("architecture", defaults.architecture()),
        collect(
            "",
            () -> environment.path(json, "staticPodPath", defaults.staticPodPath()),
            defaults.staticPodPath()),
        json.text("staticPodURL", defaults.staticPodUrl()),
        adopts ? json.section("adopt").text("labelSelector", "") : null);
  }

  private static ReplicasConfig replicas(Section json) {
    ReplicasConfig defaults = Defaults.REPLICAS;
    Duration duration = json.duration("duration", defaults.duration());
    return new ReplicasConfig(
        json.flag("enabled", defaults.enabled()),
        json.text("group", defaults.group()),
        json.text("namespace", defaults.namespace()),
        duration,
        json.duration("renewInterval", duration.dividedBy(3)));
  }

  private static LeaseConfig lease(Section json) {
    LeaseConfig defaults = Defaults.LEASE;
    Duration duration = json.duration("duration", defaults.duration());
    return new LeaseConfig(
        json.flag("enabled", defaults.enabled()),
        duration,
        json.duration("renewInterval", duration.dividedBy(4)));
  }

  private static NodeStatusConfig nodeStatus(Section json) {
    NodeStatusConfig defaults = Defaults.NODE_STATUS;
    return new NodeStatusConfig(
        json.duration("reportFrequency", defaults.reportFrequency()),
        json.duration("pingInterval", defaults.pingInterval()),
        json.duration("pingTimeout", defaults.pingTimeout()),
        json.number("maxImages", defaults.maxImages()));
  }

  private FeatureGates gates(JsonObject json) {
    FeatureGates gates = FeatureGates.of(json);
    problems.at("/featureGates/").addAll(gates.broken());
    return gates;
  }

  private static PodsConfig pods(Section json, FeatureGates gates) {
    PodsConfig defaults = Defaults.PODS;
    return new PodsConfig(
        json.duration("syncFrequency", defaults.syncFrequency()),
        json.duration(
            "maxContainerBackOff",
            gates.enabled(FeatureGates.REDUCED_BACK_OFF)
                ? PodsConfig.REDUCED_MAX_BACK_OFF
                : defaults.maxContainerBackOff()),
        json.duration("fileCheckFrequency", defaults.fileCheckFrequency()),
        json.duration("httpCheckFrequency", defaults.httpCheckFrequency()),
        json.text("containerLogMaxSize", defaults.containerLogMaxSize()),
        json.list("allowedUnsafeSysctls"),
        json.flag("checkSecrets", defaults.checkSecrets()));
  }

  private static DnsConfig dns(Section json) {
    DnsConfig defaults = Defaults.DNS;
    return new DnsConfig(
        json.text("clusterDomain", defaults.clusterDomain()),
        json.list("clusterDNS"),
        json.path("resolvConf", defaults.resolvConf()).toString());
  }

  private SimulatedConfig simulated(Section json) {
    Section sound = json.without(key -> isBroken(key, false));
    return new SimulatedConfig(
        sound.number("seed", Defaults.SIMULATED.seed()),
        rules(sound, "rules", RuleReader::read),
        rules(sound, "nodes", RuleReader::readNode),
        imageSize(sound));
  }

  private long imageSize(Section json) {
    String text = json.text("imageSize", "0");
    try {
      Quantities.parseNotNegative("imageSize", text);
      return Quantities.units(text);
    } catch (IllegalArgumentException e) {
      problems.refuse("/simulated/imageSize", text, "must be a quantity from 0 up, such as 250Mi");
      return 0;
    }
  }

  /** The rules that are without problems. */
  private <T> List<T> rules(Section json, String key, Function<Section, T> read) {
    List<T> rules = new ArrayList<>();
    for (Section rule : json.items(key)) {
      if (!isBroken(rule.place(), true)) {
        collect(rule.place(), () -> rules.add(read.apply(rule)), false);
      }
    }
    return rules;
  }

  private static TracingConfig tracing(Section json) {
    TracingConfig defaults = Defaults.TRACING;
    return new TracingConfig(
        json.text("exporter", defaults.exporter()),
        json.text("endpoint", defaults.endpoint()),
        json.number("samplingRatePerMillion", defaults.samplingRatePerMillion()),
        json.text("serviceName", defaults.serviceName()));
  }

  private static LogConfig log(Section json) {
    return new LogConfig(
        json.word("level", Defaults.LOG.level()),
        json.word("format", Defaults.LOG.format()),
        json.words("levels", Defaults.LOG.level()));
  }
}
