package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.config.document.ConfigException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {
  private static final Arrival BURST = new Arrival.Burst(Arrival.Burst.WINDOW);

  @TempDir private Path dir;

  private Scenario read(String json) throws IOException {
    return ScenarioReader.read(Files.writeString(dir.resolve("mine.json"), json));
  }

  private Phase phase(String json) throws IOException {
    List<Phase> phases =
        read("{'nodes': 2, 'phases': [{'name': 'p', %s}]}".formatted(json).replace('\'', '"'))
            .phases();
    assertThat(phases).hasSize(1);
    return phases.get(0);
  }

  private Arrival arrival(String json) throws IOException {
    return ((Phase.Create) phase("'create': {'pods': 3, 'arrival': " + json + "}")).arrival();
  }

  private Optional<Lifetime> lifetime(String text) throws IOException {
    return ((Phase.Create) phase("'create': {'pods': 3, 'lifetime': '" + text + "'}")).lifetime();
  }

  private ScheduledFault fault(String json) throws IOException {
    return read("{'nodes': 1, 'phases': [{'name': 'p', 'hold': '1s'}], 'faults': [%s]}"
            .formatted(json)
            .replace('\'', '"'))
        .faults()
        .get(0);
  }

  /** One line per mistake. */
  private String mistakes(String json) {
    ConfigException refused =
        catchThrowableOfType(ConfigException.class, () -> read(json.replace('\'', '"')));
    assertThat(refused).as(json).isNotNull();
    return String.valueOf(refused.getMessage());
  }

  private String mistakesOfPhase(String json) {
    return mistakes("{'nodes': 1, 'phases': [{'name': 'p', " + json + "}]}");
  }

  @Test
  void whatIsNotSaidIsAsUsual() throws IOException {
    Scenario scenario = read("{\"nodes\": 3, \"phases\": [{\"name\": \"p\", \"hold\": \"1m\"}]}");

    assertThat(scenario)
        .isEqualTo(
            new Scenario(
                "mine",
                "",
                3,
                1,
                Placement.BOUND,
                1,
                30,
                1,
                List.of(new Phase.Hold("p", false, Duration.ofMinutes(1))),
                List.of(),
                List.of()));
  }

  @Test
  void everythingCanBeSaid() throws IOException {
    Scenario scenario =
        read(
            """
            {"$schema": "s", "name": "n", "description": "d", "nodes": 4, "namespaces": 5,
             "placement": "scheduled", "containers": 2, "graceSeconds": 0, "seed": 9,
             "phases": [{"name": "up", "warmUp": true, "create": {"pods": 7}}],
             "faults": [{"at": "1s", "cutWatches": {}}],
             "thresholds": [{"figure": "phases.up.per_s", "min": 1.5}, {"figure": "lost", "max": 0}]}
            """);

    assertThat(scenario)
        .isEqualTo(
            new Scenario(
                "n",
                "d",
                4,
                5,
                Placement.SCHEDULED,
                2,
                0,
                9,
                List.of(new Phase.Create("up", true, 7, BURST, Optional.empty())),
                List.of(
                    new ScheduledFault(
                        Duration.ofSeconds(1), Duration.ZERO, new ScheduledFault.CutWatches())),
                List.of(
                    new Threshold(
                        "phases.up.per_s", 1.5, Double.POSITIVE_INFINITY, "/thresholds/0/figure"),
                    new Threshold("lost", Double.NEGATIVE_INFINITY, 0, "/thresholds/1/figure"))));
  }

  private String thresholds(String json) {
    return "{'nodes': 1, 'phases': [{'name': 'p', 'hold': '1s'}], 'thresholds': %s}"
        .formatted(json);
  }

  @Test
  void serviceLevelsAreThresholdsBesideOthers() throws IOException {
    Scenario scenario =
        read(
            thresholds("{'slo': 'kubernetes', 'figures': [{'figure': 'lost', 'max': 0}]}")
                .replace('\'', '"'));

    assertThat(scenario.thresholds())
        .containsExactly(
            new Threshold("lost", Double.NEGATIVE_INFINITY, 0, "/thresholds/figures/0/figure"),
            level("mutating", 1_000),
            level("single_reads", 1_000),
            level("lists", 30_000),
            level("pod_startup", 5_000));
    assertThat(scenario.judgesServiceLevels()).isTrue();
    assertThat(scenario.judgesPodStartup()).isTrue();
  }

  private static Threshold level(String name, double limit) {
    return new Threshold(
        "service_levels." + name + ".p99_ms", Double.NEGATIVE_INFINITY, limit, "/thresholds/slo");
  }

  @Test
  void mistakesInServiceLevelsAreNamed() {
    assertThat(mistakes(thresholds("{'slo': 'openshift'}")))
        .contains("/thresholds/slo", "openshift", "must be one of \"kubernetes\"");
    assertThat(mistakes(thresholds("{'figures': []}")))
        .contains("/thresholds/slo", "is missing; must be one of \"kubernetes\"");
    assertThat(mistakes(thresholds("{'slo': 'kubernetes', 'figure': 1}")))
        .contains("/thresholds/figure", "unknown key");
    assertThat(mistakes(thresholds("'kubernetes'")))
        .contains("/thresholds", "must be a list of thresholds, or an object with slo");
    assertThat(
            mistakes(
                thresholds(
                    "{'slo': 'kubernetes', 'figures': [{'figure': 'phases.q.per_s', 'max': 1}]}")))
        .contains("/thresholds/figures/0/figure", "must name a phase");
  }

  @Test
  void readsEveryArrival() throws IOException {
    Files.writeString(dir.resolve("t.csv"), "seconds\n0\n1.5\n\n90.000000001\n");

    assertThat(arrival("{'burst': 16}")).isEqualTo(new Arrival.Burst(16));
    assertThat(arrival("{'constant': 0.5}")).isEqualTo(new Arrival.Constant(0.5));
    assertThat(arrival("{'poisson': 50}")).isEqualTo(new Arrival.Poisson(50));
    assertThat(arrival("{'steps': [{'perSecond': 1, 'for': '2s'}, {'perSecond': 3}]}"))
        .isEqualTo(
            new Arrival.Steps(
                List.of(
                    new Arrival.Step(1, Duration.ofSeconds(2)),
                    new Arrival.Step(3, Duration.ZERO))));
    assertThat(arrival("{'trace': 't.csv'}"))
        .isEqualTo(
            new Arrival.Trace(
                List.of(
                    Duration.ZERO, Duration.ofMillis(1500), Duration.ofNanos(90_000_000_001L))));
  }

  @Test
  void readsEveryLifetime() throws IOException {
    assertThat(lifetime("30s")).contains(new Lifetime.Fixed(Duration.ofSeconds(30)));
    assertThat(lifetime("1m30s..2m"))
        .contains(new Lifetime.Uniform(Duration.ofSeconds(90), Duration.ofMinutes(2)));
    assertThat(lifetime("exponential( 1.5s )"))
        .contains(new Lifetime.Exponential(Duration.ofMillis(1500)));
  }

  @Test
  void readsEveryPhase() throws IOException {
    Scenario scenario =
        read(
            """
            {"nodes": 1, "placement": "scheduled", "phases": [
              {"name": "a", "create": {"pods": 5, "arrival": {"constant": 2}}},
              {"name": "b", "deploy": {"deployments": 2, "replicas": 3}},
              {"name": "c", "update": {"updates": 9}},
              {"name": "d", "delete": {"pods": 4}},
              {"name": "e", "delete": {}},
              {"name": "f", "undeploy": {"deployments": 1}},
              {"name": "g", "undeploy": {}},
              {"name": "r", "rollout": {"kubelet": {"maxPods": 5}}},
              {"name": "h", "hold": "2s"}]}
            """);

    assertThat(scenario.rollsOut()).isTrue();
    assertThat(scenario.phases())
        .containsExactly(
            new Phase.Create("a", false, 5, new Arrival.Constant(2), Optional.empty()),
            new Phase.Deploy("b", false, 2, 3, BURST),
            new Phase.Update("c", false, 9, BURST),
            new Phase.Delete("d", false, 4, BURST),
            new Phase.Delete("e", false, Integer.MAX_VALUE, BURST),
            new Phase.Undeploy("f", false, 1, BURST),
            new Phase.Undeploy("g", false, Integer.MAX_VALUE, BURST),
            new Phase.Rollout("r", false, new JsonObject().put("maxPods", 5)),
            new Phase.Hold("h", false, Duration.ofSeconds(2)));
  }

  @Test
  void readsEveryFault() throws IOException {
    Duration second = Duration.ofSeconds(1);
    assertThat(fault("{'at': '1m', 'every': '2m', 'refuse': {'for': '1s'}}"))
        .isEqualTo(
            new ScheduledFault(
                Duration.ofMinutes(1), Duration.ofMinutes(2), new ScheduledFault.Refuse(second)));
    assertThat(fault("{'at': '0', 'freeze': {'for': '1s'}}").kind())
        .isEqualTo(new ScheduledFault.Freeze(second));
    assertThat(fault("{'at': '0', 'latency': {'by': '5ms', 'for': '1s'}}").kind())
        .isEqualTo(new ScheduledFault.Latency(Duration.ofMillis(5), "*", "*", 1, second));
    assertThat(
            fault(
                    "{'at': '0', 'errors': {'code': 429, 'retryAfter': '3s', 'verb': 'patch',"
                        + " 'resource': 'pods/status', 'share': 0.5, 'for': '1s'}}")
                .kind())
        .isEqualTo(
            new ScheduledFault.Errors(
                429, Duration.ofSeconds(3), "patch", "pods/status", 0.5, second));
    assertThat(fault("{'at': '0', 'restartApiServer': {}}").kind())
        .isEqualTo(new ScheduledFault.RestartApiServer(second));
    assertThat(fault("{'at': '0', 'restartSubject': {'down': '9s', 'orderly': true}}").kind())
        .isEqualTo(new ScheduledFault.RestartSubject(Duration.ofSeconds(9), true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'constant': 50}                                            | 10s | 500",
        "{'poisson': 0.5}                                            | 1m  | 30",
        "{'steps': [{'perSecond': 1, 'for': '2s'}, {'perSecond': 5}]} | 3s  | 7",
      })
  void aDurationIsAsManyAsAreDueInIt(String arrival, String duration, int pods) throws IOException {
    Phase phase =
        phase(
            "'create': {'duration': '%s', 'arrival': %s}"
                .formatted(duration, arrival.replace("''", "'")));

    assertThat(((Phase.Create) phase).pods()).isEqualTo(pods);
  }

  @Test
  void aTraceSaysHowMany() throws IOException {
    Files.writeString(dir.resolve("t.csv"), "0\n1\n2\n3\n");

    Phase all = phase("'create': {'arrival': {'trace': 't.csv'}}");
    Phase some = phase("'create': {'duration': '2s', 'arrival': {'trace': 't.csv'}}");

    assertThat(((Phase.Create) all).pods()).isEqualTo(4);
    assertThat(((Phase.Create) some).pods()).isEqualTo(2);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> ScenarioReader.read(dir.resolve("none.json")))
        .hasMessage(dir.resolve("none.json") + ": cannot be read: no such file");
  }

  @Test
  void namesTheFieldTheValueAndWhatIsAllowed() {
    assertThat(mistakes("{'nodes': 0, 'phases': [{'name': 'p', 'hold': '1 s'}]}").lines())
        .containsExactlyInAnyOrder(
            "/nodes: 0 must be a whole number from 1 to 10000",
            "/phases/0/hold: \"1 s\" must be a duration such as \"10s\", \"500ms\" or \"1m30s\"");
    assertThat(mistakes("{'phases': []}").lines())
        .containsExactlyInAnyOrder(
            "/nodes: is missing; must be a whole number from 1 to 10000",
            "/phases: [] must have at least one item");
    assertThat(mistakesOfPhase("'hold': '1s', 'warmup': true"))
        .isEqualTo("/phases/0/warmup: unknown key; did you mean \"warmUp\"?");
    assertThat(mistakesOfPhase("'create': {'pods': 1, 'arrival': {'constant': 0}}"))
        .isEqualTo("/phases/0/create/arrival/constant: 0 must be a number above 0, up to 100000");
    assertThat(mistakesOfPhase("'create': {'pods': 1, 'lifetime': 'normal(1s,2s)'}"))
        .isEqualTo(
            "/phases/0/create/lifetime: \"normal(1s,2s)\" must be a time such as \"30s\","
                + " \"10s..60s\" or \"exponential(30s)\"");
  }

  @Test
  void aChoiceIsOfExactlyOne() {
    String phase =
        "must be a phase: a name and exactly one of create, deploy, undeploy, update, rollout,"
            + " delete and hold";

    assertThat(mistakes("{'nodes': 1, 'phases': [{'name': 'p'}]}"))
        .isEqualTo("/phases/0: {\"name\":\"p\"} " + phase);
    assertThat(mistakesOfPhase("'hold': '1s', 'delete': {}")).contains(phase);
    assertThat(mistakesOfPhase("'create': {'pods': 1, 'arrival': {}}"))
        .isEqualTo(
            "/phases/0/create/arrival: {} must be an arrival: exactly one of burst, constant,"
                + " poisson, steps and trace");
    assertThat(
            mistakes(
                    "{'nodes': 1, 'phases': [{'name': 'p', 'hold': '1s'}], 'faults': [{'at': '1s'}],"
                        + " 'thresholds': [{'figure': 'lost'}]}")
                .lines())
        .containsExactlyInAnyOrder(
            "/faults/0: {\"at\":\"1s\"} must be a fault: at and exactly one of latency, errors,"
                + " cutWatches, refuse, freeze, restartApiServer and restartSubject",
            "/thresholds/0: {\"figure\":\"lost\"} must be a threshold: a figure and min, max or"
                + " both");
  }

  @Test
  void aNumberIsGivenInOneWay() {
    assertThat(mistakesOfPhase("'create': {}"))
        .isEqualTo(
            "/phases/0/create/pods: is missing; give it, or \"duration\" for as many as are due in"
                + " it");
    assertThat(
            mistakesOfPhase("'create': {'pods': 1, 'duration': '1s', 'arrival': {'constant': 1}}"))
        .isEqualTo("/phases/0/create/duration: \"pods\" says how many: give one of the two");
    assertThat(mistakesOfPhase("'create': {'duration': '1s'}"))
        .isEqualTo(
            "/phases/0/create/duration: needs an arrival with a rate or a trace: a burst is as"
                + " short as it can be");
    assertThat(mistakesOfPhase("'create': {'duration': '100h', 'arrival': {'constant': 100}}"))
        .isEqualTo(
            "/phases/0/create/duration: \"100h\" must be a time in which from 1 to 1,000,000 are"
                + " due; in this one it is 36,000,000");
  }

  @Test
  void partsThatDoNotFitAreNamedTogether() {
    assertThat(
            mistakes(
                    """
                    {'nodes': 1,
                     'phases': [
                       {'name': 'a', 'create': {'pods': 5, 'lifetime': '9s..2s'}},
                       {'name': 'a', 'delete': {}},
                       {'name': 'b', 'update': {'updates': 5}},
                       {'name': 'c', 'undeploy': {}},
                       {'name': 'd', 'deploy': {'deployments': 1}},
                       {'name': 'e', 'create': {'pods': 9, 'arrival':
                         {'steps': [{'perSecond': 1}, {'perSecond': 2}]}}}],
                     'faults': [{'at': '1s', 'every': '0', 'cutWatches': {}}],
                     'thresholds': [
                       {'figure': 'phases.up.per_s', 'max': 5},
                       {'figure': 'lost', 'min': 3, 'max': 2}]}
                    """)
                .lines())
        .containsExactly(
            "/phases/0/create/lifetime: \"9s..2s\" must be a range from the shorter to the longer"
                + " time",
            "/phases/5/create/arrival/steps/0/for: must be given and above 0s for every step but"
                + " the last",
            "/faults/0/every: \"0\" must be above 0s; leave it out for a fault that happens once",
            "/thresholds/1/min: 3.0 must be at most \"max\", which is 2.0",
            "/phases/1/name: \"a\" must be unique in the scenario",
            "/placement: \"bound\" must be \"scheduled\" where Deployments are made: nobody else"
                + " knows their pods' names",
            "/phases/1/delete: has nothing to do: the phases before it leave no pods of its own",
            "/phases/2/update: has nothing to do: the phases before it leave no pods",
            "/phases/3/undeploy: has nothing to do: the phases before it leave no Deployments",
            "/thresholds/0/figure: \"phases.up.per_s\" must name a phase after \"phases.\": a, b,"
                + " c, d, e");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seconds      | must have at least one time",
        "0;1;x        | , line 3: \"x\" must be a number of seconds such as 0, 1.5 or 90.25",
        "0;-1         | , line 2: \"-1\" must be a number of seconds such as 0, 1.5 or 90.25",
        "seconds;2;1  | , line 3: \"1\" must be no less than the line above",
      })
  void aTracesMistakesHaveTheirLine(String lines, String message) throws IOException {
    Path trace = Files.writeString(dir.resolve("t.csv"), lines.replace(';', '\n'));

    String mistakes = mistakesOfPhase("'create': {'arrival': {'trace': 't.csv'}}");

    assertThat(mistakes).startsWith(trace.toString()).endsWith(message);
  }

  @Test
  void aTraceHasToBeThereAndLongEnough() throws IOException {
    assertThat(mistakesOfPhase("'create': {'arrival': {'trace': 'none.csv'}}"))
        .isEqualTo(dir.resolve("none.csv") + ": cannot be read: no such file");
    Files.writeString(dir.resolve("t.csv"), "0\n1\n");
    assertThat(mistakesOfPhase("'create': {'pods': 3, 'arrival': {'trace': 't.csv'}}"))
        .isEqualTo(
            "/phases/0/create/pods: 3 must be at most 2, which is how many times the trace has");
  }
}
