package dev.vertlet.agent;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cli.Cli;
import dev.vertlet.cli.ExitCode;
import dev.vertlet.cli.Termination;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CliTest {
  @TempDir Path dir;

  private final FakeRunner runner = new FakeRunner();
  private final Termination termination = new Termination();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> variables = new HashMap<>();

  @BeforeEach
  void stateInTheTestsDirectory() {
    variables.put("XDG_STATE_HOME", dir.resolve("state").toString());
  }

  private int run(String... args) {
    Host host = new Host("host-1", "192.0.2.7", "Debian", "6.1", 2, dir, false);
    Environment environment = new Environment(variables, host);
    Cli cli = new Cli(environment, new AgentCommand(environment, runner, termination), termination);
    CommandLine tree = cli.tree().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = Cli.run(tree, args);
    tree.getOut().flush();
    tree.getErr().flush();
    return code;
  }

  private CompletableFuture<Integer> runAside(String... args) {
    return CompletableFuture.supplyAsync(() -> run(args));
  }

  private Path file(String text) throws Exception {
    return Files.writeString(dir.resolve("c.json"), text);
  }

  @Test
  void withoutACommandTheUsageIsWrong() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("vertlet: Missing required subcommand\nUsage: vertlet ")
        .contains("agent", "validate", "version");
  }

  @Test
  void everyCommandHasHelp() {
    for (String command : new String[] {"agent", "validate", "version"}) {
      assertThat(run(command, "--help")).isZero();
    }
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains("Usage: vertlet agent", "Usage: vertlet validate", "Usage: vertlet version");
  }

  @Test
  void aWrongOptionIsOneLineAndAHint() {
    assertThat(run("agent", "--cofnig", "x")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("vertlet: Unknown options: '--cofnig', 'x'\n")
        .endsWith("Try 'vertlet agent --help'.\n");
  }

  @Test
  void aSettingWithoutValueIsWrongUsage() throws Exception {
    assertThat(run("validate", file("{}").toString(), "--set", "lease")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "vertlet: --set \"lease\" must be path=value, for example lease.duration=20s\n");
  }

  @Test
  void versionNamesWhatRuns() {
    assertThat(run("version")).isZero();
    assertThat(out.toString())
        .contains("vertlet     0.", "java        " + Runtime.version(), "kubernetes  v1.36.3");
  }

  @Test
  void dataDirHandsADirectoryOver() throws Exception {
    Path data = Files.createDirectory(dir.resolve("data"));
    String own = Files.getAttribute(data, "unix:uid").toString();

    // to its own user, as others take root
    assertThat(own).isEqualTo(Files.getAttribute(data, "unix:gid").toString());
    assertThat(run("data-dir", "--owner", own, data.toString())).isZero();
    assertThat(run("data-dir", "--owner", own, dir.resolve("none").toString())).isEqualTo(1);
    Path link = Files.createSymbolicLink(dir.resolve("link"), data);
    assertThat(run("data-dir", "--owner", own, link.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "vertlet: %s must be a directory\nvertlet: %s must be a directory\n"
                .formatted(dir.resolve("none"), link));
    assertThat(run("data-dir", data.toString())).isEqualTo(2);
  }

  @Test
  void validateShowsWhatWouldRun() throws Exception {
    assertThat(run("validate", file("{}").toString(), "--set", "nodes.0.count=3")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "OK: 3 nodes (host-1-v0 to host-1-v2) on provider simulated, profile kubelet, API"
                + " server of the usual kubeconfig or service account, leases of 40s renewed every"
                + " 10s, health on 0.0.0.0:9250\n");
  }

  @Test
  void validateShowsEveryMistake() throws Exception {
    Path file = file("{\"lease\": {\"renewInterval\": \"45s\"}, \"server\": {\"port\": -1}}");

    assertThat(run("validate", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "vertlet: /lease/renewInterval: \"45s\" must be at most half of lease.duration"
                + " \"40s\"\n"
                + "vertlet: /server/port: -1 must be a whole number from 0 to 65535\n");
  }

  @Test
  void aMissingFileIsAConfigurationMistake() {
    assertThat(run("agent", "--config", dir.resolve("none.json").toString())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("vertlet: " + dir.resolve("none.json") + ": cannot be read: no such file\n");
  }

  @Test
  void withoutAFileAndALauncherTheUsageIsWrong() {
    assertThat(run("agent")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("vertlet: --config is needed where VERTLET_HOME is not set\n");
  }

  @Test
  void theAgentRunsUntilItIsToldToStop() throws Exception {
    Files.createDirectories(dir.resolve("conf"));
    Files.writeString(dir.resolve("conf/vertlet.json"), "{\"agent\": {\"identity\": \"me\"}}");
    variables.put("VERTLET_HOME", dir.toString());

    CompletableFuture<Integer> exit = runAside("agent", "--kubeconfig", "k", "--context", "c");
    eventually(() -> assertThat(runner.log).containsExactly("start me k c"));
    termination.request();

    assertThat(get(exit)).isZero();
    assertThat(runner.log).containsExactly("start me k c", "stop");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aStopThatHangsEndsWithTheTimeout() throws Exception {
    runner.stopped = Promise.<Void>promise().future();
    termination.request();

    CompletableFuture<Integer> exit =
        runAside("agent", "--config", file("{}").toString(), "--set", "agent.shutdownTimeout=1s");

    assertThat(get(exit)).isZero();
  }

  @Test
  void aStopThatFailsIsAFailure() throws Exception {
    runner.stopped = Future.failedFuture("no lease could be released");
    termination.request();

    assertThat(run("agent", "--config", file("{}").toString())).isEqualTo(1);
  }

  @Test
  void aTerminationDuringTheStartEndsInOrder() throws Exception {
    runner.started = Promise.<AgentRunner.Running>promise().future();
    termination.request();

    assertThat(run("agent", "--config", file("{}").toString())).isZero();
  }

  @Test
  void anErrorEndsTheCommandWithItsStack() {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new Broken()).setErr(new PrintWriter(err, true));

    assertThat(Cli.run(command)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("NoClassDefFoundError: a.b.C", "Broken.call");
  }

  @Command(name = "broken")
  private static final class Broken implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new NoClassDefFoundError("a.b.C");
    }
  }

  @Test
  void aFailedStartIsOneLine() throws Exception {
    runner.started = Future.failedFuture(new IllegalStateException("port 1 is\n taken"));

    assertThat(run("agent", "--config", file("{}").toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("vertlet: port 1 is taken\n");
  }

  @Test
  void aStartThatHasNoWayToTheApiServerIsAConfigurationMistake() throws Exception {
    Path none = dir.resolve("none.kubeconfig");
    Vertx vertx = Vertx.vertx();
    try {
      runner.started =
          KubeClient.create(
                  vertx,
                  KubeClientOptions.defaults(),
                  ApiAccess.discover(none, null),
                  new SimpleMeterRegistry())
              .<AgentRunner.Running>map(client -> Future::succeededFuture);

      assertThat(run("agent", "--config", file("{}").toString())).isEqualTo(2);
    } finally {
      get(vertx.close());
    }
    assertThat(err.toString())
        .isEqualTo("vertlet: kubeconfig " + none + " cannot be read: no such file\n");
  }

  @Test
  void twoAgentsDoNotShareADataDirectory() throws Exception {
    Path file = file("{\"agent\": {\"identity\": \"first\"}}");
    try (DataDir held = DataDir.take(DataDir.Use.DATA, dir.resolve("state/vertlet"), "first")) {
      assertThat(run("agent", "--config", file.toString())).isEqualTo(1);
    }
    assertThat(err.toString())
        .isEqualTo(
            ("vertlet: agent.dataDir %s is in use by process %d, identity first; --set"
                    + " agent.dataDir=DIR takes another, as VERTLET_AGENT_DATA_DIR and the"
                    + " configuration do\n")
                .formatted(dir.resolve("state/vertlet"), ProcessHandle.current().pid()));
    assertThat(runner.log).isEmpty();
  }

  @Test
  void twoAgentsDoNotShareAStoreOfConfigs() throws Exception {
    Path configs = dir.resolve("configs");
    Path file =
        file(
            "{\"configSync\": {\"enabled\": true, \"dynamicConfigDir\": \"%s\"}}"
                .formatted(configs));
    try (DataDir held = DataDir.take(DataDir.Use.CONFIGS, configs, "first")) {
      assertThat(run("agent", "--config", file.toString())).isEqualTo(1);
    }
    assertThat(err.toString())
        .isEqualTo(
            ("vertlet: configSync.dynamicConfigDir %s is in use by process %d, identity first;"
                    + " --set configSync.dynamicConfigDir=DIR takes another, as"
                    + " VERTLET_CONFIG_SYNC_DYNAMIC_CONFIG_DIR and the configuration do\n")
                .formatted(configs, ProcessHandle.current().pid()));
    assertThat(runner.log).isEmpty();
  }

  @Test
  void aDataDirectoryThatIsAFileIsRefused() throws Exception {
    Path file = file("{}");

    assertThat(run("agent", "--config", file.toString(), "--set", "agent.dataDir=" + file))
        .isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            ("vertlet: agent.dataDir %s cannot be used: %s is no directory; --set"
                    + " agent.dataDir=DIR takes another, as VERTLET_AGENT_DATA_DIR and the"
                    + " configuration do\n")
                .formatted(file, file));
  }

  private static final class FakeRunner implements AgentRunner {
    private final CopyOnWriteArrayList<String> log = new CopyOnWriteArrayList<>();
    private Future<Void> stopped = Future.succeededFuture();
    private Future<Running> started =
        Future.succeededFuture(
            () -> {
              log.add("stop");
              return stopped;
            });

    @Override
    public Future<Running> start(
        LoadedConfig loaded, Vertx vertx, MeterRegistry registry, Runnable exit) {
      VertletConfig config = loaded.config();
      log.add(
          "start %s %s %s"
              .formatted(
                  config.agent().identity(),
                  config.kubernetes().kubeconfig(),
                  config.kubernetes().context()));
      return started;
    }
  }

  @Test
  @Tag("C45")
  void c45RunOnceRunsStaticPodsAndNamesWhatCannotRun() throws Exception {
    String pods = Files.createDirectory(dir.resolve("pods")).toString();
    Path good = Path.of(pods, "web.yaml");
    Files.writeString(
        good,
        "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image:"
            + " x}]}}");
    Path bad = Files.writeString(Path.of(pods, "bad.yaml"), "kind: [");
    Path large =
        Files.writeString(
            Path.of(pods, "large.yaml"),
            Files.readString(good)
                .replace("name: web", "name: large, uid: u")
                .replace("image: x", "image: x, resources: {requests: {cpu: 1000}}"));
    String[] command = {
      "agent",
      "--config",
      file("{}").toString(),
      "--runonce",
      "--set",
      "nodes.0.staticPodPath=" + pods
    };

    assertThat(run(command)).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "failed   " + bad + ": is neither YAML nor JSON at line 1",
            // static pods are critical: room is looked for before they are refused
            "failed   default/large-host-1-v0: pod \"large-host-1-v0_default(u)\" failed:"
                + " UnexpectedAdmissionError: Pod was rejected: ",
            "running  default/web-host-1-v0\n");
    assertThat(err.toString())
        .isEqualTo("vertlet: error running pods: [" + bad + " large-host-1-v0_default(u)]\n");
    Files.delete(bad);
    Files.delete(large);
    assertThat(run(command)).isZero();
    assertThat(runner.log).isEmpty();
  }

  @Test
  void runOnceNeedsSomethingToRun() throws Exception {
    assertThat(run("agent", "--config", file("{}").toString(), "--runonce")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("vertlet: --runonce needs a node with staticPodPath or staticPodURL\n");
  }

  @Test
  void runOnceSaysWhereItFoundNothing() throws Exception {
    Path config = file("{}");
    Path pods = Files.createDirectory(dir.resolve("no-pods"));
    String path = "nodes.0.staticPodPath=" + pods;
    assertThat(run("agent", "--config", config.toString(), "--runonce", "--set", path)).isZero();
    assertThat(out.toString()).contains("no pods  in " + pods + "\n");
  }

  @Test
  void runOnceDoesNotWaitForASourceThatDoesNotAnswer() throws Exception {
    String url = "nodes.0.staticPodURL=http://127.0.0.1:1/pods";
    assertThat(run("agent", "--config", file("{}").toString(), "--runonce", "--set", url))
        .isEqualTo(1);
    assertThat(out.toString()).startsWith("failed   http://127.0.0.1:1/pods: ");
    assertThat(err.toString()).isEqualTo("vertlet: no pod manifest update after 1s\n");
  }
}
