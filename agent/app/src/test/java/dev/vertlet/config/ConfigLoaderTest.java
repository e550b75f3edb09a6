package dev.vertlet.config;

import static dev.vertlet.simulated.rule.RuleKey.EXIT_CODE;
import static dev.vertlet.simulated.rule.RuleKey.OOM_AFTER;
import static dev.vertlet.simulated.rule.RuleKey.PULL_DELAY;
import static dev.vertlet.simulated.rule.RuleKey.READY_DELAY;
import static dev.vertlet.simulated.rule.RuleKey.RUN_FOR;
import static dev.vertlet.simulated.rule.RuleKey.SANDBOX_DELAY;
import static dev.vertlet.simulated.rule.RuleKey.SANDBOX_ERROR;
import static dev.vertlet.simulated.rule.RuleKey.STOP_DELAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.kube.access.TlsEngine;
import dev.vertlet.kube.client.HttpProtocol;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.pods.PodWatchOptions;
import dev.vertlet.problem.Problem;
import dev.vertlet.replicas.ReplicaOptions;
import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.Glob;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.NodeRule;
import dev.vertlet.simulated.rule.PodSelector;
import dev.vertlet.simulated.rule.SimulatedRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  private static final LeaseOptions LEASE =
      new LeaseOptions(true, Duration.ofSeconds(40), Duration.ofSeconds(10));

  @Test
  void anEmptyObjectIsTheDefaults() {
    VertletConfig config = TestConfig.load("{}");

    assertThat(config.agent().identity()).isEqualTo("host-1");
    assertThat(config.agent().dataDir()).isEqualTo(Path.of("/home/me/.local/state/vertlet"));
    assertThat(config.agent().shards()).isEqualTo(1);
    assertThat(config.lease()).isEqualTo(LEASE);
    assertThat(config.kubernetes())
        .isEqualTo(
            new KubernetesConfig(
                "",
                "",
                HttpProtocol.HTTP_2,
                TlsEngine.AUTO,
                KubernetesConfig.Encoding.PROTOBUF,
                PodWatchOptions.Mode.AUTO,
                Duration.ofSeconds(30),
                64,
                0,
                0,
                500,
                8 << 20));
    assertThat(config.nodeSpecs()).singleElement().extracting("name").isEqualTo("host-1-v0");
  }

  /** As a kubelet's leases: whoever says the duration alone has said enough. */
  @Test
  void renewalsFollowTheDuration() {
    VertletConfig config =
        TestConfig.load(
            """
            {"lease": {"duration": "8s"}, "replicas": {"duration": "3s"}}\
            """);

    assertThat(config.lease().renewInterval()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.replicas().renewInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(TestConfig.load("{}").lease()).isEqualTo(LEASE);
    assertThat(TestConfig.load("{}").replicas())
        .isEqualTo(
            new ReplicaOptions(
                false, "vertlet", "", Duration.ofSeconds(15), Duration.ofSeconds(5)));
  }

  @Test
  void agentsThatDivideTheNodesNameThem() {
    ConfigException refused =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                TestConfig.load(
                    """
                    {"replicas": {"enabled": true, "group": "A", "duration": "2s"},
                     "agent": {"identity": "My Agent"}}\
                    """));
    assertThat(refused.problems())
        .extracting(Problem::toString)
        .containsExactlyInAnyOrder(
            "/replicas/group: \"A\" must be 1 to 40 lower case letters, digits and -",
            "/nodes: each must have a name, the same in every agent, when replicas.enabled is true",
            "/agent/identity: \"My Agent\" must be at most 182 lower case letters, digits, - and ."
                + " when replicas.enabled is true");

    VertletConfig config =
        TestConfig.load("{\"replicas\": {\"enabled\": true}, \"nodes\": [{\"name\": \"v\"}]}");
    assertThat(config.replicas())
        .isEqualTo(
            new ReplicaOptions(true, "vertlet", "", Duration.ofSeconds(15), Duration.ofSeconds(5)));
  }

  @Test
  void replicasSayNothingOfWhatCannotBeRead() {
    for (String value : List.of("null", "5", "{}")) {
      assertThat(
              TestConfig.mistakes("{\"replicas\": {\"enabled\": true}, \"nodes\": " + value + "}"))
          .singleElement()
          .asString()
          .startsWith("/nodes: ")
          .contains(value + " must be a list of node templates");
      assertThat(
              TestConfig.mistakes(
                  "{\"replicas\": {\"enabled\": true}, \"nodes\": [{\"name\": \"v\"}], \"agent\":"
                      + " {\"identity\": "
                      + value
                      + "}}"))
          .singleElement()
          .asString()
          .startsWith("/agent/identity: " + value + " must be a text");
    }
  }

  @Test
  void whatNoFileCanBeCalledIsAMistakeOfItsKey() {
    assertThat(
            TestConfig.mistakes(
                """
                {"agent": {"dataDir": "a\\u0000"}, "providers": {"directory": "\\u0000"},
                 "kubernetes": {"kubeconfig": "~/\\u0000"}, "server": {"logDirectory": "\\u0000"},
                 "dns": {"resolvConf": "/\\u0000"}, "nodes": [{"staticPodPath": "\\u0000"}]}\
                """))
        .allMatch(line -> line.contains("\\u0000\" must be a path of characters"), "a path")
        .extracting(line -> line.substring(0, line.indexOf(':')))
        .containsExactly(
            "/agent/dataDir",
            "/kubernetes/kubeconfig",
            "/nodes/0/staticPodPath",
            "/dns/resolvConf",
            "/providers/directory",
            "/server/logDirectory");
  }

  @Test
  void aKeyOfAnEarlierVersionIsRefusedWithWhatCameInItsPlace() {
    assertThat(
            TestConfig.mistakes("{\"server\": {\"page\": {\"authentication\": \"tokenReview\"}}}"))
        .containsExactly(
            "/server/page/authentication: is no key any more: metrics and page always ask for a"
                + " token, but on loopback; leave it out for \"tokenReview\", set server.open to"
                + " true for \"none\"");
  }

  @Test
  void aListInThePlaceOfANodeTakesNoFieldOfAKubelet() {
    assertThat(TestConfig.mistakes("{\"kubelet\": {\"maxPods\": 5}, \"nodes\": [[{}]]}"))
        .containsExactly("/nodes/0: [{}] must be an object");
  }

  @Test
  void aMistakeIsOneLineWhateverItIsAbout() {
    assertThat(TestConfig.mistakes("{\"log\": {\"le\\nv\\u001b[31m\u2028el\": 1}}"))
        .singleElement()
        .asString()
        .startsWith("/log/le")
        .doesNotContainPattern("\\p{Cntrl}|\u2028");
    assertThat(TestConfig.mistakes("{\"" + "k".repeat(5_000) + "\": 1}"))
        .singleElement()
        .asString()
        .startsWith("/" + "k".repeat(500))
        .contains("…: unknown key")
        .hasSizeLessThan(2_000);
  }

  @Test
  void flagsStandAboveTheEnvironmentAndTheEnvironmentAboveTheFile() {
    String file =
        """
        {"lease": {"duration": "20s", "renewInterval": "6s"}, "log": {"level": "warn"}}\
        """;
    Environment environment =
        TestConfig.environment(
            Map.of("VERTLET_LEASE_DURATION", "30s", "VERTLET_LEASE_RENEW_INTERVAL", "7s"));

    VertletConfig config =
        new ConfigLoader(environment)
            .parse("f.json", file, List.of(ConfigOverride.parse("lease.duration=50s")))
            .config();

    assertThat(config.lease())
        .isEqualTo(new LeaseOptions(true, Duration.ofSeconds(50), Duration.ofSeconds(7)));
    assertThat(config.log().level()).isEqualTo(LogConfig.Level.WARN);
  }

  @Test
  void everyMistakeIsReportedAtOnceWithPointerValueAndWhatIsAllowed() {
    String file =
        """
        {
          "log": {"level": "loud"},
          "server": {"port": -1},
          "agent": {"shards": "two"},
          "lease": {"duration": "40s", "renewInterval": "45s", "renewIntervall": "1s"},
          "nodeStatus": {"pingTimeout": "soon"},
          "kubernetes": {"kubeAPIBurst": 5, "listPageSize": 0},
          "nodes": [
            {"name": "a", "count": 2},
            {"name": "B_", "capacity": {"memory": "lots"}, "provider": "crio"}
          ],
          "pots": {}
        }\
        """;

    assertThat(TestConfig.mistakes(file))
        .containsExactly(
            "/agent/shards: \"two\" must be a whole number from 1 to 64",
            "/kubernetes/listPageSize: 0 must be a whole number from 1 to 10000",
            "/nodes/0/name: \"a\" must contain {i} when count is 2",
            "/nodes/1/name: \"B_\" must be a lowercase RFC 1123 subdomain: it must consist of lower"
                + " case alphanumeric characters, '-' or '.', and must start and end with an"
                + " alphanumeric character (e.g. 'example.com')",
            "/nodes/1/provider: \"crio\" is not a provider; available: simulated, cri, process,"
                + " remote, stages",
            "/nodes/1/capacity/memory: \"lots\" must be a quantity from 0 up, such as \"4\","
                + " \"500m\" or \"8Gi\"",
            "/lease/renewIntervall: unknown key; did you mean \"renewInterval\"?",
            "/lease/renewInterval: \"45s\" must be at most half of lease.duration \"40s\"",
            "/nodeStatus/pingTimeout: \"soon\" must be a duration such as \"10s\", \"500ms\" or"
                + " \"1m30s\"",
            "/server/port: -1 must be a whole number from 0 to 65535",
            "/log/level: \"loud\" must be one of \"error\", \"warn\", \"info\", \"debug\","
                + " \"trace\"",
            "/pots: unknown key; did you mean \"pods\"?");
  }

  @Test
  void whatCannotBeReadHidesNoMistakeBesideIt() {
    String file =
        """
        {
          "nodes": [
            5,
            {"name": "B_", "count": "x", "provider": 7},
            {"name": 5, "provider": "crio", "labels": {"a/b/c": "d"}, "taints": ["x"]},
            {"name": "c", "annotations": {"-": "e"}}
          ],
          "simulated": {
            "seed": "s", "rules": ["r", {"name": "x", "exitCode": "7:0"}], "imageSize": "-1"
          }
        }\
        """;

    assertThat(TestConfig.mistakes(file))
        .extracting(line -> line.substring(0, line.indexOf(": ")))
        .containsExactlyInAnyOrder(
            "/nodes/0",
            "/nodes/1/count",
            "/nodes/1/provider",
            "/nodes/1/name",
            "/nodes/2/name",
            "/nodes/2/taints/0",
            "/nodes/2/provider",
            "/nodes/2/labels/a~1b~1c",
            "/nodes/3/annotations/-",
            "/simulated/seed",
            "/simulated/rules/0",
            "/simulated/rules/1/exitCode",
            "/simulated/imageSize");
  }

  @Test
  void aDefaultInThePlaceOfWhatCannotBeReadIsNoMistake() {
    String file =
        """
        {"nodes": [{"name": 5}, {"name": "a", "count": 2, "podCIDR": 7}, {"name": "a"}]}\
        """;

    assertThat(TestConfig.mistakes(file))
        .extracting(line -> line.substring(0, line.indexOf(": ")))
        .containsExactly("/nodes/0/name", "/nodes/1/podCIDR");
  }

  @Test
  void unknownKeysWithoutANearOneListWhatIsKnown() {
    assertThat(TestConfig.mistakes("{\"lease\": {\"frobnicate\": 1}}"))
        .containsExactly(
            "/lease/frobnicate: unknown key; known are enabled, duration, renewInterval");
  }

  @Test
  void aMistakeNamesTheVariableOrFlagItCameFrom() {
    ConfigLoader loader =
        new ConfigLoader(TestConfig.environment(Map.of("VERTLET_SERVER_PORT", "http")));

    ConfigException failure =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                loader.parse(
                    "f.json", "{}", List.of(ConfigOverride.parse("lease.renewInterval=2h"))));

    assertThat(failure.problems())
        .extracting(Problem::toString)
        .containsExactly(
            "/lease/renewInterval: \"2h\" must be at most half of lease.duration \"40s\" (set by"
                + " --set lease.renewInterval)",
            "/server/port: \"http\" must be a whole number from 0 to 65535 (set by"
                + " VERTLET_SERVER_PORT)");
  }

  @Test
  void absurdDurationsAreRefused() {
    assertThat(
            TestConfig.mistakes(
                """
                {"lease": {"duration": "1500ms", "renewInterval": "0s"},
                 "pods": {"maxContainerBackOff": "1h"}, "agent": {"shutdownTimeout": "-5s"}}\
                """))
        .containsExactly(
            "/agent/shutdownTimeout: \"-5s\" must be a duration such as \"10s\", \"500ms\" or"
                + " \"1m30s\"",
            "/lease/duration: \"1500ms\" must be whole seconds, as Leases hold nothing finer",
            "/lease/renewInterval: \"0s\" must be at least \"100ms\"",
            "/pods/maxContainerBackOff: \"1h\" must be from \"1s\" to \"5m\"");
  }

  @Test
  void whatNoResolverWouldTakeIsRefused() {
    assertThat(
            TestConfig.mistakes(
                """
                {"dns": {"clusterDomain": "Cluster_Local",
                         "clusterDNS": ["10.96.0.10", "kube-dns", "2001:db8::a"]}}\
                """))
        .containsExactly(
            "/dns/clusterDomain: \"Cluster_Local\" must be a lowercase RFC 1123 subdomain: it must"
                + " consist of lower case alphanumeric characters, '-' or '.', and must start and"
                + " end with an alphanumeric character (e.g. 'example.com')",
            "/dns/clusterDNS/1: \"kube-dns\" must be an IP address such as \"10.96.0.10\"");
    assertThat(TestConfig.load("{\"dns\": {\"clusterDomain\": \"\"}}").dns().clusterDomain())
        .isEmpty();
  }

  @Test
  void requiredKeysAndNullsAreNamed() {
    assertThat(
            TestConfig.mistakes(
                """
                {"nodes": [{"taints": [{"key": "a"}], "count": null}],
                 "simulated": {"rules": [{}]}}\
                """))
        .containsExactlyInAnyOrder(
            "/nodes/0/taints/0/effect: is missing; must be one of \"NoSchedule\","
                + " \"PreferNoSchedule\", \"NoExecute\"",
            "/nodes/0/count: null must be a whole number from 1 to 50000; leave the key out for its"
                + " default",
            "/simulated/rules/0/name: is missing; must be a text that is not empty");
  }

  @Test
  void mistakesInSeveralRulesAreAllFound() {
    assertThat(
            TestConfig.mistakes(
                """
                {"simulated": {"rules": [
                  {"name": "a", "startDelay": "9s..3s"}, {"name": "b", "exitCode": 256},
                  {"name": "c", "stopDelay": "1000000h", "runFor": "soon", "share": 0},
                  {"name": "d", "pullDelay": "900000h", "readyDelay": "normal(900000h,1s)"}]}}\
                """))
        .containsExactly(
            "/simulated/rules/0/startDelay: \"9s..3s\" is refused: min must not be above max, got"
                + " PT9S > PT3S",
            "/simulated/rules/1/exitCode: 256 must be an exit code from 0 to 255, or some with"
                + " weights such as \"0:9,1:1\"",
            "/simulated/rules/2/share: 0 must be a number above 0 and up to 1",
            "/simulated/rules/2/runFor: \"soon\" must be a time such as \"2s\", \"1s..3s\","
                + " \"normal(3s,1s)\", \"lognormal(2s,20s)\", \"exponential(10s)\","
                + " \"empirical(1s:80,5s:20)\" or \"never\"",
            "/simulated/rules/3/pullDelay: \"900000h\" is refused: duration must be from 0 to"
                + " 876000h, got PT900000H",
            "/simulated/rules/3/readyDelay: \"normal(900000h,1s)\" is refused: mean must be from 0"
                + " to 876000h, got PT900000H");
  }

  @Test
  void mistakesAboutProbesAndHooksNameTheirPlace() {
    assertThat(
            TestConfig.mistakes(
                """
                {"simulated": {"rules": [
                  {"name": "a", "livenessProbe": "ok 3x, fail 2s, ok", "preStop": "fails"}]}}\
                """))
        .containsExactlyInAnyOrder(
            "/simulated/rules/0/livenessProbe: \"ok 3x, fail 2s, ok\" must be answers to probes"
                + " such as \"fail\", \"fail 20s, ok\" or \"ok 3x, fail 2x, ok\"",
            "/simulated/rules/0/preStop: \"fails\" must be the course of a hook such as \"2s\","
                + " \"never\", \"fail\" or \"fail 1s..3s\"");
  }

  @Test
  void rulesAreThoseOfTheSimulatedRuntime() {
    VertletConfig config =
        TestConfig.load(
            """
            {"simulated": {"seed": 42, "rules": [
              {"name": "slow-web", "selector": {"namespace": "shop", "matchLabels": {"app": "web"}},
               "pullDelay": "2s..6s", "readyDelay": "normal(3s,1s)", "stopDelay": "never"},
              {"name": "crashing-tenth", "selector": {"controllerKind": "ReplicaSet"}, "share": 0.1,
               "containers": ["main"], "runFor": "exponential(1m)", "exitCode": 1}]}}\
            """);

    LifeCycle slow =
        LifeCycle.UNSET
            .with(PULL_DELAY, "2s..6s")
            .with(READY_DELAY, "normal(3s,1s)")
            .with(STOP_DELAY, "never");
    LifeCycle crashing = LifeCycle.UNSET.with(RUN_FOR, "exponential(1m)").with(EXIT_CODE, "1");
    assertThat(config.simulated())
        .isEqualTo(
            new SimulatedConfig(
                42,
                List.of(
                    new SimulatedRule(
                        "slow-web",
                        new PodSelector("shop", Map.of("app", "web"), Map.of(), null, null),
                        List.of(),
                        1,
                        slow),
                    new SimulatedRule(
                        "crashing-tenth",
                        new PodSelector(null, Map.of(), Map.of(), "ReplicaSet", null),
                        List.of("main"),
                        0.1,
                        crashing)),
                List.of(),
                0));
  }

  @Test
  void imagesOfSimulatedContainersTakeWhatIsSaid() {
    assertThat(TestConfig.load("{\"simulated\": {\"imageSize\": \"1Ki\"}}").simulated().imageSize())
        .isEqualTo(1024);
    assertThat(TestConfig.mistakes("{\"simulated\": {\"imageSize\": \"-1\"}}"))
        .containsExactly(
            "/simulated/imageSize: \"-1\" must be a quantity from 0 up, such as 250Mi");
  }

  @Test
  void rulesSelectByAnnotationAndImageAndDrawFromEveryDistribution() {
    VertletConfig config =
        TestConfig.load(
            """
            {"simulated": {"rules": [
              {"name": "a", "selector": {"matchAnnotations": {"team": "web"}, "image": "*/nginx:*"},
               "sandboxDelay": "lognormal(200ms,2s)", "oomAfter": "empirical(1m:9, never:1)",
               "exitCode": "0:9, 1:1", "sandboxError": "no network"}]}}\
            """);

    assertThat(config.simulated().rules())
        .containsExactly(
            new SimulatedRule(
                "a",
                new PodSelector(null, Map.of(), Map.of("team", "web"), null, new Glob("*/nginx:*")),
                List.of(),
                1,
                LifeCycle.UNSET
                    .with(SANDBOX_DELAY, "lognormal(200ms,2s)")
                    .with(OOM_AFTER, "empirical(1m:9, never:1)")
                    .with(EXIT_CODE, "0:9, 1:1")
                    .with(SANDBOX_ERROR, "no network")));
  }

  @Test
  void nodesGetIntoTroubleByRules() {
    VertletConfig config =
        TestConfig.load(
            """
            {"simulated": {"nodes": [
              {"name": "flaky", "selector": {"name": "batch-*", "matchLabels": {"zone": "b"}},
               "share": 0.2, "trouble": "not-ready", "every": "exponential(30m)", "lasts": "1m..5m"},
              {"name": "gone", "trouble": "lost", "every": "1h", "lasts": "never"}]}}\
            """);

    assertThat(config.simulated().nodes())
        .containsExactly(
            new NodeRule(
                "flaky",
                new Glob("batch-*"),
                Map.of("zone", "b"),
                0.2,
                NodeRule.Trouble.NOT_READY,
                DurationRule.parse("exponential(30m)"),
                DurationRule.parse("1m..5m")),
            new NodeRule(
                "gone",
                new Glob("*"),
                Map.of(),
                1,
                NodeRule.Trouble.LOST,
                DurationRule.parse("1h"),
                DurationRule.NEVER));
  }

  @Test
  void mistakesAboutNodesInTroubleNameTheirPlace() {
    assertThat(
            TestConfig.mistakes(
                """
                {"simulated": {"nodes": [
                  {"name": "a", "trouble": "tired", "every": "1h", "lasts": "1h"},
                  {"name": "b", "trouble": "lost", "every": "3s..1s", "lasts": "lognormal(2s,1s)"},
                  {"name": "c", "trouble": "lost", "every": "soon", "lasts": "1s"}]}}\
                """))
        .satisfiesExactlyInAnyOrder(
            mistake ->
                assertThat(mistake)
                    .startsWith("/simulated/nodes/0/trouble: \"tired\" must be one of \"lost\""),
            mistake ->
                assertThat(mistake)
                    .isEqualTo(
                        "/simulated/nodes/1/every: \"3s..1s\" is refused: min must not be above"
                            + " max, got PT3S > PT1S"),
            mistake ->
                assertThat(mistake)
                    .startsWith(
                        "/simulated/nodes/1/lasts: \"lognormal(2s,1s)\" is refused: p50 must be"),
            mistake ->
                assertThat(mistake)
                    .startsWith("/simulated/nodes/2/every: \"soon\" must be a time such as"));
  }

  @Test
  void variablesThatSetNoKeyAreNamedInOneLine() {
    Environment environment =
        TestConfig.environment(
            Map.of(
                "VERTLET_LEASE_DURATON", "1s",
                "VERTLET_ZZZ", "1",
                "VERTLET_HOME", "/opt",
                "VERTLET_IT_KUBECONFIG", "x",
                "VERTLET_JAVA_OPTS", "-Xmx1g"));

    assertThat(new ConfigLoader(environment).parse("f.json", "{}", List.of()).warnings())
        .containsExactly(
            "environment variables that set no key are ignored: VERTLET_LEASE_DURATON (did you"
                + " mean VERTLET_LEASE_DURATION?), VERTLET_ZZZ");
  }

  @Test
  void unreadableFilesAreOneMistake(@TempDir Path dir) throws Exception {
    Path latin1 = Files.write(dir.resolve("latin1.json"), new byte[] {'{', (byte) 0xe4, '}'});

    assertThat(TestConfig.mistakes(dir.resolve("none.json")))
        .containsExactly(dir.resolve("none.json") + ": cannot be read: no such file");
    assertThat(TestConfig.mistakes(dir))
        .containsExactly(dir + ": cannot be read: it is a directory");
    assertThat(TestConfig.mistakes(latin1))
        .containsExactly(latin1 + ": cannot be read: not UTF-8 text");
  }
}
