package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.harness.subject.VertletCommand;
import dev.vertlet.testsupport.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An agent as users run it: a process of its own, with its own JVM. Not thread-safe. */
final class AgentProcess implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final Path log;
  private final int port;

  private AgentProcess(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * One that was started in another way.
   *
   * @param log where its output goes
   * @param port of its server for health and metrics, on 127.0.0.1
   */
  static AgentProcess of(Process process, Path log, int port) {
    return new AgentProcess(process, log, port);
  }

  /** How to start one; each method gives a changed copy. */
  record Setup(
      Path folder,
      Path config,
      Path kubeconfig,
      Map<String, String> environment,
      List<String> arguments) {
    /**
     * @param folder for data directory and log; a second agent in one folder shares its data
     *     directory
     */
    static Setup of(Path folder, Path config, Path kubeconfig) {
      return new Setup(folder, config, kubeconfig, Map.of(), List.of());
    }

    /** With nodes {@code name0}, {@code name1} and so on. */
    static Setup ofNodes(Path folder, String name, int count, Path kubeconfig) {
      String json =
          """
          {"nodes": [{"name": "%s{i}", "count": %d,
            "capacity": {"cpu": "1000", "memory": "1Ti", "pods": "5000"}}]}
          """
              .formatted(name, count);
      try {
        return of(folder, Files.writeString(folder.resolve("vertlet.json"), json), kubeconfig);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Setup with(String... more) {
      List<String> all = new ArrayList<>(arguments);
      all.addAll(Arrays.asList(more));
      return new Setup(folder, config, kubeconfig, environment, all);
    }

    Setup withEnvironment(Map<String, String> variables) {
      return new Setup(folder, config, kubeconfig, variables, arguments);
    }

    AgentProcess start() {
      return AgentProcess.start(this);
    }
  }

  private static AgentProcess start(Setup setup) {
    int port = LoopbackPorts.next();
    List<String> command = command(setup, port);
    try {
      Path log = Files.createTempFile(setup.folder(), "agent-", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().remove("NODE_NAME"); // of the machine that runs the tests
      builder.environment().putAll(setup.environment());
      return new AgentProcess(builder.start(), log, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The command line, for those who run it within something else.
   *
   * @param port of its server for health and metrics
   */
  static List<String> command(Setup setup, int port) {
    List<String> command =
        vertlet(
            "agent",
            "--config",
            setup.config().toString(),
            "--kubeconfig",
            setup.kubeconfig().toString(),
            "--set",
            "server.port=" + port,
            "--set",
            "server.address=127.0.0.1",
            "--set",
            "agent.dataDir=" + setup.folder().resolve("data"));
    command.addAll(setup.arguments());
    return command;
  }

  /** The command line of any command of the agent's jar, in a small JVM. */
  static List<String> vertlet(String... arguments) {
    return vertlet(List.of(), arguments);
  }

  /**
   * @param options of its JVM
   */
  static List<String> vertlet(List<String> options, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(classPath(arguments[0]));
    command.add("dev.vertlet.agent.Main");
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * An agent's is its jar, with the class-data archive that the build has made for it; any other
   * command's, and what is not built by Maven, has that of the tests.
   */
  private static List<String> classPath(String command) {
    List<Path> jars = command.equals("agent") ? agentJars() : List.of();
    if (jars.isEmpty()) {
      return List.of(
          "-cp",
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    }
    Path jar = jars.get(0);
    List<String> options = new ArrayList<>(VertletCommand.archive(jar));
    options.addAll(List.of("-cp", jar.toString()));
    return options;
  }

  private static List<Path> agentJars() {
    Path lib = Path.of("target", "lib").toAbsolutePath();
    if (!Files.isDirectory(lib)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(lib)) {
      return files
          .filter(file -> file.getFileName().toString().matches("vertlet-agent-.*\\.jar"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All it has printed so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Host and port of what it serves itself. */
  String address() {
    return uri("/").getAuthority();
  }

  /** Whether all nodes are served. */
  boolean ready() {
    return status("/readyz") == 200;
  }

  /** Waits until all nodes are served; fails with the log at once when the process has ended. */
  void awaitReady() {
    eventually(
        () -> {
          if (!alive()) {
            throw new IllegalStateException("the agent has ended:\n" + log());
          }
          assertThat(ready()).isTrue();
        });
  }

  /** Status code of the answer to a GET of that path. */
  int status(String path) {
    return get(path).statusCode();
  }

  /** Body of the answer to a GET of that path, whatever its status code. */
  String body(String path) {
    return get(path).body();
  }

  /** The first lines of an answer that does not end. */
  String lines(String path, int count) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri(path)).timeout(Waits.LONG).build();
    try (Stream<String> lines = HTTP.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      return lines.limit(count).collect(Collectors.joining("\n"));
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Body of {@code /metrics}. */
  String metrics() {
    HttpResponse<String> answer = get("/metrics");
    if (answer.statusCode() != 200) {
      // no figure is zero because it could not be read
      throw new AssertionError("no metrics, but " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  /** Sum of a metric's samples. */
  double metric(String name) {
    return sum(line -> line.startsWith(name + " ") || line.startsWith(name + "{"));
  }

  /** Sum of those of a metric's samples that have this label, as the text format writes it. */
  double metric(String name, String label) {
    return sum(line -> line.startsWith(name + "{") && line.contains(label));
  }

  private double sum(Predicate<String> samples) {
    return metrics()
        .lines()
        .filter(samples)
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** How many objects of each class live in its heap, after a collection. */
  Map<String, Long> heap() throws IOException {
    return heap(1);
  }

  /** Bytes of all objects that live in its heap, after a collection. */
  long liveBytes() throws IOException {
    return heap(2).values().stream().mapToLong(Long::longValue).sum();
  }

  /** The most memory that the process has had, in bytes: that of its heap and all other. */
  long peakBytes() throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
            .filter(one -> one.startsWith("VmHWM:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
  }

  private Map<String, Long> heap(int column) throws IOException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    Map<String, Long> counts = new HashMap<>();
    try (BufferedReader lines = histogram.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // " num     #instances         #bytes  class name (module)"
        String[] words = line.strip().split("\\s+");
        if (words.length >= 4 && words[0].endsWith(":") && words[1].matches("[0-9]+")) {
          counts.put(words[3], Long.valueOf(words[column]));
        }
      }
    }
    return counts;
  }

  private HttpResponse<String> get(String path) {
    HttpRequest request = HttpRequest.newBuilder(uri(path)).timeout(Waits.LONG).build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      // for a test that waits for it, an agent that does not answer yet is not ready yet
      throw new AssertionError("the agent does not answer; its log:\n" + log(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  boolean alive() {
    return process.isAlive();
  }

  /** SIGKILL, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGSTOP: it does nothing until {@link #resume}. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Makes it print what its threads do, and waits for that. */
  void dumpThreads() throws IOException, InterruptedException {
    signal("QUIT");
    eventually(() -> assertThat(log()).contains("Full thread dump"));
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new AssertionError("kill -" + name + " ended with " + code);
    }
  }

  /** SIGTERM, without waiting for its end. */
  void askToEnd() {
    process.destroy();
  }

  /** SIGTERM; returns the exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** Waits for the process to end by itself. */
  int exitCode() throws InterruptedException {
    return Waits.exit(process);
  }

  @Override
  public void close() throws InterruptedException {
    Waits.end(process);
  }
}
