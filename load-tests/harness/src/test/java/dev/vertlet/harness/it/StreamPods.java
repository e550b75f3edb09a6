package dev.vertlet.harness.it;

import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;

/** The pods that {@link StreamTests} look into. */
final class StreamPods {
  /** As many containers as can be followed at once by default, and one more. */
  static final int CROWD = 6;

  private static final String MANIFEST =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: talker
        labels: {app: streams}
        annotations:
          sim.vertlet.dev/log-rate: 50/s
          sim.vertlet.dev/silent.log-rate: "0"
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/main:1"}
          - {name: silent, image: "example.com/silent:1"}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: talkers}
      spec:
        selector: {app: streams}
        ports: [{port: 80, targetPort: 8080}]
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: crowd
        labels: {app: crowd}
        annotations:
          sim.vertlet.dev/log-rate: 50/s
      spec:
        nodeName: NODE
        containers: CROWD
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: listener
        annotations:
          sim.vertlet.dev/log-rate: "0"
      spec:
        nodeName: NODE
        containers:
          - {name: plain, image: "example.com/main:1", stdin: true}
          - {name: terminal, image: "example.com/main:1", stdin: true, tty: true}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: echoing
        annotations:
          sim.vertlet.dev/ports: 8080:echo,9090:echo
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/main:1"}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: restarting
        annotations:
          sim.vertlet.dev/run-for: 1s
          sim.vertlet.dev/exit-code: "3"
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/main:1"}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: over
        annotations:
          sim.vertlet.dev/run-for: 1s
          sim.vertlet.dev/bad.exit-code: "3"
      spec:
        nodeName: NODE
        restartPolicy: Never
        containers:
          - {name: good, image: "example.com/main:1"}
          - {name: bad, image: "example.com/main:1"}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: waiting
        annotations:
          sim.vertlet.dev/pull-error: manifest unknown
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/missing:1"}
      """;

  private StreamPods() {}

  /** Makes them on a node and waits until they are what the tests need. */
  static void apply(KubectlRuns kubectl, Path dir, String node) throws Exception {
    StringBuilder crowd = new StringBuilder();
    for (int i = 0; i < CROWD; i++) {
      crowd
          .append(i == 0 ? "[" : ", ")
          .append("{name: main%d, image: \"example.com/main:1\"}".formatted(i));
    }
    String manifest = MANIFEST.replace("NODE", node).replace("CROWD", crowd.append("]"));
    Path file = Files.writeString(dir.resolve("streams.yaml"), manifest);
    kubectl.output("apply", "-f", file.toString());
    kubectl.output(
        "wait",
        "--for=condition=Ready",
        "pod/talker",
        "pod/crowd",
        "pod/listener",
        "pod/echoing",
        KubectlRuns.LIMIT);
    await()
        .until(
            () ->
                !kubectl
                    .field(
                        "pod",
                        "restarting",
                        "{.status.containerStatuses[0].lastState.terminated.exitCode}")
                    .isEmpty());
  }
}
