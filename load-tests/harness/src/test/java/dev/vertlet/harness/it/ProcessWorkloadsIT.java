package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Rings;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deployments of web servers that are processes of this host, each on a free port. */
@ClusterTest(controllers = true)
class ProcessWorkloadsIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /**
   * Serves its argument on a free port, whose number it writes to ports/POD, and is warm 40
   * requests later: until then it answers 503.
   */
  private static final String SERVER =
      """
      import http.server, os, sys

      class Handler(http.server.BaseHTTPRequestHandler):
          requests = 0

          def do_GET(self):
              Handler.requests += 1
              warm = Handler.requests > 40
              self.send_response(200 if warm else 503)
              self.end_headers()
              self.wfile.write(sys.argv[1].encode())

          def log_message(self, *arguments):
              pass

      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      name = "ports/" + os.environ["HOSTNAME"]
      with open(name + ".part", "w") as port:
          port.write(str(server.server_port))
      os.rename(name + ".part", name)
      server.serve_forever()
      """;

  /** Sends ten requests and succeeds if the last is answered with 200. */
  private static final String PROBE =
      """
      import os, urllib.error, urllib.request

      with open("ports/" + os.environ["HOSTNAME"]) as port:
          url = "http://127.0.0.1:" + port.read()
      for _ in range(9):
          try:
              urllib.request.urlopen(url).close()
          except urllib.error.HTTPError:
              pass
      urllib.request.urlopen(url).close()
      """;

  @TempDir private Path folder;

  private static List<Pod> pods(TestCluster cluster) {
    return cluster.pods().list();
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  private static boolean ready(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  private static int get(String port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).timeout(Waits.LONG).build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static String port(TestCluster cluster, Pod pod) {
    String log = cluster.kubectl("logs", name(pod));
    assertThat(log).contains("Serving HTTP on");
    return log.lines()
        .filter(line -> line.startsWith("Serving HTTP on"))
        .findFirst()
        .orElseThrow()
        .replaceAll(".* port ([0-9]+) .*", "$1");
  }

  @FullRing
  @Test
  @Tag("P01")
  void aKilledProcessIsRestartedWithBackOffAndTheOthersAreLeftAlone(TestCluster cluster)
      throws Exception {
    int count = Rings.isFull() ? 20 : 4;
    ProcessNode node = new ProcessNode(cluster, folder).start();
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: %d
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              nodeName: %s
              tolerations: [{operator: Exists}]
              containers:
              - name: main
                image: web
                command: [python3, -u, -m, http.server, "0", --bind, 127.0.0.1, --directory, %s]
        """
            .formatted(count, ProcessNode.NAME, Files.createDirectory(folder.resolve("www"))));
    cluster.kubectl(
        "wait",
        "--for=jsonpath={.status.readyReplicas}=" + count,
        "deployment/web",
        KubectlRuns.LIMIT);
    Set<String> ports = new HashSet<>();
    for (Pod pod : pods(cluster)) {
      eventually(
          () -> {
            String port = port(cluster, pod);
            assertThat(get(port)).isEqualTo(200);
            ports.add(port);
          });
    }
    assertThat(ports).hasSize(count);
    String victim = name(pods(cluster).get(0));
    List<ProcessHandle> others = new ArrayList<>();
    for (Pod pod : pods(cluster).subList(1, count)) {
      others.add(node.process(name(pod), 0));
    }

    node.process(victim, 0).destroyForcibly();
    eventually(() -> assertThat(node.restarts(victim)).isEqualTo(1));
    node.awaitReady(victim);
    assertThat(
            cluster.field(
                "pod", victim, "{.status.containerStatuses[0].lastState.terminated.exitCode}"))
        .isEqualTo("137");
    node.process(victim, 1).destroyForcibly();

    eventually(() -> assertThat(node.waiting(victim)).isEqualTo("CrashLoopBackOff"));
    assertThat(cluster.field("pod", victim, "{.status.containerStatuses[0].state.waiting.message}"))
        .startsWith("back-off 10s restarting failed container=main pod=" + victim + "_");
    eventually(() -> assertThat(node.restarts(victim)).isEqualTo(2));
    node.awaitReady(victim);
    assertThat(others).allMatch(ProcessHandle::isAlive);
    assertThat(pods(cluster).stream().mapToInt(pod -> node.restarts(name(pod))).sum()).isEqualTo(2);
  }

  private void deploy(TestCluster cluster, String version) {
    cluster
        .client()
        .load(
            new ByteArrayInputStream(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 3
                  strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      nodeName: %s
                      tolerations: [{operator: Exists}]
                      containers:
                      - name: main
                        image: web
                        workingDir: %s
                        command: [python3, server.py, %s]
                        readinessProbe:
                          periodSeconds: 1
                          timeoutSeconds: 30
                          exec: {command: [python3, probe.py]}
                        lifecycle:
                          preStop:
                            exec: {command: [sh, -c, "until test -e drained/$HOSTNAME; do sleep 0.1; done"]}
                """
                    .formatted(ProcessNode.NAME, folder, version)
                    .getBytes(StandardCharsets.UTF_8)))
        .inNamespace(cluster.namespace())
        .serverSideApply();
  }

  /**
   * The client is what a Service is for its clients: it sends requests to the pods that were ready
   * when it looked last, and a pod that is deleted ends when no client uses it any more.
   */
  @FullRing
  @Test
  @Tag("P05")
  void aRollingUpdateFailsNoRequest(TestCluster cluster) throws Exception {
    Files.writeString(folder.resolve("server.py"), SERVER);
    Files.writeString(folder.resolve("probe.py"), PROBE);
    Files.createDirectory(folder.resolve("ports"));
    Files.createDirectory(folder.resolve("drained"));
    var unused = new ProcessNode(cluster, folder).start();
    deploy(cluster, "one");
    cluster.kubectl("rollout", "status", "deployment/web", KubectlRuns.LIMIT);
    deploy(cluster, "two");

    Set<String> versions = new HashSet<>();
    List<String> failures = new ArrayList<>();
    eventually(
        () -> {
          List<Pod> all = pods(cluster);
          List<Pod> endpoints = all.stream().filter(ProcessWorkloadsIT::ready).toList();
          drain(all);
          for (int i = 0; i < 4; i++) {
            for (Pod pod : endpoints) {
              versions.add(request(pod, failures));
            }
          }
          assertThat(endpoints).hasSizeGreaterThanOrEqualTo(3);
          assertThat(all)
              .hasSize(3)
              .allMatch(pod -> pod.getSpec().getContainers().get(0).getCommand().contains("two"));
          assertThat(endpoints).hasSize(3);
        });

    assertThat(failures).isEmpty();
    assertThat(versions).containsExactlyInAnyOrder("one", "two");
  }

  /** Lets deleted pods end: they are no endpoints any more. */
  private void drain(List<Pod> pods) throws IOException {
    for (Pod pod : pods) {
      Path mark = folder.resolve("drained").resolve(name(pod));
      if (pod.getMetadata().getDeletionTimestamp() != null && !Files.exists(mark)) {
        Files.createFile(mark);
      }
    }
  }

  private String request(Pod pod, List<String> failures) throws InterruptedException {
    try {
      String port = Files.readString(folder.resolve("ports").resolve(name(pod)));
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port))
              .timeout(Waits.LONG)
              .build();
      var answer = HTTP.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        failures.add(name(pod) + ": " + answer.statusCode());
      }
      return answer.body();
    } catch (IOException e) {
      failures.add(name(pod) + ": " + e);
      return "";
    }
  }
}
