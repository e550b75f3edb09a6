package dev.vertlet.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PlacementView.HostPort;
import dev.vertlet.model.pod.PlacementView.Toleration;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** kubelet §11.4: what becomes of a manifest. */
class ManifestsTest {
  private static final Manifests FILES = new Manifests("Edge-0", Manifests.FILE);
  private static final Manifests URLS = new Manifests("Edge-0", Manifests.HTTP);

  private static final String WEB =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
        labels: {app: web}
      spec:
        containers:
          - name: main
            image: nginx:1.27
      """;

  static StaticPod pod(String text) throws ManifestException {
    return FILES.pod(text.getBytes(UTF_8), "/pods/web.yaml");
  }

  @Test
  void completesAPodAsAKubeletDoes() throws ManifestException {
    PodView pod = pod(WEB).view();

    assertThat(pod.uid()).matches("[0-9a-f]{32}");
    assertThat(pod.name()).isEqualTo("web-edge-0");
    assertThat(pod.namespace()).isEqualTo("default");
    assertThat(pod.nodeName()).isEqualTo("Edge-0");
    assertThat(pod.resourceVersion()).isZero();
    assertThat(pod.labels()).containsEntry("app", "web");
    assertThat(pod.annotations())
        .containsEntry("kubernetes.io/config.source", "file")
        .containsEntry("kubernetes.io/config.hash", pod.uid());
    assertThat(pod.spec().placement().tolerations())
        .containsExactly(new Toleration("", "Exists", "", "NoExecute"));
    assertThat(pod.spec().restartPolicy()).isEqualTo(RestartPolicy.ALWAYS);
    assertThat(pod.spec().terminationGracePeriodSeconds()).isEqualTo(30);
  }

  @Test
  void readsJsonAsYaml() throws ManifestException {
    String json =
        "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"labels\": {\"app\": \"web\"},"
            + " \"name\": \"web\"}, \"spec\": {\"containers\": [{\"image\": \"nginx:1.27\","
            + " \"name\": \"main\"}]}}";

    assertThat(pod(json).view()).isEqualTo(pod(WEB).view());
  }

  @Test
  void keepsWhatTheManifestSays() throws ManifestException {
    String manifest =
        WEB.replace("  name: web\n", "  name: web\n  namespace: apps\n  uid: my-uid\n")
            + "  tolerations: [{operator: Exists, effect: NoExecute}]\n"
            + "  terminationGracePeriodSeconds: 5\n"
            + "  restartPolicy: Never\n";

    PodView pod = pod(manifest).view();

    assertThat(pod.uid()).isEqualTo("my-uid");
    assertThat(pod.namespace()).isEqualTo("apps");
    assertThat(pod.annotations()).containsEntry("kubernetes.io/config.hash", "my-uid");
    assertThat(pod.spec().placement().tolerations()).hasSize(1);
    assertThat(pod.spec().terminationGracePeriodSeconds()).isEqualTo(5);
    assertThat(pod.spec().restartPolicy()).isEqualTo(RestartPolicy.NEVER);
  }

  @Test
  void aPodFromAUrlBearsNoEviction() throws ManifestException {
    PodView pod = URLS.pods(WEB.getBytes(UTF_8), "http://host/pods").pods().get(0).view();

    assertThat(pod.spec().placement().tolerations()).isEmpty();
    assertThat(pod.annotations()).containsEntry("kubernetes.io/config.source", "http");
  }

  @Test
  void theUidFollowsWhatIsWrittenAndWhereButNotHow() throws ManifestException {
    String uid = pod(WEB).view().uid();

    assertThat(pod("# a comment\n" + WEB + "---\n").view().uid()).isEqualTo(uid);
    assertThat(pod(WEB.replace("1.27", "1.28")).view().uid()).isNotEqualTo(uid);
    assertThat(FILES.pod(WEB.getBytes(UTF_8), "/pods/b.yaml").view().uid()).isNotEqualTo(uid);
    assertThat(new Manifests("b", Manifests.FILE).pod(WEB.getBytes(UTF_8), "/pods/web.yaml"))
        .extracting(pod -> pod.view().uid())
        .isNotEqualTo(uid);
    assertThat(URLS.pod(WEB.getBytes(UTF_8), "/pods/web.yaml").view().uid()).isNotEqualTo(uid);
  }

  @Test
  void anObjectOutOfAnApiServerIsAPodOfItsOwn() throws ManifestException {
    String exported =
        WEB.replace(
                "  name: web\n",
                "  name: web\n  resourceVersion: '7'\n  deletionTimestamp: 2026-01-01T00:00:00Z\n"
                    + "  annotations: {kubernetes.io/config.mirror: abc}\n")
            + "status: {phase: Running}\n";

    PodView pod = pod(exported).view();

    assertThat(pod.deleting()).isFalse();
    assertThat(pod.resourceVersion()).isZero();
    assertThat(pod.annotations()).doesNotContainKey("kubernetes.io/config.mirror");
    assertThat(pod.status().phase().terminal()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "nginx, Always",
    "nginx:latest, Always",
    "host:5000/nginx, Always",
    "nginx:1.27, IfNotPresent",
    "host:5000/nginx:1.27, IfNotPresent",
    "nginx@sha256:abc, IfNotPresent"
  })
  void imagesArePulledAsTheApiServerSays(String image, String policy) throws ManifestException {
    PodView pod = pod(WEB.replace("nginx:1.27", image)).view();

    assertThat(pod.spec().containers())
        .extracting(ContainerView::imagePullPolicy)
        .containsExactly(policy);
  }

  @Test
  void whatIsLimitedIsRequestedAndPortsOfTheHostAreTaken() throws ManifestException {
    String manifest =
        WEB
            + "      resources: {limits: {cpu: 2, memory: 1Gi}, requests: {memory: 1Mi}}\n"
            + "      ports: [{containerPort: 80}]\n"
            + "      readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 3}\n"
            + "  hostNetwork: true\n";

    PodView pod = pod(manifest).view();

    assertThat(pod.spec().placement().requests().milliCpu()).isEqualTo(2000);
    assertThat(pod.spec().placement().requests().memory()).isEqualTo(1 << 20);
    assertThat(pod.spec().placement().hostPorts())
        .containsExactly(new HostPort("0.0.0.0", "TCP", 80));
    assertThat(pod.spec().containers().get(0).care())
        .extracting(ContainerCare::readinessProbe)
        .extracting(ProbeView::periodSeconds, ProbeView::failureThreshold)
        .containsExactly(3, 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                            | is empty",
        "just a text                                   | holds no object",
        "{kind: Pod, apiVersion: v1, spec: {}}         | invalid pod: name is needed for the pod",
        "{kind: Deployment, apiVersion: apps/v1}       | must be a v1 Pod, is a apps/v1 Deployment",
        "{metadata: {name: web}}                       | must be a v1 Pod, has no apiVersion or no"
            + " kind",
        "{kind: Pod, apiVersion: v1, metadata: {name: web}, spec: {}} | invalid pod:"
            + " [spec.containers: Required value]",
        "{kind: Pod, apiVersion: v1, metadata: {name: web}, spec: {containers: [{name: a}]}} |"
            + " invalid pod: [spec.containers[0].image: Required value]",
      })
  void saysWhyAManifestIsRefused(String text, String reason) {
    assertThatThrownBy(() -> pod(text)).hasMessage(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: [", "kind: Pod\n kind: x", "\u0000", "a: 1\na: 2", "{~: 1}"})
  void saysWhereTextIsBroken(String text) {
    assertThatThrownBy(() -> pod(text)).hasMessageStartingWith("is neither YAML nor JSON");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: 1                 | name",
        "name: web, namespace: 1 | namespace",
        "name: web, uid: 1       | uid"
      })
  void namesAreNoNumbers(String metadata, String field) {
    String text = "{kind: Pod, apiVersion: v1, metadata: {" + metadata + "}}";

    assertThatThrownBy(() -> pod(text))
        .hasMessage("invalid pod: metadata." + field + " must be a string");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "annotations: {a/b: 5}  | [metadata.annotations[a/b]: must be a string]",
        "labels: {a: [x]}       | [metadata.labels[a]: must be a string]",
        "annotations: [a, b]    | metadata.annotations must be an object",
        "labels: a              | metadata.labels must be an object"
      })
  void labelsAndAnnotationsAreTexts(String metadata, String reason) {
    String text = WEB.replace("labels: {app: web}", metadata);

    assertThatThrownBy(() -> pod(text)).hasMessage("invalid pod: " + reason);
  }

  @Test
  void refusesSeveralDocuments() {
    assertThatThrownBy(() -> pod(WEB + "---\n" + WEB))
        .hasMessage("holds 2 documents; a manifest holds one object");
  }

  @Test
  void wrongTypesAreRefused() {
    assertThatThrownBy(() -> pod(WEB + "  priority: high\n"))
        .hasMessage("invalid pod: expected VALUE_NUMBER_INT, got VALUE_STRING");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: main    | name: Main        | spec.containers[0].name: Invalid value",
        "name: main    | x: y              | spec.containers[0].name: Required value",
        "name: web     | name: Web!        | metadata.name: Invalid value: \"Web!-edge-0\"",
        "{app: web}    | {'a b': web}      | metadata.labels: Invalid value: \"a b\"",
        "{app: web}    | {app: 'a b'}      | metadata.labels: Invalid value: \"a b\"",
        "spec:         | spec: {restartPolicy: Sometimes} # | spec.restartPolicy: Unsupported"
            + " value: \"Sometimes\": supported values: \"Always\", \"OnFailure\", \"Never\"",
      })
  void namesTheFieldThatIsWrong(String what, String by, String problem) {
    String manifest = WEB.replace(what, by);
    manifest = manifest.contains("Sometimes") ? WEB + "  restartPolicy: Sometimes\n" : manifest;
    String text = manifest;

    assertThatThrownBy(() -> pod(text)).hasMessageContaining("invalid pod: [" + problem);
  }

  @Test
  void namesEveryFieldThatIsWrong() {
    String manifest =
        WEB
            + "      imagePullPolicy: Sometimes\n"
            + "      ports: [{containerPort: 70000}, {hostPort: 80}]\n"
            + "    - {name: main, image: x}\n"
            + "  ephemeralContainers: [{name: debug, image: x}]\n"
            + "  terminationGracePeriodSeconds: -1\n";

    assertThatThrownBy(() -> pod(manifest))
        .hasMessage(
            "invalid pod: [spec.containers[0].imagePullPolicy: Unsupported value: \"Sometimes\":"
                + " supported values: \"Always\", \"IfNotPresent\", \"Never\""
                + " spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be"
                + " between 1 and 65535, inclusive"
                + " spec.containers[0].ports[1].containerPort: Required value"
                + " spec.containers[1].name: Duplicate value: \"main\""
                + " spec.ephemeralContainers: Forbidden: cannot be set on create"
                + " spec.terminationGracePeriodSeconds: Invalid value: -1: must be greater than or"
                + " equal to 0]");
  }

  @Test
  void oddShapesAreRefused() {
    String odd =
        "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec:"
            + " {containers: [c, {name: d, image: e, resources: f, ports: [g, {containerPort: h}],"
            + " livenessProbe: i}], initContainers: j, tolerations: k, overhead: l, volumes: m}}";

    assertThatThrownBy(() -> pod(odd))
        .hasMessageStartingWith("invalid pod: [spec.containers[0].name: Required value");
    assertThatThrownBy(() -> pod("{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: x}"))
        .hasMessage("invalid pod: [spec.containers: Required value]");
  }

  @Test
  void whatIsNoObjectIsNoPodOfAList() throws ManifestException {
    byte[] list = "{apiVersion: v1, kind: PodList, items: [x]}".getBytes(UTF_8);

    assertThat(URLS.pods(list, "url").problems())
        .extracting(SourceContents.Problem::reason)
        .containsExactly("invalid pod: name is needed for the pod");
  }

  @Test
  void aRefusedPodIsKnownByName() {
    assertThatThrownBy(() -> pod(WEB.replace("image: nginx:1.27", "x: y")))
        .isInstanceOfSatisfying(
            ManifestException.class,
            refused ->
                assertThat(refused.pod())
                    .extracting(PodRef::display)
                    .isEqualTo("default/web-edge-0"));
  }

  @Test
  @Tag("C69")
  void aUrlMayHoldAListAndWhatIsWrongInItIsLeftOut() throws ManifestException {
    String list =
        """
        apiVersion: v1
        kind: PodList
        items:
          - metadata: {name: a}
            spec: {containers: [{name: main, image: x}]}
          - metadata: {name: b}
            spec: {}
          - metadata: {name: a}
            spec: {containers: [{name: other, image: x}]}
        """;

    SourceContents reading = URLS.pods(list.getBytes(UTF_8), "http://host/pods");

    assertThat(reading.pods()).extracting(StaticPod::fullName).containsExactly("a-edge-0_default");
    assertThat(reading.problems())
        .extracting(SourceContents.Problem::toString)
        .containsExactly(
            "http://host/pods: invalid pod: [spec.containers: Required value]",
            "http://host/pods: duplicate pod name \"a-edge-0\"");
    assertThat(reading.problems().get(0).event())
        .matches(
            "Error validating pod b-edge-0_default\\([0-9a-f]{32}\\) from http, ignoring: invalid"
                + " pod: \\[spec.containers: Required value]");
    assertThat(reading.problems().get(1).event())
        .matches(
            "Error validating pod a-edge-0_default\\([0-9a-f]{32}\\) from http due to duplicate pod"
                + " name \"a-edge-0\", ignoring");
    assertThatThrownBy(() -> URLS.pods("{kind: Node, apiVersion: v1}".getBytes(UTF_8), "url"))
        .hasMessage("must be a v1 Pod or PodList, is a v1 Node");
  }

  @Test
  void theMirrorIsTheSamePodOwnedByItsNode() throws ManifestException {
    StaticPod pod = pod(WEB).seen(Instant.parse("2026-01-01T00:00:00Z"));

    JsonObject mirror = pod.mirror("node-uid").toJsonObject();

    JsonObject metadata = mirror.getJsonObject("metadata");
    assertThat(metadata.getString("name")).isEqualTo("web-edge-0");
    assertThat(metadata.containsKey("uid")).isFalse();
    assertThat(metadata.getJsonObject("annotations").getMap())
        .containsEntry("kubernetes.io/config.mirror", pod.view().uid())
        .containsEntry("kubernetes.io/config.hash", pod.view().uid())
        .containsEntry("kubernetes.io/config.source", "file")
        .containsEntry("kubernetes.io/config.seen", "2026-01-01T00:00:00Z");
    assertThat(metadata.getJsonArray("ownerReferences").encode())
        .isEqualTo(
            "[{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"Edge-0\",\"uid\":\"node-uid\","
                + "\"controller\":true}]");
    assertThat(mirror.getJsonObject("spec").getString("nodeName")).isEqualTo("Edge-0");
  }

  @Test
  void anEndingPodHasItsOwnGrace() throws ManifestException {
    Instant now = Instant.parse("2026-01-01T00:00:00.5Z");

    PodView ending = pod(WEB + "  terminationGracePeriodSeconds: 0\n").ending(now).view();

    assertThat(ending.deletionGracePeriodSeconds()).isEqualTo(1);
    assertThat(ending.deletionTimestamp()).isEqualTo("2026-01-01T00:00:01Z");
  }

  @Test
  void whatSomebodyObjectsToIsLeftOut() throws ManifestException {
    SourceContents reading = URLS.pods(WEB.getBytes(UTF_8), "http://host/pods");

    assertThat(reading.without(pod -> Optional.empty())).isEqualTo(reading);
    SourceContents less = reading.without(pod -> Optional.of("taken"));

    assertThat(less.pods()).isEmpty();
    assertThat(less.problems()).extracting(SourceContents.Problem::reason).containsExactly("taken");
  }
}
