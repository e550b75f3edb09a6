package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vertlet.harness.loopback.LoopbackPorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The real metrics-server, built from {@code load-tests/metrics-server}, as the resource metrics
 * API of a cluster. Not thread-safe.
 */
final class MetricsServer implements AutoCloseable {
  private static final Path SOURCES = Path.of("..", "metrics-server").toAbsolutePath().normalize();
  private static final String PACKAGE = "sigs.k8s.io/metrics-server/cmd/metrics-server";

  /** Cold, its modules have to be fetched; what it shares with the control plane is built. */
  private static final int BUILD_MINUTES = 10;

  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: metrics-server, namespace: kube-system}
      spec:
        ports: [{name: https, port: 443, targetPort: PORT}]
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata:
        name: metrics-server
        namespace: kube-system
        labels: {kubernetes.io/service-name: metrics-server}
      addressType: IPv4
      ports: [{name: https, port: PORT}]
      endpoints: [{addresses: [ADDRESS], conditions: {ready: true}}]
      ---
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata: {name: v1beta1.metrics.k8s.io}
      spec:
        service: {name: metrics-server, namespace: kube-system}
        group: metrics.k8s.io
        version: v1beta1
        insecureSkipTLSVerify: true
        groupPriorityMinimum: 100
        versionPriority: 100
      """;

  private final Process process;

  private MetricsServer(Process process) {
    this.process = process;
  }

  /**
   * Builds and starts it, and makes it known to the API server.
   *
   * @param folder for its output and its certificate
   * @param address of this machine, but not a loopback address: the API server refuses such
   *     endpoints
   */
  static MetricsServer start(TestCluster cluster, Path folder, String address)
      throws IOException, InterruptedException {
    int port = LoopbackPorts.next();
    Path objects =
        Files.writeString(
            folder.resolve("metrics-server.yaml"),
            OBJECTS.replace("PORT", Integer.toString(port)).replace("ADDRESS", address));
    cluster.controlPlane().kubectl("apply", "-f", objects.toString());
    String kubeconfig = cluster.kubeconfig().toString();
    Process process =
        Launcher.process(
                folder,
                List.of(
                    build().toString(),
                    "--kubeconfig=" + kubeconfig,
                    "--authentication-kubeconfig=" + kubeconfig,
                    "--authorization-kubeconfig=" + kubeconfig,
                    "--bind-address=" + address,
                    "--secure-port=" + port,
                    "--cert-dir=" + folder.resolve("certificate"),
                    "--kubelet-insecure-tls",
                    "--kubelet-preferred-address-types=InternalIP",
                    "--kubelet-use-node-status-port",
                    // it wants a longer resolution than patience
                    "--metric-resolution=10s",
                    "--kubelet-request-timeout=5s"))
            .start();
    return new MetricsServer(process);
  }

  /** Go itself knows whether there is anything to do. */
  private static Path build() throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "go"))),
        "no Go on PATH to build metrics-server with");
    Path folder = Files.createDirectories(Path.of("target", "metrics-server").toAbsolutePath());
    Path program = folder.resolve("metrics-server");
    Process build =
        Launcher.process(
                folder, List.of("go", "build", "-ldflags=-s -w", "-o", program.toString(), PACKAGE))
            .directory(SOURCES.toFile())
            .start();
    try {
      assertThat(build.waitFor(BUILD_MINUTES, MINUTES)).as("go build ends").isTrue();
    } finally {
      build.destroyForcibly();
    }
    assertThat(build.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    return program;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
