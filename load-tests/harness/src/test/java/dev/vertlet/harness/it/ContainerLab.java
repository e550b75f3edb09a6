package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A machine for pods with real containers: the containerd and the namespaces in which {@code
 * load-tests/cri/bin/java} has started this JVM. All tests of the JVM share it.
 */
final class ContainerLab {
  static final String SOCKET = "VERTLET_CRI_SOCKET";

  /** Images that {@code load-tests/cri/images} makes. */
  static final String BUSYBOX = "registry.k8s.io/e2e-test-images/busybox:1.37.0-1";

  static final String AGNHOST = "registry.k8s.io/e2e-test-images/agnhost:2.63.0";

  /** Of its containers' control groups, in each hierarchy. */
  private static final String CGROUP = System.getenv("VERTLET_CRI_CGROUP");

  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final Path NAMESPACES = Path.of("/run/netns");

  private final Path dir = Path.of(System.getenv("VERTLET_CRI_DIR"));

  /** The configuration of an agent with one node. */
  JsonObject config(String node, Path data) {
    JsonObject cri =
        new JsonObject()
            .put("socket", System.getenv(SOCKET))
            .put("cgroupRoot", CGROUP)
            .put("cgroupDriver", "cgroupfs");
    return new JsonObject()
        .put(
            "nodes",
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("name", node)
                        .put("provider", "cri")
                        .put("taints", new JsonArray())))
        .put("agent", new JsonObject().put("dataDir", data.toString()))
        .put("providers", new JsonObject().put("settings", new JsonObject().put("cri", cri)));
  }

  /**
   * Starts an agent in this JVM. Both its pods and itself end with the test.
   *
   * @param config as {@link #config} returns it, changed or not
   */
  void start(TestCluster cluster, JsonObject config) throws InterruptedException {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    config
        .put("kubernetes", new JsonObject().put("kubeconfig", cluster.agentKubeconfig().toString()))
        .put("server", new JsonObject().put("port", 0));
    cluster.closeAfterTest(Vertlet.start(config.encode()));
    // before the agent ends: its pods' containers would outlive it
    cluster.closeAfterTest(() -> removeAll(cluster));
  }

  /** Deletes the test's pods and waits until they are gone. */
  static void removeAll(TestCluster cluster) {
    cluster.kubectl("delete", "deployments,pods", "--all", "--wait=true", "--timeout=120s");
  }

  /** Returns the id of each pod's first container, by the pod's name. */
  static Map<String, String> ids(TestCluster cluster) {
    return cluster.pods().list().stream()
        .collect(
            toMap(
                pod -> pod.getMetadata().getName(),
                pod -> TestPods.firstContainer(pod).getContainerID()));
  }

  /** The provider's settings in a configuration, to be changed. */
  static JsonObject settings(JsonObject config) {
    return config.getJsonObject("providers").getJsonObject("settings").getJsonObject("cri");
  }

  /** The configuration of an image of this runtime and its manifest, as a registry has them. */
  OciImage image(String name) throws IOException, InterruptedException {
    String row = text("images", "list", "name==" + name).lines().skip(1).findFirst().orElseThrow();
    JsonObject manifest = content(row.split("\\s+")[2]);
    if (manifest.containsKey("manifests")) { // an index of platforms
      manifest = content(manifest.getJsonArray("manifests").getJsonObject(0).getString("digest"));
    }
    return new OciImage(content(manifest.getJsonObject("config").getString("digest")), manifest);
  }

  private static JsonObject content(String digest) throws IOException, InterruptedException {
    return new JsonObject(text("content", "get", digest));
  }

  /**
   * Names of the containers of a node's pods, those of their sandboxes included, as the runtime has
   * them: {@code pod/container}, or {@code pod/} for a sandbox.
   */
  List<String> containers(String node) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (String id :
        text("containers", "list", "--quiet", "labels.\"vertlet.dev/node\"==" + node)
            .lines()
            .toList()) {
      JsonObject labels =
          new JsonObject(text("containers", "info", id)).getJsonObject("Labels", new JsonObject());
      names.add(
          labels.getString("io.kubernetes.pod.name")
              + "/"
              + labels.getString("io.kubernetes.container.name", ""));
    }
    return names;
  }

  /**
   * Kills a container's first process, as the kernel or an administrator may.
   *
   * @param id as a pod's status has it
   */
  void killContainer(String id) throws IOException, InterruptedException {
    text("tasks", "kill", "--signal", "SIGKILL", id.substring(id.lastIndexOf('/') + 1));
  }

  /** Kills the container runtime; its containers go on. */
  void killRuntime() throws IOException {
    ProcessHandle runtime = runtime().orElseThrow();
    runtime.destroyForcibly();
    runtime.onExit().join();
  }

  private Optional<ProcessHandle> runtime() throws IOException {
    String pid = Files.readString(dir.resolve("containerd.pid")).strip();
    return ProcessHandle.of(Long.parseLong(pid));
  }

  /** Starts it again, and waits until it answers. */
  void startRuntime() throws IOException {
    Path log = dir.resolve("containerd.log");
    Process runtime =
        new ProcessBuilder("containerd", "--config", dir.resolve("config.toml").toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Files.writeString(dir.resolve("containerd.pid"), runtime.pid() + "\n");
    eventually(() -> assertThat(ctr("version").waitFor()).isZero());
  }

  /** A process of containerd's client. */
  private static Process ctr(String... arguments) throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of("ctr", "--address", System.getenv(SOCKET), "--namespace", "k8s.io"),
                Stream.of(arguments))
            .toList();
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /**
   * Waits until a container has ended.
   *
   * @param id as a pod's status has it
   */
  void awaitEnd(String id) {
    String own = id.substring(id.lastIndexOf('/') + 1);
    eventually(
        () -> assertThat(text("tasks", "list")).doesNotContainPattern(own + "\\s+\\d+\\s+RUNNING"));
  }

  private static String text(String... arguments) throws IOException, InterruptedException {
    Process run = ctr(arguments);
    String text = new String(run.getInputStream().readAllBytes(), UTF_8);
    assertThat(Waits.exit(run)).isZero();
    return text;
  }

  /** Makes a control group of a pod in each hierarchy, as an agent leaves it that is killed. */
  void leaveGroups(String uid) throws IOException {
    for (Path top : cgroups()) {
      Files.createDirectories(top.resolve("kubepods/besteffort/pod" + uid));
    }
  }

  /**
   * The control group of a running pod.
   *
   * @param controller for example {@code pids}
   */
  Path group(String controller, String uid) throws IOException {
    for (Path top : cgroups()) {
      boolean all = CGROUPS.equals(top.getParent()); // version 2
      if (all || top.startsWith(CGROUPS.resolve(controller))) {
        for (Path group : below(top)) {
          if (group.endsWith("pod" + uid)) {
            return group;
          }
        }
      }
    }
    throw new AssertionError("pod " + uid + " has no group of " + controller);
  }

  /** How often a pod's processes could not fork. Kernels count it in the process's own group. */
  long refusedForks(String uid) throws IOException {
    long refused = 0;
    for (Path file : below(group("pids", uid))) {
      if (file.endsWith("pids.events")) {
        refused += Long.parseLong(Files.readString(file).strip().substring("max ".length()));
      }
    }
    return refused;
  }

  /**
   * All that pods have on this machine besides their files: containers, network namespaces,
   * addresses, mounts and control groups.
   */
  Set<String> traces() throws IOException, InterruptedException {
    Set<String> all = new TreeSet<>();
    text("containers", "list", "--quiet").lines().forEach(id -> all.add("container " + id));
    try (Stream<Path> namespaces =
        Files.isDirectory(NAMESPACES) ? Files.list(NAMESPACES) : Stream.empty()) {
      namespaces.forEach(each -> all.add("namespace " + each));
    }
    below(dir.resolve("ipam")).stream()
        .filter(each -> each.getFileName().toString().startsWith("10."))
        .forEach(each -> all.add("address " + each.getFileName()));
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      mounts
          .map(line -> line.split(" ")[1])
          // what each test and the machine itself have
          .filter(
              place ->
                  place.contains("/sandboxes/")
                      || place.contains("/pods/")
                      || place.contains("io.containerd.runtime"))
          .forEach(place -> all.add("mount " + place));
    }
    for (Path top : cgroups()) {
      below(top).stream()
          .filter(ContainerLab::isOfPod)
          .forEach(group -> all.add("cgroup " + group));
    }
    return all;
  }

  /** All that is in a folder; what is removed meanwhile may be among it or not. */
  private static List<Path> below(Path top) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            found.add(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            return unlessGone(file, failure);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
              throws IOException {
            return unlessGone(folder, failure);
          }

          private FileVisitResult unlessGone(Path path, @Nullable IOException failure)
              throws IOException {
            if (failure == null || Files.notExists(path)) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return found;
  }

  /** The group above all pods, in each hierarchy. */
  private static List<Path> cgroups() throws IOException {
    try (Stream<Path> hierarchies = Files.list(CGROUPS)) {
      return Stream.concat(hierarchies, Stream.of(CGROUPS))
          .map(hierarchy -> hierarchy.resolve(CGROUP.substring(1)))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  /** Whether it is a pod's group or below one. */
  private static boolean isOfPod(Path group) {
    return Files.isDirectory(group)
        && StreamSupport.stream(group.spliterator(), false)
            .map(Path::toString)
            .anyMatch(name -> name.startsWith("pod"));
  }
}
