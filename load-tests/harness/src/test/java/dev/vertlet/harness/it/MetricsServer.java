package dev.vertlet.harness.it;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The real metrics-server, built from {@code load-tests/metrics-server}, as the resource metrics
 * API of a cluster. Not thread-safe.
 */
final class MetricsServer implements AutoCloseable {
  private static final String PACKAGE = "sigs.k8s.io/metrics-server/cmd/metrics-server";

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
                    CachedBuild.ofGo("metrics-server", "metrics-server", PACKAGE).toString(),
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

  @Override
  public void close() throws InterruptedException {
    Waits.end(process);
  }
}
