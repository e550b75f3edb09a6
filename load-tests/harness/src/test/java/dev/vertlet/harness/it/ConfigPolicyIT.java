package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may name the config of a Node, and as what, where the cluster has the shipped policy. */
@ClusterTest
class ConfigPolicyIT {
  private static final String SOURCE = "vertlet.dev/config-source";
  private static final String GOOD =
      "{\"configMap\":{\"namespace\":\"kube-system\",\"name\":\"my.config-1\",\"kubeletConfigKey\":\".kubelet_1\"}}";

  private static void annotate(KubernetesClient client, String source) {
    JsonObject annotations = new JsonObject().put(SOURCE, source);
    client
        .nodes()
        .withName("policed")
        .patch(
            TestCluster.MERGE,
            new JsonObject()
                .put("metadata", new JsonObject().put("annotations", annotations))
                .encode());
  }

  private static void refused(KubernetesClient client, String source, String message) {
    assertThatThrownBy(() -> annotate(client, source))
        .as(source)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(message);
  }

  /** V1–V9, A35: as the agent would, before anything is stored. */
  @Test
  @Tag("A35")
  void aSourceThatIsNoneIsRefusedAndSoIsOneOfTheAgentsOwn(TestCluster cluster) throws Exception {
    KubernetesClient admin = cluster.client();
    Manifests.render(cluster.controlPlane(), admin, Manifests.CONFIG_POLICY)
        .forEach(
            object -> {
              if (object instanceof ValidatingAdmissionPolicyBinding binding) {
                // other tests share the cluster
                binding
                    .getSpec()
                    .setMatchResources(
                        new io.fabric8.kubernetes.api.model.admissionregistration.v1
                                .MatchResourcesBuilder()
                            .withNewObjectSelector()
                            .addToMatchLabels("policed", "true")
                            .endObjectSelector()
                            .build());
              }
              var unused = admin.resource(object).serverSideApply();
              cluster.closeAfterTest(() -> admin.resource(object).delete());
            });
    admin
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("policed")
                .addToLabels("policed", "true")
                .endMetadata()
                .build())
        .create();
    cluster.closeAfterTest(() -> admin.nodes().withName("policed").delete());
    // policies take effect a moment after they are made; one that is there already is no change
    AtomicInteger tries = new AtomicInteger();
    eventually(
        () ->
            refused(
                admin,
                "{\"try\": %d}".formatted(tries.incrementAndGet()),
                "exactly one reference subfield"));

    Map<String, String> bad = new LinkedHashMap<>();
    bad.put("{}", "exactly one reference subfield");
    bad.put("{\"configMap\":", "exactly one reference subfield");
    bad.put("{\"secret\":{\"name\":\"x\"}}", "exactly one reference subfield");
    bad.put(GOOD.replace("kube-system", ""), ".configMap.namespace: ");
    bad.put(GOOD.replace("kube-system", "../baz"), ".configMap.namespace: ");
    bad.put(GOOD.replace("my.config-1", ""), ".configMap.name: ");
    bad.put(GOOD.replace("my.config-1", "../bar"), ".configMap.name: ");
    bad.put(GOOD.replace(".kubelet_1", ""), ".configMap.kubeletConfigKey: ");
    bad.put(GOOD.replace(".kubelet_1", "../qux"), ".configMap.kubeletConfigKey: ");
    bad.put(GOOD.replace(".kubelet_1", ".."), ".configMap.kubeletConfigKey: ");
    bad.put(GOOD.replace("\"name\"", "\"uid\":\"1\",\"name\""), "uid must not be set in spec");
    bad.put(
        GOOD.replace("\"name\"", "\"resourceVersion\":\"1\",\"name\""),
        "resourceVersion must not be set in spec");
    bad.forEach((source, message) -> refused(admin, source, message));

    for (String good : List.of(GOOD, " " + GOOD.replace(":", " : ") + " ", "null")) {
      annotate(admin, good);
    }
    assertThat(admin.nodes().withName("policed").get().getMetadata().getAnnotations())
        .containsEntry(SOURCE, "null");
    try (KubernetesClient agent = TestCluster.connect(cluster.agentKubeconfig())) {
      String patch = "{\"metadata\": {\"annotations\": {\"%s\": %s}}}";
      assertThatThrownBy(
              () ->
                  agent
                      .nodes()
                      .withName("policed")
                      .patch(patch.formatted(SOURCE, "\"" + GOOD.replace("\"", "\\\"") + "\"")))
          .hasMessageContaining("an agent must not assign a config to its own node");
      var unused =
          agent.nodes().withName("policed").patch(patch.formatted("vertlet.dev/x", "\"1\""));
    }
  }
}
