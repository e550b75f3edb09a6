package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real containers as pods of a real control plane. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriIT {
  private static final String NODE = "cri0";

  /** Of the machine, in load-tests/cri/isolated. */
  private static final String ADDRESS = "192.0.2.10";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  private void start(TestCluster cluster) throws InterruptedException {
    lab.start(cluster, lab.config(NODE, folder.resolve("data")));
  }

  private static void create(TestCluster cluster, String name, String image, String container) {
    create(cluster, name, image, container, "");
  }

  /**
   * @param container more fields of the container, in YAML's short form
   * @param pod more fields of the pod, each with a comma behind it
   */
  private static void create(
      TestCluster cluster, String name, String image, String container, String pod) {
    cluster.create(
        name,
        NODE,
        spec(
            "{terminationGracePeriodSeconds: 1, "
                + pod
                + "containers: [{name: main, image: "
                + image
                + ", "
                + container
                + "}]}"));
  }

  private static String script(String text) {
    return "command: [sh, -c, '" + text + "']";
  }

  private static void awaitReady(TestCluster cluster, String name) {
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + name, KubectlRuns.LIMIT);
  }

  private static ContainerStatus status(TestCluster cluster, String pod) {
    return TestPods.firstContainer(cluster.pods().get(pod));
  }

  private static String events(TestCluster cluster, String pod) {
    return cluster.kubectl("get", "events", "--field-selector=involvedObject.name=" + pod);
  }

  @Test
  void aDeploymentRunsAndItsPodsAnswer(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 3
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              # the scheduler still knows nodes of agents that have ended
              nodeSelector: {kubernetes.io/hostname: %s}
              terminationGracePeriodSeconds: 1
              containers:
              - name: main
                image: %s
                args: [netexec]
                readinessProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: 1}
        """
            .formatted(NODE, ContainerLab.AGNHOST));
    cluster.kubectl("rollout", "status", "deployment/web", KubectlRuns.LIMIT);

    HttpClient http = HttpClient.newHttpClient();
    for (var pod : cluster.pods().list()) {
      String name = pod.getMetadata().getName();
      URI url = URI.create("http://" + pod.getStatus().getPodIP() + ":8080/hostname");
      assertThat(
              http.send(
                      HttpRequest.newBuilder(url).timeout(Waits.LONG).build(),
                      BodyHandlers.ofString())
                  .body())
          .isEqualTo(name);
      assertThat(cluster.kubectl("exec", name, "--", "sh", "-c", "hostname"))
          .isEqualTo(name + "\n");
      assertThat(cluster.kubectl("logs", name)).contains("Started HTTP server on port 8080");
    }
    assertThat(cluster.field("node", NODE, "{.status.nodeInfo.containerRuntimeVersion}"))
        .startsWith("containerd://");
  }

  @Test
  @Tag("X10")
  void endsAreShownAsTheyWere(TestCluster cluster) throws Exception {
    start(cluster);
    String never = "restartPolicy: Never, ";
    create(cluster, "good", ContainerLab.BUSYBOX, script("echo done"), never);
    create(
        cluster,
        "bad",
        ContainerLab.BUSYBOX,
        script("echo why > /dev/termination-log; exit 3"),
        never);
    create(
        cluster,
        "hungry",
        ContainerLab.BUSYBOX,
        "resources: {limits: {memory: 24Mi}}, " + script("tail /dev/zero"),
        never);
    create(cluster, "nothing", ContainerLab.BUSYBOX, "command: [/no-such-program]", never);
    create(
        cluster,
        "again",
        ContainerLab.BUSYBOX,
        script("test -e /v/x && exec sleep 1000; touch /v/x; exit 1")
            + ", volumeMounts: [{name: v, mountPath: /v}]",
        "volumes: [{name: v, emptyDir: {}}], ");

    ended(cluster, "good", "0 Completed");
    ended(cluster, "bad", "3 Error");
    ended(cluster, "hungry", "137 OOMKilled");
    ended(cluster, "nothing", "128 StartError");
    assertThat(cluster.kubectl("logs", "good")).isEqualTo("done\n");
    assertThat(status(cluster, "bad").getState().getTerminated().getMessage()).isEqualTo("why\n");
    eventually(() -> assertThat(status(cluster, "again").getRestartCount()).isEqualTo(1));
    awaitReady(cluster, "again");
    assertThat(status(cluster, "again").getLastState().getTerminated().getExitCode()).isEqualTo(1);
  }

  private static void ended(TestCluster cluster, String pod, String how) {
    String path = "{.status.containerStatuses[0].state.terminated['exitCode','reason']}";
    eventually(() -> assertThat(cluster.field("pod", pod, path)).isEqualTo(how));
  }

  @Test
  void probesDecideAboutContainers(TestCluster cluster) throws Exception {
    start(cluster);
    create(
        cluster,
        "sick",
        ContainerLab.BUSYBOX,
        script("touch /tmp/well; sleep 3; rm /tmp/well; exec sleep 1000")
            + ", livenessProbe: {exec: {command: [test, -e, /tmp/well]}, periodSeconds: 1,"
            + " failureThreshold: 1}, readinessProbe: {exec: {command: [test, -e, /tmp/well]},"
            + " periodSeconds: 1}");
    awaitReady(cluster, "sick");

    eventually(() -> assertThat(status(cluster, "sick").getRestartCount()).isPositive());
    assertThat(events(cluster, "sick")).contains("Liveness probe failed", "Killing");
  }

  @Test
  void volumesHaveTheirContentAndFollowIt(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.kubectl("create", "configmap", "settings", "--from-literal=colour=red");
    cluster.kubectl("create", "secret", "generic", "key", "--from-literal=key=open");
    create(
        cluster,
        "reader",
        ContainerLab.BUSYBOX,
        script("while sleep 0.2; do cat /c/colour; echo; done")
            + ", env: [{name: KEY, valueFrom: {secretKeyRef: {name: key, key: key}}}],"
            + " volumeMounts: [{name: c, mountPath: /c}, {name: c, mountPath: /one, subPath:"
            + " colour}, {name: s, mountPath: /s}, {name: m, mountPath: /m}, {name: t, mountPath:"
            + " /t}]",
        "serviceAccountName: default, securityContext: {runAsUser: 1000, fsGroup: 2000}, volumes:"
            + " [{name: c, configMap: {name: settings}}, {name: s, secret: {secretName: key,"
            + " defaultMode: 288}}, {name: t, projected: {sources: [{serviceAccountToken: {path:"
            + " token}}]}}, {name: m, emptyDir: {medium: Memory}}], ");
    awaitReady(cluster, "reader");

    assertThat(in(cluster, "reader", "cat /s/key; echo $KEY; cat /one")).isEqualTo("openopen\nred");
    assertThat(in(cluster, "reader", "stat -L -c %a:%g /s/key")).isEqualTo("440:2000\n");
    assertThat(in(cluster, "reader", "grep \" /m tmpfs \" /proc/mounts | wc -l")).isEqualTo("1\n");
    assertThat(in(cluster, "reader", "grep reader /etc/hosts | wc -l")).isEqualTo("1\n");
    assertThat(in(cluster, "reader", "cut -c 1-2 /t/token")).isEqualTo("ey\n");
    cluster.kubectl(
        "patch", "configmap", "settings", "--patch", "{\"data\": {\"colour\": \"blue\"}}");
    eventually(() -> assertThat(cluster.kubectl("logs", "reader", "--tail=1")).isEqualTo("blue\n"));
    assertThat(in(cluster, "reader", "cat /one")).isEqualTo("red");
  }

  private static String in(TestCluster cluster, String pod, String script) {
    return cluster.kubectl("exec", pod, "--", "sh", "-c", script);
  }

  @Test
  void initContainersAndSidecarsRunInOrder(TestCluster cluster) throws Exception {
    start(cluster);
    String mount = "volumeMounts: [{name: v, mountPath: /v}]";
    create(
        cluster,
        "ordered",
        ContainerLab.BUSYBOX,
        script("echo main >> /v/all; cat /v/all") + ", " + mount,
        ("restartPolicy: Never, volumes: [{name: v, emptyDir: {}}], initContainers: ["
                + "{name: first, image: %1$s, command: [sh, -c, 'echo first >> /v/all'], %2$s},"
                + "{name: beside, image: %1$s, restartPolicy: Always,"
                + " command: [sh, -c, 'echo beside >> /v/all; exec sleep 1000'], %2$s,"
                + " startupProbe: {exec: {command: [grep, beside, /v/all]}, periodSeconds: 1}},"
                + "{name: last, image: %1$s, command: [sh, -c, 'echo last >> /v/all'], %2$s}], ")
            .formatted(ContainerLab.BUSYBOX, mount));

    eventually(
        () ->
            assertThat(cluster.field("pod", "ordered", "{.status.phase}")).isEqualTo("Succeeded"));
    assertThat(cluster.kubectl("logs", "ordered", "-c", "main"))
        .isEqualTo("first\nbeside\nlast\nmain\n");
  }

  @Test
  void aPodOnTheHostsNetworkHasTheNodesAddress(TestCluster cluster) throws Exception {
    start(cluster);
    create(cluster, "host", ContainerLab.BUSYBOX, script("exec sleep 1000"), "hostNetwork: true, ");
    awaitReady(cluster, "host");

    assertThat(cluster.field("pod", "host", "{.status.podIP}")).isEqualTo(ADDRESS);
    assertThat(in(cluster, "host", "ip address show node")).contains(ADDRESS);
  }

  @Test
  @Tag("X09")
  void anImageThatIsNotThereIsAskedForAgainAndAgain(TestCluster cluster) throws Exception {
    start(cluster);
    create(cluster, "missing", "127.0.0.1:1/no/such:1", "imagePullPolicy: IfNotPresent");
    create(cluster, "never", "registry.k8s.io/no/such:1", "imagePullPolicy: Never");
    create(cluster, "invalid", "Bad_Name:x", "imagePullPolicy: IfNotPresent");

    waits(cluster, "missing", "ImagePullBackOff");
    waits(cluster, "never", "ErrImageNeverPull");
    waits(cluster, "invalid", "InvalidImageName");
    assertThat(events(cluster, "missing"))
        .contains("Failed to pull image \"127.0.0.1:1/no/such:1\"", "Error: ErrImagePull")
        .containsPattern("Back-off pulling image \"127.0.0.1:1/no/such:1\"");
  }

  private static void waits(TestCluster cluster, String pod, String reason) {
    String path = "{.status.containerStatuses[0].state.waiting.reason}";
    eventually(() -> assertThat(cluster.field("pod", pod, path)).isEqualTo(reason));
  }

  @Test
  void kubectlReachesAContainer(TestCluster cluster) throws Exception {
    start(cluster);
    create(cluster, "p", ContainerLab.AGNHOST, "args: [netexec]");
    awaitReady(cluster, "p");
    KubectlRuns kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(),
            cluster.kubeconfig(),
            cluster.namespace(),
            folder);

    byte[] bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);
    Path there = Files.write(folder.resolve("bytes"), bytes);
    cluster.kubectl("cp", there.toString(), "p:/tmp/copy");
    cluster.kubectl("cp", "p:/tmp/copy", folder.resolve("back").toString());
    assertThat(folder.resolve("back")).hasBinaryContent(bytes);
    Launcher.Outcome failed =
        kubectl
            .start(Map.of(), KubectlRuns.NOTHING, "exec", "p", "--", "sh", "-c", "exit 7")
            .await();
    assertThat(failed.exitCode()).isEqualTo(7);
    try (KubectlRuns.Run forward =
        kubectl.start(Map.of(), KubectlRuns.NOTHING, "port-forward", "pod/p", ":8080")) {
      int port =
          Launcher.port(
              forward.process(), forward.folder(), Pattern.compile("127\\.0\\.0\\.1:(\\d+) ->"));
      assertThat(new ForwardedPort(port).answers(20, 5))
          .hasSize(20)
          .allMatch(text -> text.contains("NOW"));
    }
  }

  @Test
  @Tag("X05")
  void ofADeletedPodNothingStays(TestCluster cluster) throws Exception {
    start(cluster);
    var before = lab.traces();
    create(
        cluster,
        "p",
        ContainerLab.BUSYBOX,
        script("trap \"\" TERM; (setsid sleep 4242 &); while :; do sleep 1; done")
            + ", resources: {limits: {memory: 64Mi, cpu: 500m}}, volumeMounts: [{name: m,"
            + " mountPath: /m}]",
        "volumes: [{name: m, emptyDir: {medium: Memory}}], ");
    awaitReady(cluster, "p");
    assertThat(lab.traces()).hasSizeGreaterThan(before.size() + 3);

    cluster.kubectl("delete", "pod", "p", "--wait=true");

    eventually(() -> assertThat(before).containsAll(lab.traces()));
    eventually(() -> assertThat(folder.resolve("data/pods")).isEmptyDirectory());
    assertThat(ProcessHandle.allProcesses().flatMap(each -> each.info().commandLine().stream()))
        .noneMatch(line -> line.endsWith("sleep 4242"));
  }
}
