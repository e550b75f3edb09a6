package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the dashboard and the alerts ask of Prometheus is there when an agent works. */
@ClusterTest
@FullRing
@Needs(Tool.PROMETHEUS)
@ExtendWith(VertxExtension.class)
class MonitoringIT {
  private static final Path SHIPPED =
      Path.of("..", "..", "k8s", "manifests", "components", "monitoring");

  /** What makes an alert of a value. */
  private static final Pattern THRESHOLD = Pattern.compile(" (?:>|<|==) [0-9.]+$");

  /** A label in what people read: of a legend, or of an alert's text. */
  private static final Pattern SHOWN = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?([a-z_]+) ?}}");

  @TempDir private Path folder;

  /** A query, and the labels that are shown of what it comes to. */
  private record Asked(String query, Set<String> labels) {
    static Asked of(String query, String text) {
      Set<String> labels = new HashSet<>();
      Matcher shown = SHOWN.matcher(text);
      while (shown.find()) {
        labels.add(shown.group(1));
      }
      return new Asked(query, labels);
    }
  }

  @Test
  void everyQueryOfTheDashboardAndOfTheAlertsHasAnAnswer(TestCluster cluster, Vertx vertx)
      throws Exception {
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    Path config =
        Files.writeString(
            folder.resolve("vertlet.json"),
            """
            {"nodes": [{"name": "watched{i}", "count": 2,
               "capacity": {"cpu": "100", "memory": "1Ti", "pods": "5000"}}],
             "lease": {"renewInterval": "1s", "duration": "10s"},
             "configSync": {"enabled": true, "allowedNamespaces": ["%s"]}}
            """
                .formatted(cluster.namespace()));
    AgentProcess agent = cluster.agent(AgentProcess.Setup.of(folder, config, proxy.kubeconfig()));
    JsonNode rules =
        Serialization.unmarshal(
            Files.readString(SHIPPED.resolve("prometheusrule.yaml")), JsonNode.class);
    try (Prometheus prometheus =
        new Prometheus(
            Files.createDirectory(folder.resolve("prometheus")),
            agent.address(),
            "vertlet-system",
            "vertlet-1",
            Serialization.asYaml(rules.path("spec")))) {
      eventually(() -> assertThat(prometheus.query("up == 1")).isNotEmpty());
      // a rate needs something that happens between two scrapes
      proxy.inject(Fault.answer(503).on("patch", "pods/status").times(2));
      cluster.pods().createMany("p", "watched0", 20);
      Map<String, Asked> wanted = new TreeMap<>(dashboard());
      wanted.putAll(alerts(rules.at("/spec/groups/0/rules")));
      assertThat(wanted).hasSizeGreaterThan(25);

      wanted.forEach((where, asked) -> answered(prometheus, where, asked));

      assertThat(prometheus.query("absent(vertlet_build_info)")).isEmpty();
      assertThat(prometheus.rules())
          .hasSameSizeAs(rules.at("/spec/groups/0/rules"))
          .allSatisfy(
              rule -> assertThat(rule.path("health").asText()).as(rule.toString()).isEqualTo("ok"));
    }
  }

  /** With a number, once all has happened, and with every label that is shown. */
  private static void answered(Prometheus prometheus, String where, Asked asked) {
    eventually(
        () -> {
          JsonNode result = prometheus.query(asked.query());
          assertThat(result).as(where + ": " + asked.query()).isNotEmpty();
          assertThat(result)
              .as(where + ": " + asked.query())
              .anySatisfy(
                  one -> assertThat(one.at("/value/1").asText()).matches("[-+]?([0-9].*|Inf)"))
              .allSatisfy(one -> assertThat(names(one.path("metric"))).containsAll(asked.labels()));
        });
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new HashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Map<String, Asked> dashboard() throws Exception {
    JsonNode dashboard = new ObjectMapper().readTree(SHIPPED.resolve("dashboard.json").toFile());
    Map<String, Asked> asked = new TreeMap<>();
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query =
            target.path("expr").asText().replace("$pod", ".*").replace("$__rate_interval", "1m");
        asked.put(
            panel.path("title").asText() + " " + target.path("refId").asText(),
            Asked.of(query, target.path("legendFormat").asText()));
      }
    }
    assertThat(dashboard.at("/templating/list").toString())
        .contains("label_values(vertlet_build_info, pod)");
    asked.put("variable pod", new Asked("vertlet_build_info", Set.of("pod")));
    return asked;
  }

  /** All but the first, which has an answer when nothing else has. */
  private static Map<String, Asked> alerts(JsonNode rules) {
    Map<String, Asked> asked = new TreeMap<>();
    StreamSupport.stream(rules.spliterator(), false)
        .filter(rule -> !rule.path("expr").asText().startsWith("absent("))
        .forEach(
            rule ->
                asked.put(
                    rule.path("alert").asText(),
                    Asked.of(
                        THRESHOLD.matcher(rule.path("expr").asText()).replaceFirst(""),
                        rule.at("/annotations/description").asText())));
    return asked;
  }
}
