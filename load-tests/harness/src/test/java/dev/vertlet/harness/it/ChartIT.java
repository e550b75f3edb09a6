package dev.vertlet.harness.it;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped chart beside the shipped manifests, by the real helm and a real API server. */
@ClusterTest
@FullRing
class ChartIT {
  private static final String CHECKSUM = "checksum/config";

  @TempDir private static Path dir;

  private static Helm helm;

  @BeforeAll
  static void build() throws Exception {
    helm = Helm.build(dir);
  }

  @Test
  void lintFindsNothing() throws Exception {
    Launcher.Outcome lint = helm.run(List.of("lint", "--strict"));

    assertThat(lint.exitCode()).as(lint.out() + lint.err()).isZero();
  }

  @Test
  void theChartSaysWhatTheOverlaySays(TestCluster cluster) throws Exception {
    Map<String, Map<String, Object>> charted =
        normal(rendered(cluster, "--set", "namespace.create=true"));

    Map<String, Map<String, Object>> overlay =
        normal(Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.DAEMON_SET));

    assertThat(charted.keySet()).isEqualTo(overlay.keySet());
    overlay.forEach((name, object) -> assertThat(charted.get(name)).as(name).isEqualTo(object));
  }

  @Test
  void withContainersTheChartSaysWhatTheOverlayOfThemSays(TestCluster cluster) throws Exception {
    String config = Files.readString(Manifests.CRI.resolve("vertlet.json"));
    Map<String, Map<String, Object>> charted =
        normal(
            rendered(
                cluster,
                "--set",
                "namespace.create=true,cri.enabled=true",
                "--set-json",
                "config=" + config));

    Map<String, Map<String, Object>> overlay =
        normal(Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.CRI));

    assertThat(charted.keySet()).isEqualTo(overlay.keySet());
    overlay.forEach((name, object) -> assertThat(charted.get(name)).as(name).isEqualTo(object));
  }

  @ParameterizedTest
  @CsvSource({
    "staticPods, static-pods",
    "servingCertificates, serving-certificates",
    "secrets, secrets",
    "content, content"
  })
  void aValueGrantsWhatAFolderOfTheBaseGrants(String value, String folder, TestCluster cluster)
      throws Exception {
    Map<String, Map<String, Object>> more =
        normal(rendered(cluster, "--set", "rbac." + value + "=true"));
    more.keySet().removeAll(normal(rendered(cluster)).keySet());

    assertThat(more)
        .isNotEmpty()
        .isEqualTo(
            normal(
                Manifests.render(
                    cluster.controlPlane(), cluster.client(), Manifests.BASE.resolve(folder))));
  }

  @Test
  void theApiServerTakesEveryObjectWithEachValueSet(TestCluster cluster) throws Exception {
    Path values =
        Files.writeString(
            dir.resolve("values.yaml"),
            """
            image: {repository: "registry.example.com:5000/a/b", digest: "sha256:%s",
              pullPolicy: Always, pullSecrets: [{name: pull}]}
            config: {nodes: [{name: "a{i}", count: 100000}], agent: {profile: fast}}
            javaArgs: |
              -Xmx1g
            rbac: {staticPods: true, servingCertificates: true, secrets: true,
              content: true}
            networkPolicy:
              metricsFrom: [{ipBlock: {cidr: 192.0.2.0/24}}]
              kubeletPorts: {first: 20250, last: 20349}
            resources: {limits: {memory: 2Gi}}
            priorityClassName: system-cluster-critical
            terminationGracePeriodSeconds: 30
            dataDir: /data/vertlet
            nodeSelector: {example.com/virtual: "true"}
            tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
            env: [{name: VERTLET_LOG_FORMAT, value: json}]
            podAnnotations: {example.com/a: b}
            """
                .formatted("0".repeat(64)));
    Launcher.Outcome template = helm.template("--values", values.toString());
    assertThat(template.exitCode()).as(template.err()).isZero();
    Path file = Files.writeString(dir.resolve("objects.yaml"), template.out());

    String taken =
        cluster
            .controlPlane()
            .kubectl("apply", "-f", file.toString(), "--dry-run=server", "--validate=strict");

    List<HasMetadata> objects = Helm.objects(cluster.client(), template.out());
    assertThat(taken.lines())
        .hasSameSizeAs(objects)
        .allMatch(line -> line.endsWith("(server dry run)"));
    ConfigMap config = Manifests.of(ConfigMap.class, objects).get(0);
    assertThat(new JsonObject(config.getData().get("vertlet.json")))
        .isEqualTo(
            new JsonObject(
                """
                {"nodes": [{"name": "a{i}", "count": 100000}], "agent": {"profile": "fast"}}
                """));
    assertThat(config.getData()).containsEntry("java.args", "-Xmx1g\n");
    assertThat(template.out())
        .contains(
            "image: registry.example.com:5000/a/b@sha256:000",
            "cidr: 192.0.2.0/24",
            "port: 20250",
            "endPort: 20349",
            "imagePullPolicy: Always",
            "- name: pull",
            "memory: 2Gi",
            "priorityClassName: system-cluster-critical",
            "terminationGracePeriodSeconds: 30",
            "path: /data/vertlet",
            "example.com/virtual: \"true\"",
            "key: node-role.kubernetes.io/control-plane",
            "name: VERTLET_LOG_FORMAT",
            "example.com/a: b");
  }

  @Test
  void theNetworkPolicyCanBeLeftOutOrLetNobodyRead(TestCluster cluster) throws Exception {
    assertThat(
            Manifests.of(
                NetworkPolicy.class, rendered(cluster, "--set", "networkPolicy.enabled=false")))
        .isEmpty();
    assertThat(
            Manifests.of(
                    NetworkPolicy.class,
                    rendered(cluster, "--set-json", "networkPolicy.metricsFrom=[]"))
                .get(0)
                .getSpec()
                .getIngress())
        .singleElement()
        .satisfies(rule -> assertThat(rule.getFrom()).isEmpty())
        .satisfies(rule -> assertThat(rule.getPorts().get(0).getEndPort()).isEqualTo(10_318));
  }

  @Test
  void anotherConfigurationRollsOut(TestCluster cluster) throws Exception {
    assertThat(checksum(cluster, "--set", "config.agent.profile=fast"))
        .isNotEqualTo(checksum(cluster))
        .hasSize(64);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "image.repositry=x | at '/image': additional properties 'repositry' not allowed",
        "image.pullPolicy=Maybe | at '/image/pullPolicy': value must be one of '', 'Always',",
        "image.digest=latest | at '/image/digest': 'latest' does not match pattern",
        "terminationGracePeriodSeconds=0 | at '/terminationGracePeriodSeconds': minimum: got 0,"
            + " want 1",
        "resources.limits.memory=lots | at '/resources/limits/memory': 'lots' does not match"
            + " pattern",
        "resources.limits=null | at '/resources': missing property 'limits'",
        "config.nodes=null | at '/config': missing property 'nodes'",
        "dataDir=data | at '/dataDir': 'data' does not match pattern '^/.+'",
        "rbac.staticPods=maybe | at '/rbac/staticPods': got string, want boolean",
        "networkPolicy.kubeletPorts.first=0 | at '/networkPolicy/kubeletPorts/first': minimum: got"
            + " 0, want 1",
        "networkPolicy.metricsFrom[0]=x | at '/networkPolicy/metricsFrom/0': got string, want"
            + " object",
        "initImage.tag=1 | additional properties 'initImage' not allowed",
        "nodeSelectr.a=b | additional properties 'nodeSelectr' not allowed",
      })
  void aValueThatCannotBeIsRefusedByName(String value, String error) throws Exception {
    Launcher.Outcome refused = helm.template("--set", value);

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains(error);
  }

  private static List<HasMetadata> rendered(TestCluster cluster, String... more) throws Exception {
    Launcher.Outcome template = helm.template(more);
    assertThat(template.exitCode()).as(template.err()).isZero();
    return Helm.objects(cluster.client(), template.out());
  }

  private static @Nullable String checksum(TestCluster cluster, String... more) throws Exception {
    return Manifests.of(DaemonSet.class, rendered(cluster, more))
        .get(0)
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getAnnotations()
        .get(CHECKSUM);
  }

  /**
   * By kind and name, without what has to differ: kustomize rolls a configuration out by the
   * ConfigMap's name, the chart by an annotation, and JSON may be laid out in more than one way.
   */
  private static Map<String, Map<String, Object>> normal(List<HasMetadata> objects) {
    ObjectMapper mapper = Serialization.jsonMapper();
    return objects.stream()
        .map(ChartIT::withoutRollOut)
        .collect(
            toMap(
                object ->
                    object.getKind()
                        + " "
                        + object.getMetadata().getNamespace()
                        + "/"
                        + object.getMetadata().getName(),
                object -> mapper.convertValue(object, new TypeReference<Map<String, Object>>() {}),
                (one, other) -> {
                  throw new AssertionError("twice: " + one);
                },
                TreeMap::new));
  }

  private static HasMetadata withoutRollOut(HasMetadata object) {
    if (object instanceof ConfigMap map) {
      map.getMetadata().setName("vertlet");
      map.getData().replaceAll((name, text) -> normalFile(name, text));
    }
    if (object instanceof DaemonSet set) {
      set.getSpec().getTemplate().getMetadata().getAnnotations().remove(CHECKSUM);
      set.getSpec().getTemplate().getSpec().getVolumes().stream()
          .filter(volume -> volume.getConfigMap() != null)
          .forEach(volume -> volume.getConfigMap().setName("vertlet"));
    }
    return object;
  }

  private static String normalFile(String name, String text) {
    if (!name.endsWith(".json")) {
      return text;
    }
    JsonObject json = new JsonObject(text);
    json.remove("$schema"); // for editors of the file
    try {
      return JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build()
          .writeValueAsString(json.getMap());
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
