package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.SchemaNode;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.node.NodeTemplate;
import dev.vertlet.events.EventLimit;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.replicas.ReplicaOptions;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the schema, the records and their defaults together, key by key. */
class SchemaTest {
  private static final ConfigSchema SCHEMA = ConfigSchema.load();

  /** Keys whose default depends on the machine, so that the schema can only describe it. */
  private static final Set<String> COMPUTED =
      Set.of(
          "configSync.dynamicConfigDir",
          "agent.dataDir",
          "nodes.0.adopt",
          "nodes.0.taints",
          "nodes.0.evictionHard",
          "nodes.0.addresses",
          "nodes.0.podCIDRMask",
          "simulated.rules.0.name",
          "simulated.rules.0.selector.image",
          "simulated.rules.0.sandboxDelay",
          "simulated.rules.0.pullDelay",
          "simulated.rules.0.startDelay",
          "simulated.rules.0.readyDelay",
          "simulated.rules.0.runFor",
          "simulated.rules.0.exitCode",
          "simulated.rules.0.oomAfter",
          "simulated.rules.0.stopDelay",
          "simulated.rules.0.killDelay",
          "simulated.rules.0.sandboxError",
          "simulated.rules.0.pullError",
          "simulated.rules.0.startError",
          "simulated.rules.0.startupProbe",
          "simulated.rules.0.livenessProbe",
          "simulated.rules.0.readinessProbe",
          "simulated.rules.0.postStart",
          "simulated.rules.0.preStop",
          "simulated.rules.0.cpuUsage",
          "simulated.rules.0.memoryUsage",
          "simulated.rules.0.storageUsage",
          "simulated.rules.0.logRate",
          "simulated.rules.0.logLine",
          "simulated.rules.0.logErrorEvery",
          "simulated.rules.0.terminationMessage",
          "simulated.rules.0.ports",
          "simulated.rules.0.resizeDelay",
          "simulated.rules.0.resizeError",
          "simulated.nodes.0.name",
          "simulated.nodes.0.trouble",
          "simulated.nodes.0.every",
          "simulated.nodes.0.lasts");

  /** What else a key needs before its example is allowed. */
  private static final Map<String, String> COMPANIONS =
      Map.of(
          "kubernetes.kubeAPIBurst", "kubernetes.kubeAPIQPS=50",
          "replicas.enabled", "nodes.0.name=v",
          "nodes.0.podCIDRMask", "nodes.0.capacity.pods=100",
          "nodes.0.evictionSoft",
              "nodes.0.evictionSoftGracePeriod={\"memory.available\": \"30s\"}");

  /**
   * Keys whose examples need more than a key; ProvidersConfigTest, NodePlannerTest and
   * ServerConfigTest have them.
   */
  private static final Set<String> NEED_MORE =
      Set.of(
          "providers.directory",
          "providers.settings",
          "nodes.0.evictionSoftGracePeriod",
          "stages.files",
          "server.tls.tlsCertFile",
          "server.tls.tlsPrivateKeyFile");

  private static List<List<String>> leaves() {
    List<List<String>> leaves = new ArrayList<>();
    for (String section : SCHEMA.root().keys()) {
      if (section.equals("nodes")) {
        collect(List.of("nodes", "0"), leaves);
      } else if (!section.equals("$schema")) {
        collect(List.of(section), leaves);
      }
    }
    collect(List.of("agent", "inplace"), leaves);
    for (String part : List.of("tls", "authentication", "authorization", "page")) {
      collect(List.of("server", part), leaves);
    }
    for (String rules : List.of("rules", "nodes")) {
      collect(List.of("simulated", rules, "0"), leaves);
      collect(List.of("simulated", rules, "0", "selector"), leaves);
      leaves.remove(List.of("simulated", rules, "0", "selector"));
    }
    return leaves;
  }

  private static void collect(List<String> parent, List<List<String>> leaves) {
    for (String key : at(parent).keys()) {
      List<String> leaf = new ArrayList<>(parent);
      leaf.add(key);
      leaves.add(leaf);
    }
  }

  private static SchemaNode at(List<String> path) {
    return Objects.requireNonNull(SCHEMA.at(path), () -> "no key " + path);
  }

  static Stream<String> keys() {
    return leaves().stream().map(path -> String.join(".", path));
  }

  private static JsonObject json(String key) {
    return at(List.of(key.split("\\."))).json();
  }

