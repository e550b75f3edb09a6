package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.Section;
import dev.vertlet.config.document.Variables;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.node.NodePlanner;
import dev.vertlet.config.node.NodeTemplate;
import dev.vertlet.config.node.TemplateCheck;
import dev.vertlet.config.process.Environment;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import dev.vertlet.replicas.ReplicaOptions;
import dev.vertlet.server.PortRange;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
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
  private final SectionBinder binder;
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
    this.binder = new SectionBinder(schema, references::expand, environment::path);
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
    providers.check(loaded, plan);
    AgentConfig agent = section("agent", AgentConfig.class, this::dataDir);
    ServerConfig server = section("server", ServerConfig.class, given -> {});
    checkPorts(server, nodes.size());
    checkReplicas(agent);
    checkAdoption(plan, server);
    FeatureGates gates =
        isBroken("/featureGates", true)
            ? FeatureGates.DEFAULTS
            : gates(root.objectOf("featureGates"));
    return new VertletConfig(
        agent,
        section("configSync", ConfigSyncConfig.class, given -> dynamicConfigDir(given, agent)),
        section("kubernetes", KubernetesConfig.class, given -> {}),
        nodes,
        section("lease", LeaseOptions.class, given -> renewInterval(given, 4)),
        section("replicas", ReplicaOptions.class, given -> renewInterval(given, 3)),
        section("nodeStatus", NodeStatusConfig.class, given -> {}),
        section("pods", PodsConfig.class, given -> maxContainerBackOff(given, gates)),
        section("dns", DnsConfig.class, given -> {}),
        loaded,
        simulated(
            isBroken("/simulated", false)
                ? new Section(new JsonObject(), "/simulated")
                : root.section("simulated")),
        section("stages", StagesConfig.class, given -> {}),
        gates,
        server,
        section("tracing", TracingConfig.class, given -> {}),
        section("log", LogConfig.class, given -> {}),
        plan.adopt());
  }

  private void dataDir(JsonObject agent) {
    if (!agent.containsKey("dataDir")) {
      agent.put("dataDir", environment.defaultDataDir().toString());
    }
  }

  private static void dynamicConfigDir(JsonObject configSync, AgentConfig agent) {
    if (!configSync.containsKey("dynamicConfigDir")) {
      Path inDataDir = agent.dataDir().toAbsolutePath().resolve("dynamic-config");
      configSync.put("dynamicConfigDir", inDataDir.toString());
    }
  }

  /** As in kubelets and leader elections, a renewal interval is a part of the term. */
  private static void renewInterval(JsonObject term, int part) {
    if (!term.containsKey("renewInterval") && term.containsKey("duration")) {
      // the record reports a duration that is too long
      new Problems()
          .duration("/duration", term.getString("duration"))
          .map(duration -> GoDuration.format(duration.dividedBy(part)))
          .ifPresent(interval -> term.put("renewInterval", interval));
    }
  }

  private static void maxContainerBackOff(JsonObject pods, FeatureGates gates) {
    if (!pods.containsKey("maxContainerBackOff") && gates.enabled(FeatureGates.REDUCED_BACK_OFF)) {
      pods.put("maxContainerBackOff", GoDuration.format(PodsConfig.REDUCED_MAX_BACK_OFF));
    }
  }

  private void checkPorts(ServerConfig server, int nodes) {
    PortRange range = server.portRange();
    if (server.enableServer()
        && !range.any()
        && nodes <= ServerConfig.MOST_PORTS
        && range.ports().size() < nodes) {
      problems.refuse(
          "/server/portRange",
          range.toString(),
          "must hold a port for each of the %d nodes; of several ports 10255 to 10259 are left out"
              .formatted(nodes));
    }
  }

  private boolean replicas() {
    return root.section("replicas").flag("enabled");
  }

  /** Checks the keys on which several agents must agree: Leases, node names and identity. */
  private void checkReplicas(AgentConfig agent) {
    if (isBroken("/replicas", true) || !replicas()) {
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
    String identity = root.section("agent").text("identity", agent.identity());
    if (!identity.matches("[a-z0-9]([-a-z0-9.]{0,180}[a-z0-9])?")) {
      problems.refuse(
          "/agent/identity",
          identity,
          "must be at most 182 lower case letters, digits, - and . when replicas.enabled is"
              + " true");
    }
  }

  /**
   * Refuses beside {@code adopt} certificates, which are issued to nodes that the agent creates,
   * and {@code configSync}: a node's config is stored under the node's name before the node is
   * known to exist. Refuses a second provider, as any shard of the one may get an adopted node, and
   * {@code replicas} without Leases.
   */
  private void checkAdoption(NodePlanner.Plan plan, ServerConfig server) {
    if (plan.adopt().isEmpty()) {
      return;
    }
    AdoptConfig first = plan.adopt().get(0);
    int template = first.template();
    for (AdoptConfig adopt : plan.adopt()) {
      problems.that(
          adopt.provider().equals(first.provider()),
          "/nodes/" + adopt.template() + "/provider",
          adopt.provider(),
          "must be \"%s\" as in nodes[%d]: all items with adopt have one provider"
              .formatted(first.provider(), template));
      problems.that(
          !adopt.selfManaged() || isBroken("/replicas", true) || !replicas(),
          "/nodes/" + adopt.template() + "/adopt/selfManaged",
          true,
          "must be false when replicas.enabled is true: Leases say whose a node is");
    }
    if (!isBroken("/configSync", true) && root.section("configSync").flag("enabled")) {
      problems.refuse(
          "/configSync/enabled",
          true,
          "must be false beside nodes[%d].adopt: nodes that are adopted are configured by this file alone; an agent of its own can serve them"
              .formatted(template));
    }
    if (server.tls().serverTLSBootstrap()) {
      problems.refuse(
          "/server/tls/serverTLSBootstrap",
          true,
          "must be false beside nodes[%d].adopt: certificates are issued to nodes that the agent makes"
              .formatted(template));
    }
  }

  /**
   * Binds a section; a broken one as if it were empty.
   *
   * @param computed adds the keys whose defaults depend on other keys or on the machine
   */
  private <T extends Record> T section(String key, Class<T> type, Consumer<JsonObject> computed) {
    if (!isBroken("/" + key, true)) {
      try {
        return bind(key, root.objectOf(key).copy(), type, computed);
      } catch (ConfigException e) {
        problems.addAll(e.problems());
      }
    }
    return bind(key, new JsonObject(), type, computed);
  }

  private <T extends Record> T bind(
      String key, JsonObject given, Class<T> type, Consumer<JsonObject> computed) {
    computed.accept(given);
    return binder.bind("/" + key, given, type);
  }

  private boolean isBroken(String pointer, boolean orInside) {
    return broken.stream()
        .anyMatch(
            place ->
                place.isEmpty()
                    || place.equals(pointer)
                    || (orInside && place.startsWith(pointer + "/")));
  }

  private NodePlanner.Plan nodes(ProviderCatalog catalog) {
    List<NodeTemplate> templates = isBroken("/nodes", true) ? List.of() : templates();
    if (isBroken("/nodes", true)) {
      if (!isBroken("/nodes", false)) {
        root.items("nodes").forEach(node -> checkAlone(node, catalog));
      }
      return new NodePlanner.Plan(List.of(), List.of());
    }
    Map<String, String> usualCapacity = new LinkedHashMap<>();
    if (binder.defaultOf("/nodes/0/capacity") instanceof JsonObject capacity) {
      capacity.forEach(
          resource -> usualCapacity.put(resource.getKey(), String.valueOf(resource.getValue())));
    }
    return new NodePlanner(templates, usualCapacity, environment.host(), catalog, problems).plan();
  }

  /** Without {@code nodes}, there is one template without keys. */
  private List<NodeTemplate> templates() {
    if (!root.has("nodes")) {
      return List.of(template(new Section(new JsonObject(), "/nodes/0")));
    }
    List<NodeTemplate> templates = new ArrayList<>();
    for (Section json : root.items("nodes")) {
      checkAdopting(json);
      try {
        templates.add(template(json));
      } catch (ConfigException e) {
        problems.addAll(e.problems());
        e.problems().forEach(problem -> broken.add(problem.pointer()));
      }
    }
    return templates;
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
    NodeTemplate readable = template(json.without(key -> isBroken(key, true)));
    Problems found = new Problems(place);
    new TemplateCheck(readable, catalog, found).run();
    // a default that stands for what cannot be read is nobody's mistake
    found.list().stream()
        .filter(problem -> !isBroken(problem.pointer(), false))
        .forEach(problems::add);
  }

  private NodeTemplate template(Section json) {
    JsonObject given = json.without(key -> false).object();
    if (!json.has("capacity")) {
      given.put("capacity", new JsonObject());
    }
    if (json.has("adopt")) {
      given.put("name", json.text("name", ""));
      given.put("podCIDR", json.text("podCIDR", NodeTemplate.ADOPTED_POD_CIDR));
    }
    return binder.bind(json.place(), given, NodeTemplate.class);
  }

  private FeatureGates gates(JsonObject json) {
    FeatureGates gates = FeatureGates.of(json);
    problems.at("/featureGates/").addAll(gates.broken());
    return gates;
  }

  private SimulatedConfig simulated(Section json) {
    Section sound = json.without(key -> isBroken(key, false));
    return new SimulatedConfig(
        sound.number("seed", 1L),
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
        try {
          rules.add(read.apply(rule));
        } catch (ConfigException e) {
          problems.at(rule.place()).addAll(e.problems());
        }
      }
    }
    return rules;
  }
}
