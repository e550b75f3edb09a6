package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Measuring;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard and the alerts that are shipped, on a real Prometheus that scrapes agents. Alone,
 * as alerts are about times, and another one fires on a machine that is busy.
 */
@ClusterTest
@FullRing
@Measuring
@Needs(Tool.PROMETHEUS)
@ExtendWith(VertxExtension.class)
class MonitoringIT {
  /** How often Prometheus is asked what fires; it looks once a second. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private static final String FULL = "VertletHeapFull";
  private static final String DOWN = "VertletAgentDown";
  private static final String FEWER = "VertletAgentsFewer";
  private static final String ABSENT = "VertletAgentsAbsent";

  /** A label in a legend. */
  private static final Pattern SHOWN = Pattern.compile("\\{\\{ ?([a-z_]+) ?}}");

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
  void everyQueryOfTheDashboardHasAnAnswer(TestCluster cluster, Vertx vertx) throws Exception {
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    Path config =
        Files.writeString(
            folder.resolve("vertlet.json"),
            """
            {"nodes": [{"name": "watched{i}", "count": 2,
               "capacity": {"cpu": "100", "memory": "1Ti", "pods": "5000"}}],
             "lease": {"renewInterval": "1s", "duration": "10s"}}
            """);
    AgentProcess agent = cluster.agent(AgentProcess.Setup.of(folder, config, proxy.kubeconfig()));
    AlertRules rules = AlertRules.read();
    Prometheus prometheus = cluster.closeAfterTest(Prometheus.start(folder, rules));
    prometheus.scrape("vertlet-1", agent);
    // a rate needs something that happens between two scrapes
    proxy.inject(Fault.answer(503).on("patch", "pods/status").times(2));
    cluster.pods().createMany("p", "watched0", 20);
    Map<String, Asked> wanted = dashboard();
    assertThat(wanted).hasSizeGreaterThan(20);

    wanted.forEach((where, asked) -> answered(prometheus, where, asked));

    // the only alert that fires in AlertRulesTest alone: its cause would need a control group
    answered(
        prometheus,
        "memory",
        new Asked("process_resident_memory_bytes / vertlet_memory_limit_bytes", Set.of("pod")));
    assertThat(prometheus.rules())
        .hasSameSizeAs(rules.rules())
        .allSatisfy(
            rule -> assertThat(rule.path("health").asText()).as(rule.toString()).isEqualTo("ok"));
  }

  @Test
  void everyAlertNamesTheAgentThatHasItsCause(TestCluster cluster, Vertx vertx) throws Exception {
    AlertCauses causes = new AlertCauses(cluster, vertx, folder, AlertRules.read().hurried());
    Prometheus prometheus = causes.prometheus();
    Set<String> first = new TreeSet<>(AlertCauses.AGENTS.keySet());
    first.removeAll(Set.of(FULL, DOWN, FEWER, ABSENT));

    causes.begin();
    fire(prometheus, first, causes::goOn);
    fire(prometheus, Set.of(FULL), causes::fill);
    causes.kill();
    fire(prometheus, Set.of(DOWN), () -> {});
    causes.delete();
    fire(prometheus, Set.of(FEWER), () -> {});
    assertThat(
            fired(prometheus).entrySet().stream()
                .filter(entry -> entry.getValue().contains(AlertCauses.WELL))
                .map(Map.Entry::getKey))
        .as("of the agent that is well")
        .isSubsetOf(AlertCauses.BY_A_SLOW_MACHINE);

    causes.killAll();
    eventually(() -> assertThat(prometheus.query("up == 1")).isEmpty());
    eventually(
        () ->
            assertThat(prometheus.alerts())
                .extracting(alert -> alert.at("/labels/alertname").asText())
                .contains(ABSENT));
  }

  /** Something that is done until alerts fire. */
  private interface Step {
    void take() throws Exception;
  }

  /** Waits until these have fired for those that have their causes, whatever else fires. */
  private static void fire(Prometheus prometheus, Set<String> wanted, Step step) {
    await()
        .pollInterval(LOOK)
        .untilAsserted(
            () -> {
              step.take();
              readable(prometheus.alerts());
              Map<String, Set<String>> fired = fired(prometheus);
              assertThat(wanted)
                  .allSatisfy(
                      alert ->
                          assertThat(fired.getOrDefault(alert, Set.of()))
                              .as("%s, of all that fired: %s", alert, fired)
                              .contains(AlertCauses.AGENTS.get(alert)));
            });
  }

  /** The pods of all that has fired so far, by alert. */
  private static Map<String, Set<String>> fired(Prometheus prometheus) throws Exception {
    Map<String, Set<String>> fired = new TreeMap<>();
    for (JsonNode one :
        prometheus.query(
            "count by (alertname, pod) (last_over_time(ALERTS{alertstate=\"firing\"}[1h]))")) {
      fired
          .computeIfAbsent(one.at("/metric/alertname").asText(), name -> new TreeSet<>())
          .add(one.at("/metric/pod").asText());
    }
    return fired;
  }

  /** What people read names the agent, and has all that it is to show. */
  private static void readable(JsonNode alerts) {
    assertThat(alerts)
        .allSatisfy(
            alert ->
                assertThat(alert.at("/annotations/description").asText())
                    .contains(
                        alert.at("/labels/pod").asText(), alert.at("/labels/instance").asText())
                    .doesNotContain("<no value>", "<error", "%!"));
  }

  /** With a number, once all has happened, and with every label that is shown. */
  private static void answered(Prometheus prometheus, String where, Asked asked) {
    ThrowingConsumer<JsonNode> shown =
        one -> assertThat(names(one.path("metric"))).containsAll(asked.labels());
    eventually(
        () -> {
          JsonNode result = prometheus.query(asked.query());
          assertThat(result).as(where + ": " + asked.query()).isNotEmpty();
          assertThat(result)
              .as(where + ": " + asked.query())
              .anySatisfy(
                  one -> assertThat(one.at("/value/1").asText()).matches("[-+]?([0-9].*|Inf)"))
              .allSatisfy(shown);
        });
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new HashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Map<String, Asked> dashboard() throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(AlertRules.SHIPPED.resolve("dashboard.json").toFile());
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
}