  private static VertletConfig with(String key, @Nullable Object value) {
    List<ConfigOverride> settings = new ArrayList<>();
    if (key.startsWith("simulated.rules.")) {
      settings.add(ConfigOverride.parse("simulated.rules=[{\"name\": \"r\"}]"));
    }
    if (key.startsWith("simulated.nodes.")) {
      settings.add(
          ConfigOverride.parse(
              "simulated.nodes=[{\"name\": \"n\", \"trouble\": \"not-ready\", \"every\": \"1h\","
                  + " \"lasts\": \"1h\"}]"));
    }
    if (COMPANIONS.containsKey(key)) {
      settings.add(ConfigOverride.parse(COMPANIONS.get(key)));
    }
    if (value != null) {
      settings.add(ConfigOverride.parse(key + "=" + Json.encode(value)));
    }
    return TestConfig.load("{}", settings.toArray(ConfigOverride[]::new));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyKeyIsDescribedAndHasAnExample(String key) {
    assertThat(json(key).getString("description")).isNotBlank();
    assertThat(json(key).getJsonArray("examples", new JsonArray())).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("keys")
  void theSchemasDefaultIsTheRecords(String key) {
    assertThat(json(key).containsKey("default")).isNotEqualTo(COMPUTED.contains(key));

    if (!COMPUTED.contains(key)) {
      assertThat(with(key, json(key).getValue("default"))).isEqualTo(with(key, null));
    }
  }

  static Stream<String> keysThatStandAlone() {
    return keys().filter(key -> !NEED_MORE.contains(key));
  }

  @ParameterizedTest
  @MethodSource("keysThatStandAlone")
  void theExampleIsAllowedAndChangesTheConfiguration(String key) {
    Object example = json(key).getJsonArray("examples").getValue(0);
    boolean isDefault = Set.of("nodes.0.provider", "nodes.0.operatingSystem").contains(key);

    if (isDefault) {
      assertThat(with(key, example)).isEqualTo(with(key, null));
    } else {
      assertThat(with(key, example)).isNotEqualTo(with(key, null));
    }
  }

  /** Of features that also work without a configuration. */
  @Test
  void theDefaultsOfFeaturesAreTheSchemas() {
    VertletConfig config = TestConfig.load("{}");
    ConfiguredNode node = config.nodes().get(0);

    assertThat(config.server().tls()).isEqualTo(ServingTls.DEFAULTS);
    assertThat(config.server().authentication()).isEqualTo(Authentication.DEFAULTS);
    assertThat(config.server().authorization()).isEqualTo(Authorization.DEFAULTS);
    assertThat(node.events()).isEqualTo(EventLimit.DEFAULTS);
    assertThat(node.eviction()).isEqualTo(EvictionOptions.DEFAULTS);
    assertThat(node.imageGc()).isEqualTo(ImageGcOptions.DEFAULTS);
  }

  @Test
  void recordsAndSectionsHaveTheSameKeys() {
    same("", VertletConfig.class, "adopt");
    same("agent", AgentConfig.class);
    same("agent.inplace", AgentConfig.InPlace.class);
    same("configSync", ConfigSyncConfig.class);
    same("kubernetes", KubernetesConfig.class);
    same("nodes.0", NodeTemplate.class);
    same("lease", LeaseOptions.class);
    same("replicas", ReplicaOptions.class);
    same("nodeStatus", NodeStatusConfig.class);
    same("pods", PodsConfig.class);
    same("dns", DnsConfig.class);
    same("providers", ProvidersConfig.class, "catalog");
    same("simulated", SimulatedConfig.class);
    same("server", ServerConfig.class);
    same("server.tls", ServingTls.class);
    same("server.authentication", Authentication.class);
    same("server.authorization", Authorization.class);
    same("server.page", ServerConfig.Page.class);
    same("stages", StagesConfig.class);
    same("tracing", TracingConfig.class);
    same("log", LogConfig.class);
  }

  @Test
  void aRuleSaysAllThatTheRuntimeUnderstands() {
    assertThat(at(List.of("simulated", "rules", "0")).keys())
        .containsAll(
            Stream.of(dev.vertlet.simulated.rule.RuleKey.values())
                .map(dev.vertlet.simulated.rule.RuleKey::field)
                .toList());
  }

  private static void same(String place, Class<? extends Record> type, String... derived) {
    List<String> path = place.isEmpty() ? List.of() : List.of(place.split("\\."));
    List<String> keys = new ArrayList<>(at(path).keys());
    keys.remove("$schema");
    keys.remove("kubelet"); // other names for what the rest says
    keys.addAll(List.of(derived));
    assertThat(Stream.of(type.getRecordComponents()).map(RecordComponent::getName))
        .as(type.getSimpleName())
        .containsExactlyElementsOf(keys);
  }

  @Test
  void theSchemaItselfIsValid() {
    assertThat(SCHEMA.root().json().getString("$schema"))
        .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    assertThat(SCHEMA.problems(new JsonObject().put("$schema", "./vertlet.schema.json"))).isEmpty();
  }
}
