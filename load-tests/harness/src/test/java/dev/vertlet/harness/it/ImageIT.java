package dev.vertlet.harness.it;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image that {@code mvn -Pimage package} made, run as the DaemonSet says by a real runtime. */
@Needs(Tool.IMAGE)
@ClusterTest
class ImageIT {

  private static final String NO_ARCHIVE = "the class-data archive is not used";

  /** For the figures of docs/performance.md: how often each image is started. */
  private static final int STARTS = Integer.getInteger("vertlet.image.starts", 1);

  @TempDir private static Path dir;

  private static Containerd containerd;

  private static Image whole;

  private static Image plain;

  @BeforeAll
  static void start() throws Exception {
    containerd = Containerd.start(Files.createDirectory(dir.resolve("c")));
    whole = Image.unpack(Image.WHOLE, dir);
    plain = Image.unpack(Image.PLAIN, dir);
    for (Image image : List.of(whole, plain)) {
      containerd.load(image.archive(), image.archive().getFileName().toString());
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (containerd != null) {
      containerd.close();
    }
  }

  @Test
  void itGetsReadyWithoutAnyRightAndStopsOnSigterm(TestCluster cluster) throws Exception {
    Running running = run(cluster, Image.WHOLE, "image-a");

    awaitNode(cluster, running, "image-a-v0");
    awaitReady(running);

    assertThat(running.status())
        .containsEntry("Uid", "65532 65532 65532 65532")
        .containsEntry("Gid", "65532 65532 65532 65532")
        .containsEntry("CapPrm", "0000000000000000")
        .containsEntry("CapEff", "0000000000000000")
        .containsEntry("CapBnd", "0000000000000000")
        .containsEntry("CapAmb", "0000000000000000")
        .containsEntry("NoNewPrivs", "1")
        // a filter
        .containsEntry("Seccomp", "2");
    assertThat(running.agent().terminate()).isZero();
    assertThat(running.agent().log())
        .contains("starting", "Picked up JDK_JAVA_OPTIONS")
        .doesNotContain(NO_ARCHIVE, "WARNING:", "[warning]", "SLF4J", "Read-only");
  }

  @Test
  void withoutItsArchiveItSaysSoOnceAndGetsReadyNevertheless(TestCluster cluster) throws Exception {
    Running running = run(cluster, Image.PLAIN, "image-b");

    awaitReady(running);

    assertThat(running.agent().terminate()).isZero();
    assertThat(running.agent().log().lines())
        .filteredOn(line -> line.contains(NO_ARCHIVE))
        .singleElement()
        .asString()
        .contains("/app/agent.jsa");
  }

  /** Measured, and judged by hand: machines differ. */
  @ParameterizedTest
  @ValueSource(strings = {Image.WHOLE, Image.PLAIN})
  void theFirstNodeIsReadySoonAfterTheStart(String name, TestCluster cluster) throws Exception {
    List<Steps> starts = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      String machine = "image-" + name.replace(".tar", "") + "-" + i;
      Running running = run(cluster, name, machine);
      starts.add(running.watch(cluster, machine + "-v0"));
      assertThat(running.agent().terminate()).isZero();
    }
    System.out.printf(
        "%s: from the order to start it, medians of %d in ms: container %d, first line of the log"
            + " %d, node Ready %d (%d to %d)%n",
        name,
        STARTS,
        median(starts, Steps::container),
        median(starts, Steps::firstLine),
        median(starts, Steps::ready),
        starts.stream().mapToLong(Steps::ready).min().orElseThrow(),
        starts.stream().mapToLong(Steps::ready).max().orElseThrow());

    assertThat(starts).allMatch(steps -> steps.ready() < Waits.LONG.toMillis());
  }

  /** Milliseconds since the order to start a container. */
  private record Steps(long container, long firstLine, long ready) {}

  private static long median(List<Steps> starts, ToLongFunction<Steps> step) {
    return starts.stream().mapToLong(step).sorted().skip(starts.size() / 2).findFirst().orElse(0);
  }

  @Test
  void itsLayersAreTheSameOfEachBuildButForTheLast() throws Exception {
    List<String> layers = whole.layers();

    assertThat(plain.layers()).isEqualTo(layers.subList(0, layers.size() - 1));
    for (int layer = 1; layer < layers.size(); layer++) {
      assertThat(whole.files(layer))
          .isNotEmpty()
          .allSatisfy(file -> assertThat(file).contains(" 0/0 ").contains(" 1970-01-01 00:00:01 "));
    }
    assertThat(whole.files(layers.size() - 1)).anyMatch(file -> file.endsWith(" app/agent.jsa"));
    assertThat(whole.config().getString("created")).startsWith("1970-01-01T00:00:00");
  }

