package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No secret is to be found in what an agent says, shows or keeps, on the finest log level and with
 * its requests traced, while things go well and while they fail.
 */
@ClusterTest
class SecretsIT {
  private static final String SECRET = "hidden";
  private static final String FILES = "files";
  private static final String LATE = "late";
  private static final String BROKEN = "broken";
  private static final String UNKNOWN = "unknown";

  /** Of the server of each node; {@code /pods} shows what pods say, and is looked at apart. */
  private static final List<String> KUBELET =
      List.of(
          "/healthz",
          "/runningpods/",
          "/stats/summary",
          "/metrics",
          "/metrics/resource",
          "/metrics/cadvisor",
          "/metrics/probes",
          "/configz",
          "/logs/",
          "/debug/pprof/",
          "/nothing");

  @TempDir private Path folder;
  private final Vertx vertx = Vertx.vertx();
  private final SecretMarks marks = new SecretMarks();
  private TestCluster cluster;
  private AgentProcess agent;
  private FaultProxy proxy;
  private KubectlRuns kubectl;
  private ExampleBackend backend;
  private Path seen;
  private Path config;
  private String visitor;

  @BeforeEach
  void start(TestCluster given) throws Exception {
    cluster = given;
    kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(),
            cluster.kubeconfig(),
            cluster.namespace(),
            folder);
    visitor = marks.add("a visitor's token", administratorsToken());
    String upstream = marks.add("the proxy's token", administratorsToken());
    proxy =
        get(
            FaultProxy.start(
                vertx,
                cluster.agentAccess().writeKubeconfig(folder.resolve("upstream"), upstream),
                Files.createDirectory(folder.resolve("proxy")),
                new Random(1)));
    marks.add("the agent's token", token(proxy.kubeconfig()));
    seen = folder.resolve("seen");
    backend = cluster.closeAfterTest(ExampleBackend.start("containers.py", LoopbackPorts.next()));
    config = config();
    agent = start();
    awaitReady();
  }

  private AgentProcess start(String... arguments) throws IOException {
    return cluster.closeAfterTest(
        AgentProcess.Setup.of(folder, config, proxy.kubeconfig())
            .with("--log-level", "trace")
            .with("--set", "server.portRange=0", "--set", "server.healthzPort=0")
            .with("--set", "configSync.enabled=true", "--set", "tracing.exporter=console")
            .with("--set", "pods.checkSecrets=true")
            .with(arguments)
            .start());
  }

  private void awaitReady() {
    agent.awaitReady();
  }

  @AfterEach
  void closeVertx() throws Exception {
    get(vertx.close());
  }

  @Test
  void areNowhereToBeSeen() throws Exception {
    String password = marks.create("a value of env");
    createSecret(SECRET, Map.of("password", password, "user", marks.create("a value of envFrom")));
    createSecret(FILES, Map.of("key", marks.create("a file of a volume")));
    createPullSecret();
    String header = marks.create("a probe's header");
    for (String node : List.of(simulated(), looking())) {
      cluster.create("good-" + node, node, pod -> using(pod, SECRET, "password", header));
      cluster.create("keyless-" + node, node, pod -> using(pod, SECRET, "missing", header));
      cluster.create(
          "image-" + node, node, pod -> image(using(pod, SECRET, "password", header), "No:such:"));
    }
    cluster.create(BROKEN, looking(), pod -> named(using(pod, SECRET, "password", header), BROKEN));
    cluster.create(
        "good-" + away(), away(), pod -> sleeping(using(pod, SECRET, "password", header)));
    cluster.create("keyless-" + away(), away(), pod -> using(pod, SECRET, "missing", header));
    cluster.create(UNKNOWN, away(), pod -> using(pod, SECRET, "password", header));
    WatchedSandbox sandbox = WatchedSandbox.start(cluster, marks, folder, vertx);
    sandbox.createPod(simulated(), pod -> using(pod, SECRET, "password", header));
    awaitRunning("good-" + simulated(), "good-" + looking(), "good-" + away(), "warm");
    awaitWaiting("keyless-" + simulated(), "CreateContainerConfigError");
    awaitWaiting("keyless-" + looking(), "CreateContainerConfigError");
    awaitWaiting("keyless-" + away(), "CreateContainerConfigError");
    awaitWaiting("image-" + looking(), "InvalidImageName");
    awaitWaiting(BROKEN, "RunContainerError|CrashLoopBackOff");
    awaitWaiting(UNKNOWN, "StartError|CrashLoopBackOff");
    String givenAway = givenAway();

    makeTheServerFail();
    createSecret(SECRET, Map.of("password", marks.create("a changed value"), "user", password));
    createSecret(LATE, Map.of("password", marks.create("a late value")));
    cluster.create(LATE, looking(), pod -> using(pod, LATE, "password", header));
    awaitRunning(LATE);
    createSecret(FILES, Map.of("key", marks.create("a changed file")));
    awaitFile("a changed file");
    markTokens();
    runCommands();
    String refused = refusedRequests();
    String pods = ask(KubeletRequests.url(kubectl, looking()) + "/pods", visitor).body();
    Map<String, String> shown = sandbox.shown();

    // what the containers were given is what is looked for
    assertThat(marks.found(Map.of("environment", Files.readString(seen))))
        .contains(
            "environment shows a value of env",
            "environment shows a value of envFrom",
            "environment shows a late value",
            "environment shows a file of a volume")
        .anyMatch(found -> found.startsWith("environment shows the token "));
    assertThat(marks.found(Map.of("back end", givenAway)))
        .contains(
            "back end shows a value of env",
            "back end shows a file of a volume",
            "back end shows a token of the back end");
    assertThat(marks.found(Map.of("Secret", cluster.kubectl("get", "secrets", "-o", "yaml"))))
        .contains("Secret shows a changed value", "Secret shows an image pull secret");
    assertThat(marks.found(Map.of("Pods", cluster.kubectl("get", "pods", "-o", "yaml"))))
        .containsExactly("Pods shows a probe's header");
    assertThat(marks.found(Map.of("/pods", pods))).containsExactly("/pods shows a probe's header");
    shown.putAll(shown());
    shown.put("refused requests", refused);
    shown.put("log of JSON", logOfJson());
    assertThat(shown).allSatisfy((place, text) -> assertThat(text).as(place).isNotEmpty());
    assertThat(marks.found(shown)).isEmpty();
  }

  /** Everything that somebody could look at. */
  private Map<String, String> shown() throws Exception {
    Map<String, String> all = new LinkedHashMap<>();
    for (String path : List.of("/metrics", "/readyz?verbose", "/healthz", "/", "/page/data")) {
      all.put(path, agent.body(path));
    }
    all.put("/page/events", agent.lines("/page/events", 6));
    for (String node : List.of(simulated(), looking(), away())) {
      all.put("/page/node " + node, agent.body("/page/node?name=" + node));
      String url = KubeletRequests.url(kubectl, node);
      for (String path : KUBELET) {
        all.put(node + path, ask(url + path, visitor).body());
      }
      all.put(
          node + " log",
          ask(url + "/containerLogs/" + cluster.namespace() + "/good-" + node + "/main", visitor)
              .body());
    }
    for (String kind : List.of("events", "nodes", "leases")) {
      all.put(kind, cluster.controlPlane().kubectl("get", kind, "--all-namespaces", "-o", "yaml"));
    }
    all.put("statuses", cluster.kubectl("get", "pods", "-o", "jsonpath={.items[*].status}"));
    all.put("described", cluster.kubectl("describe", "pods", BROKEN));
    Path pods = podsDirectory();
    all.put("data directory", files(folder.resolve("data"), file -> !file.startsWith(pods)));
    agent.dumpThreads();
    assertThat(agent.terminate()).isZero();
    assertThat(agent.log())
        .contains(
            "DEBUG", "[tracer: dev.vertlet:]", "injected fault: watch secrets", "Full thread dump");
    all.put("log", agent.log());
    return all;
  }

  /** Of an agent that takes all of that over, and has a watch refused. */
  private String logOfJson() throws Exception {
    proxy.inject(Fault.answer(403).on("watch", "secrets").times(1));
    agent = start("--set", "log.format=json");
    awaitReady();
    await().until(() -> agent.log().contains("injected fault: watch secrets"));
    refusedRequests();
    assertThat(agent.terminate()).isZero();
    assertThat(agent.log().lines().filter(line -> line.startsWith("{")))
        .hasSizeGreaterThan(10)
        .allSatisfy(line -> assertThat(new JsonObject(line).getString("level")).isNotEmpty())
        .anySatisfy(line -> assertThat(line).contains("\"level\":\"debug\""));
    return agent.log();
  }

  /** Where the files of volumes are, which hold secrets by their purpose. */
  private Path podsDirectory() {
    return folder.resolve("data/pods");
  }

  /** The agent replaces versions of volumes meanwhile. */
  private void awaitFile(String mark) {
    eventually(
        () -> {
          try {
            assertThat(marks.found(Map.of("volumes", files(podsDirectory(), file -> true))))
                .contains("volumes shows " + mark);
          } catch (UncheckedIOException | NoSuchFileException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** The signatures of the tokens in the volumes of pods: nothing else has these characters. */
  private void markTokens() throws IOException {
    try (Stream<Path> files = Files.walk(podsDirectory())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.endsWith("token")) {
          String token = Files.readString(file);
          marks.add("the token " + file, token.substring(token.lastIndexOf('.') + 1));
        }
      }
    }
  }

  private static String files(Path directory, Predicate<Path> wanted) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(wanted).filter(Files::isRegularFile).toList()) {
        // however they are encoded
        all.append(file).append('\n').append(new String(Files.readAllBytes(file), ISO_8859_1));
      }
    }
    return all.toString();
  }

  /** Refusals of several kinds, and watches that end, so that what is said of them is said. */
  private void makeTheServerFail() throws Exception {
    proxy.inject(Fault.answer(403).on("patch", "pods/status").times(2));
    proxy.inject(Fault.answer(500).on("create", "events").times(3));
    proxy.inject(Fault.answer(401).on("create", "events").times(2));
    proxy.inject(Fault.answer(403).on("watch", "secrets").times(1));
    get(proxy.cutWatches());
    await().until(() -> agent.log().contains("Watching secret " + cluster.namespace()));
  }

  /** What the back end's container has; its token, which comes last, is looked for from now on. */
  private String givenAway() {
    String given =
        cluster.kubectl(
            "exec",
            "good-" + away(),
            "--",
            "sh",
            "-c",
            "echo $PASSWORD; cat $VERTLET_ROOT/secret/* $VERTLET_ROOT/access/*");
    marks.add("a token of the back end", given.substring(given.lastIndexOf('.') + 1).strip());
    return given;
  }

  /** Secrets that are typed, or stand in a command. */
  private void runCommands() throws Exception {
    String typed = marks.create("what was typed");
    String argument = marks.create("a command's argument");
    Path input = Files.writeString(folder.resolve("input"), typed + "\n");
    for (Wire wire : Wire.values()) {
      Launcher.Outcome outcome =
          kubectl
              .start(
                  wire.environment(),
                  input,
                  "exec",
                  "-i",
                  "good-" + simulated(),
                  "--",
                  "sh",
                  "-c",
                  "cat; echo " + argument)
              .await();
      assertThat(outcome.out()).isEqualTo(typed + "\n" + argument + "\n");
    }
    kubectl.error("exec", "good-" + simulated(), "--", argument);
    kubectl.error("exec", "good-" + looking(), "--", "sh", "-c", argument);
  }

  /** What those are told who are not let in, or ask for something that is not there. */
  private String refusedRequests() throws Exception {
    String wrong = marks.create("a wrong token");
    String query = marks.create("an argument of a refused command");
    StringBuilder told = new StringBuilder();
    for (String node : List.of(simulated(), looking(), away())) {
      String url = KubeletRequests.url(kubectl, node);
      HttpResponse<String> unknown = ask(url + "/exec/a/b/c?output=1&command=" + query, wrong);
      assertThat(unknown.statusCode()).isEqualTo(401);
      HttpResponse<String> plain = ask(url + "/exec/a/b/c?output=1&command=" + query, visitor);
      assertThat(plain.statusCode()).isBetween(400, 599);
      HttpResponse<String> run = ask(url + "/run/a/b/c?cmd=" + query, visitor);
      assertThat(run.statusCode()).isBetween(400, 599);
      told.append(unknown.body()).append(plain.body()).append(run.body());
    }
    return told.toString();
  }

  private static HttpResponse<String> ask(String url, String token) throws Exception {
    return KubeletRequests.get(URI.create(url), token);
  }

  private String simulated() {
    return cluster.namespace() + "-simulated";
  }

  private String looking() {
    return cluster.namespace() + "-looking";
  }

  private String away() {
    return cluster.namespace() + "-away";
  }

  private Path config() throws IOException {
    String config =
        """
        {"nodes": [{"name": "%s", "provider": "simulated"}, {"name": "%s", "provider": "looking"},
                   {"name": "%s", "provider": "remote"}],
         "providers": {"directory": "%s",
                       "settings": {"remote": {"url": "%s", "level": "containers"}}}}
        """
            .formatted(
                simulated(),
                looking(),
                away(),
                LookingProvider.directory(folder, seen),
                backend.url());
    return Files.writeString(folder.resolve("vertlet.json"), config);
  }

  /**
   * Of a ServiceAccount that may do everything: the shipped rights are too few for a runtime that
   * looks at the environment.
   */
  private String administratorsToken() {
    if (cluster
            .client()
            .serviceAccounts()
            .inNamespace(cluster.namespace())
            .withName("administrator")
            .get()
        == null) {
      cluster.kubectl("create", "serviceaccount", "administrator");
      cluster.kubectl(
          "create",
          "clusterrolebinding",
          cluster.namespace(),
          "--clusterrole=cluster-admin",
          "--serviceaccount=" + cluster.namespace() + ":administrator");
      cluster.closeAfterTest(
          () -> cluster.kubectl("delete", "clusterrolebinding", cluster.namespace()));
    }
    return cluster.kubectl("create", "token", "administrator").strip();
  }

  private static String token(Path kubeconfig) throws IOException {
    Config config = Serialization.unmarshal(Files.readString(kubeconfig), Config.class);
    return config.getUsers().get(0).getUser().getToken();
  }

  private void createSecret(String name, Map<String, String> data) {
    cluster
        .client()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.namespace())
                .endMetadata()
                .withStringData(data)
                .build())
        .createOr(existing -> existing.update());
  }

  private void createPullSecret() {
    String password = marks.create("an image pull secret");
    String auths =
        """
        {"auths": {"registry.example.com": {"username": "me", "password": "%s"}}}
        """
            .formatted(password);
    cluster
        .client()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("pull")
                .withNamespace(cluster.namespace())
                .endMetadata()
                .withType("kubernetes.io/dockerconfigjson")
                .addToStringData(".dockerconfigjson", auths)
                .build())
        .create();
  }

  /** By all the ways there are. */
  private static PodBuilder using(PodBuilder pod, String secret, String key, String header) {
    String volumes =
        """
        {imagePullSecrets: [{name: pull}], serviceAccountName: administrator, volumes: [
          {name: files, secret: {secretName: %1$s}},
          {name: access, projected: {sources: [
            {secret: {name: %2$s}}, {serviceAccountToken: {path: token}}]}}]}
        """;
    String main =
        """
        command: [serve, --password=$(PASSWORD)]
        env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: %1$s, key: %2$s}}}]
        envFrom: [{secretRef: {name: %1$s}}]
        volumeMounts: [{name: files, mountPath: /secret}, {name: access, mountPath: /access}]
        readinessProbe: {httpGet: {path: /, port: 80, httpHeaders: [
          {name: Authorization, value: "%3$s"}]}}
        """;
    return container(main.formatted(secret, key, header))
        .apply(spec(volumes.formatted(secret, FILES)).apply(pod));
  }

  private static PodBuilder image(PodBuilder pod, String image) {
    return pod.editSpec().editFirstContainer().withImage(image).endContainer().endSpec();
  }

  private static PodBuilder sleeping(PodBuilder pod) {
    return pod.editSpec()
        .editFirstContainer()
        .withCommand("sh", "-c", "echo began; exec sleep 1000", "--password=$(PASSWORD)")
        .endContainer()
        .endSpec();
  }

  private static PodBuilder named(PodBuilder pod, String container) {
    return pod.editSpec().editFirstContainer().withName(container).endContainer().endSpec();
  }

  /** Not Ready: nothing answers the probes of the runtime that looks, which is told in events. */
  private void awaitRunning(String... pods) {
    for (String pod : pods) {
      cluster.kubectl(
          "wait", "--for=jsonpath={.status.phase}=Running", "pod/" + pod, KubectlRuns.LIMIT);
    }
  }

  private void awaitWaiting(String pod, String reason) {
    eventually(
        () ->
            assertThat(
                    cluster.field(
                        "pod", pod, "{.status.containerStatuses[0].state.waiting.reason}"))
                .matches(reason));
  }
}
