package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;

import dev.vertlet.agent.Vertlet;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A node of provider {@code process} on this host, and the processes of its containers. They end
 * with the test.
 */
final class ProcessNode {
  static final String NAME = "host0";

  private final TestCluster cluster;
  private final Path folder;
  private final JsonObject settings;

  /**
   * @param folder for the agent's data
   */
  ProcessNode(TestCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
    this.settings =
        new JsonObject()
            .put("directory", folder.resolve("run").toString())
            .put("allowRoot", true)
            .put("cgroup", "")
            .put(
                "images",
                new JsonArray()
                    .add(new JsonObject().put("pattern", "any").put("root", "host"))
                    .add(new JsonObject().put("pattern", "web").put("root", "host")));
  }

  /** Changes a setting of the provider. */
  ProcessNode with(String key, Object value) {
    settings.put(key, value);
    return this;
  }

  /** The agent's configuration, without its connection. Containers have no control groups. */
  JsonObject config() {
    return new JsonObject()
        .put(
            "nodes",
            new JsonArray().add(new JsonObject().put("name", NAME).put("provider", "process")))
        .put(
            "providers",
            new JsonObject().put("settings", new JsonObject().put("process", settings)));
  }

  /** Starts an agent in this JVM. */
  ProcessNode start() throws InterruptedException {
    JsonObject config =
        config()
            .put("kubernetes", new JsonObject().put("kubeconfig", cluster.kubeconfig().toString()))
            .put("agent", new JsonObject().put("dataDir", data().toString()))
            .put("server", new JsonObject().put("port", 0));
    endContainersAfterTest();
    cluster.closeAfterTest(Vertlet.start(config.encode()));
    return this;
  }

  /** How to start an agent as a process of its own. */
  AgentProcess.Setup setup() throws IOException {
    Path file = Files.writeString(folder.resolve("vertlet.json"), config().encodePrettily());
    endContainersAfterTest();
    return AgentProcess.Setup.of(folder, file, cluster.kubeconfig());
  }

  private Path data() {
    return folder.resolve("data");
  }

  /** Directories of pods. */
  Path pods() {
    return data().resolve("pods");
  }

  /** Control sockets of shims. */
  Path sockets() {
    return folder.resolve("run/s");
  }

  /** Ends what runs on without its agent. */
  private void endContainersAfterTest() {
    cluster.closeAfterTest(
        () -> {
          try (Stream<Path> files = Files.walk(pods())) {
            for (Path file : files.filter(path -> path.endsWith("state")).toList()) {
              ProcessHandle.of(Long.parseLong(state(file).getProperty("shim")))
                  .ifPresent(
                      shim -> {
                        shim.destroy();
                        shim.onExit().join();
                      });
            }
          } catch (NoSuchFileException e) {
            // the agent has had no pod
          }
        });
  }

  private static Properties state(Path file) throws IOException {
    Properties state = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      state.load(reader);
    }
    return state;
  }

  /** The first process of a pod's container {@code main}. */
  ProcessHandle process(String pod, int attempt) throws IOException {
    return handle(pod, attempt, "pid");
  }

  /** The shim of a pod's container {@code main}. */
  ProcessHandle shim(String pod, int attempt) throws IOException {
    return handle(pod, attempt, "shim");
  }

  private ProcessHandle handle(String pod, int attempt, String key) throws IOException {
    Path file = directory(pod, attempt).resolve("state");
    return ProcessHandle.of(Long.parseLong(state(file).getProperty(key))).orElseThrow();
  }

  /** Directory of an instance of a pod's container {@code main}. */
  Path directory(String pod, int attempt) {
    String uid = cluster.field("pod", pod, "{.metadata.uid}");
    return pods().resolve("%s/process/main/%d".formatted(uid, attempt));
  }

  /** Creates a pod whose container {@code main} runs a shell script, again and again. */
  void script(String name, String text) {
    script(name, text, "", "Always");
  }

  /**
   * @param text of the script; in it, {@code '} is not allowed
   * @param more fields of the container, beginning with a comma
   */
  void script(String name, String text, String more, String restartPolicy) {
    cluster.create(
        name,
        NAME,
        spec(
            "{restartPolicy: "
                + restartPolicy
                + ", terminationGracePeriodSeconds: 2, containers: [{name: main, image: any, command: [sh, -c, '"
                + text
                + "']"
                + more
                + "}]}"));
  }

  void awaitReady(String name) {
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + name, KubectlRuns.LIMIT);
  }

  /** Restarts of the only container of a pod. */
  int restarts(String name) {
    return TestPods.firstContainer(cluster.pods().get(name)).getRestartCount();
  }

  /** Events of a pod, a line for each. */
  String events(String pod) {
    return cluster.kubectl("get", "events", "--field-selector=involvedObject.name=" + pod);
  }

  /** Reason of a pod's only container for not running. */
  String waiting(String pod) {
    return cluster.field("pod", pod, "{.status.containerStatuses[0].state.waiting.reason}");
  }

  /** kubectl with output in files. */
  KubectlRuns kubectl() {
    return new KubectlRuns(
        cluster.controlPlane().kubectlProgram(), cluster.kubeconfig(), cluster.namespace(), folder);
  }

  /** Returns the numbers as lines of {@code seq}. */
  static List<String> numbers(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(n -> "" + n).toList();
  }
}