  @Test
  void itHasTheAgentAloneAndRunsItAsNobody() throws Exception {
    JsonObject config = whole.config().getJsonObject("config");
    List<String> files = new ArrayList<>();
    for (int layer = 1; layer < whole.layers().size(); layer++) {
      files.addAll(whole.files(layer));
    }

    assertThat(config.getString("User")).isEqualTo("65532:65532");
    assertThat(config.getJsonArray("Cmd")).isEqualTo(JsonArray.of("agent"));
    assertThat(files)
        .anyMatch(file -> file.endsWith(" app/conf/java.args"))
        .anyMatch(file -> file.endsWith(" app/conf/vertlet.json"))
        .anyMatch(file -> file.matches(".* app/libs/vertlet-agent-[^/]*\\.jar"))
        .noneMatch(file -> file.matches(".*(vertlet-harness|vertlet-api-server|junit).*"));
  }

  private record Running(AgentProcess agent, Path pidFile, long startedNanos) {
    /** Waits until its node is Ready, and looks on. */
    Steps watch(TestCluster cluster, String node) {
      long[] at = new long[3];
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(25))
          .failFast(this::failIfEnded)
          .until(
              () -> {
                note(at, 0, Files.exists(pidFile));
                note(at, 1, agent.log().contains(" starting "));
                note(at, 2, at[1] > 0 && cluster.isReady(node));
                return at[2] > 0;
              });
      return new Steps(at[0], at[1], at[2]);
    }

    private void note(long[] at, int step, boolean done) {
      if (done && at[step] == 0) {
        at[step] = Duration.ofNanos(System.nanoTime() - startedNanos).toMillis();
      }
    }

    void failIfEnded() {
      assertThat(agent.alive()).as(agent.log()).isTrue();
    }

    /** Of the process that the container is, as the kernel has it. */
    Map<String, String> status() throws IOException {
      return Files.readAllLines(Path.of("/proc", Files.readString(pidFile).strip(), "status"))
          .stream()
          .map(line -> line.split(":", 2))
          .collect(toMap(line -> line[0], line -> line[1].strip().replace('\t', ' ')));
    }
  }

  /** As the shipped DaemonSet would on a machine of that name, with a kubeconfig besides. */
  private static Running run(TestCluster cluster, String image, String machine) throws Exception {
    List<HasMetadata> objects =
        Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.DAEMON_SET);
    Container container =
        Manifests.of(DaemonSet.class, objects)
            .get(0)
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .get(0);
    Path folder = Files.createDirectory(dir.resolve(machine));
    Path config = Files.createDirectory(folder.resolve("etc"));
    for (Map.Entry<String, String> file :
        Manifests.of(ConfigMap.class, objects).get(0).getData().entrySet()) {
      Files.writeString(config.resolve(file.getKey()), file.getValue());
    }
    Files.copy(cluster.agentKubeconfig(), config.resolve("kubeconfig"));
    readable(config.resolve("kubeconfig"), "rw-r--r--");
    Path data = readable(Files.createDirectory(folder.resolve("data")), "rwxrwxrwx");
    int port = LoopbackPorts.next();
    List<String> options =
        new ArrayList<>(
            List.of(
                "--memory-limit=" + 512 * 1024 * 1024,
                "--mount=type=bind,src=" + config + ",dst=/etc/vertlet,options=rbind:ro",
                "--mount=type=bind,src=" + data + ",dst=/var/lib/vertlet,options=rbind:rw",
                "--mount=type=tmpfs,src=tmpfs,dst=/tmp,options=size=64m:mode=1777"));
    for (EnvVar variable : container.getEnv()) {
      String value = variable.getValueFrom() == null ? variable.getValue() : machine;
      options.add("--env=" + variable.getName() + "=" + value);
    }
    // as a kubelet puts them together: a Pod's arguments behind the image's entry point
    List<String> args =
        new ArrayList<>(
            Image.strings(whole.config().getJsonObject("config").getJsonArray("Entrypoint")));
    args.addAll(container.getArgs());
    args.addAll(
        List.of(
            "--kubeconfig=/etc/vertlet/kubeconfig",
            "--set=server.address=127.0.0.1",
            "--set=server.port=" + port,
            // those of the shipped range may be another's on the machine's network
            "--set=server.portRange=0",
            "--set=server.healthzPort=0"));
    Path pidFile = folder.resolve("pid");
    Path log = folder.resolve("log");
    long started = System.nanoTime();
    Process process =
        new ProcessBuilder(containerd.run(image, machine, pidFile, options, args))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new Running(
        cluster.closeAfterTest(AgentProcess.of(process, log, port)), pidFile, started);
  }

  private static void awaitNode(TestCluster cluster, Running running, String name) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .failFast(running::failIfEnded)
        .until(() -> cluster.isReady(name));
  }

  private static void awaitReady(Running running) {
    await()
        .failFast(running::failIfEnded)
        .untilAsserted(() -> assertThat(running.agent().ready()).isTrue());
  }

  private static Path readable(Path path, String permissions) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
