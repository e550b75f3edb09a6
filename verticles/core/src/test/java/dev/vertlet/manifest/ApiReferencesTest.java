package dev.vertlet.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A static pod may not need an API server. */
class ApiReferencesTest {
  private static final String POD =
      "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: x"
          + "%s}]%s}}";

  private static StaticPod pod(@Nullable String inContainer, @Nullable String inSpec)
      throws ManifestException {
    String text =
        POD.formatted(
            inContainer == null ? "" : ", " + inContainer, inSpec == null ? "" : ", " + inSpec);
    return new Manifests("node", Manifests.FILE).pod(text.getBytes(UTF_8), "/pods/web.yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| serviceAccountName: robot                              | serviceaccounts",
        "| imagePullSecrets: [{name: s}]                          | secrets",
        "| volumes: [{name: v, secret: {secretName: s}}]          | secrets",
        "| volumes: [{name: v, secret: {}}]                       | secrets (via secret volumes)",
        "| volumes: [{name: v, azureFile: {secretName: s}}]       | secrets",
        "| volumes: [{name: v, azureFile: {shareName: s}}]        | secrets (via azureFile volumes)",
        "| volumes: [{name: v, iscsi: {secretRef: {name: s}}}]    | secrets",
        "| volumes: [{name: v, csi: {nodePublishSecretRef: {name: s}}}] | secrets",
        "| volumes: [{name: v, csi: {driver: d}}]                 | csidrivers (via CSI volumes)",
        "| volumes: [{name: v, configMap: {name: c}}]             | configmaps",
        "| volumes: [{name: v, configMap: {}}] | configmaps (via configmap volumes)",
        "| volumes: [{name: v, glusterfs: {path: p}}] | endpoints (via glusterFS volumes)",
        "| volumes: [{name: v, persistentVolumeClaim: {claimName: c}}] | persistentvolumeclaims",
        "| volumes: [{name: v, ephemeral: {}}] | persistentvolumeclaims (via ephemeral volumes)",
        "| volumes: [{name: v, projected: {sources: [{secret: {name: s}}]}}] | secrets",
        "| volumes: [{name: v, projected: {sources: [{configMap: {name: s}}]}}] | configmaps",
        "| volumes: [{name: v, projected: {sources: [{secret: {}}]}}] | secrets (via projected"
            + " volumes)",
        "| volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: p}}]}}] |"
            + " serviceaccounts (via projected volumes)",
        "| volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {path: p}}]}}] |"
            + " clustertrustbundles",
        "| volumes: [{name: v, projected: {sources: [{podCertificate: {}}]}}] | podcertificates",
        "| resourceClaims: [{name: gpu}]                          | resourceclaims",
        "envFrom: [{secretRef: {name: s}}] |                       | secrets",
        "envFrom: [{configMapRef: {name: s}}] |                    | configmaps",
        "env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}] | | secrets",
        "env: [{name: A, valueFrom: {configMapKeyRef: {name: s, key: k}}}] | | configmaps",
        "| initContainers: [{name: i, image: x, envFrom: [{secretRef: {name: s}}]}] | secrets",
      })
  @Tag("C70")
  void isRefusedInTheKubeletsWords(
      @Nullable String container, @Nullable String spec, String resource) {
    assertThatThrownBy(() -> pod(container, spec))
        .hasMessage("static pods may not reference " + resource);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}] |",
        "| volumes: [{name: v, hostPath: {path: /tmp}}]",
        "| volumes: [{name: v, emptyDir: {}}, {name: w}]",
        "| volumes: [{name: v, projected: {sources: [{downwardAPI: {items: []}}]}}]",
        "| serviceAccountName: ''",
      })
  void whatNeedsNoApiServerRuns(@Nullable String container, @Nullable String spec)
      throws ManifestException {
    assertThat(pod(container, spec).view().name()).isEqualTo("web-node");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "volumes: [{name: v, hostpath: {path: /tmp}}] | unknown volume type for volume  \"v\"",
        "volumes: [{name: v, projected: {sources: [{news: {}}]}}] | unknown source for projected"
            + " volume \"v\"",
      })
  void volumesOfNoKnownKindAreRefused(String spec, String reason) {
    assertThatThrownBy(() -> pod(null, spec)).hasMessage(reason);
  }
}
