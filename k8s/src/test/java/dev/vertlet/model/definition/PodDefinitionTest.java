package dev.vertlet.model.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.LabelSelector;
import dev.vertlet.model.LabelSelector.Operator;
import dev.vertlet.model.LabelSelector.Requirement;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.definition.ContainerDefinition.Mount;
import dev.vertlet.model.definition.ContainerDefinition.Port;
import dev.vertlet.model.definition.ContainerSecurity.Profile;
import dev.vertlet.model.definition.ContainerSecurity.SeLinux;
import dev.vertlet.model.definition.VolumeDefinition.Downward;
import dev.vertlet.model.definition.VolumeDefinition.DownwardItem;
import dev.vertlet.model.definition.VolumeDefinition.EmptyDir;
import dev.vertlet.model.definition.VolumeDefinition.Files;
import dev.vertlet.model.definition.VolumeDefinition.HostPath;
import dev.vertlet.model.definition.VolumeDefinition.Item;
import dev.vertlet.model.definition.VolumeDefinition.Keys;
import dev.vertlet.model.definition.VolumeDefinition.Other;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.model.definition.VolumeDefinition.TrustBundle;
import dev.vertlet.model.definition.VolumeDefinition.Unsupported;
import dev.vertlet.model.reference.ReferredKind;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Definitions of pods, field by field. */
class PodDefinitionTest {
  private static final String POD =
      """
      {"metadata": {"name": "p", "annotations":
        {"container.apparmor.security.beta.kubernetes.io/side": "localhost/old"}},
       "spec": {
        "hostNetwork": true, "hostPID": true, "hostUsers": false, "runtimeClassName": "kata",
        "imagePullSecrets": [{"name": "s1"}, {}, {"name": "s2"}],
        "securityContext": {"runAsUser": 1, "runAsGroup": 2, "runAsNonRoot": true, "fsGroup": 3,
          "fsGroupChangePolicy": "OnRootMismatch", "supplementalGroups": [4, 5],
          "supplementalGroupsPolicy": "Strict", "sysctls": [{"name": "a", "value": "b"}],
          "seccompProfile": {"type": "RuntimeDefault"},
          "seLinuxOptions": {"level": "s0"}},
        "volumes": [
          {"name": "cm", "configMap": {"name": "m", "defaultMode": 256, "optional": true,
            "items": [{"key": "k", "path": "p", "mode": 384}, {"key": "l", "path": "q"}]}},
          {"name": "sec", "secret": {"secretName": "s"}},
          {"name": "down", "downwardAPI": {"items": [
            {"path": "l", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.labels"}},
            {"path": "c", "mode": 256, "resourceFieldRef":
              {"containerName": "main", "resource": "limits.cpu", "divisor": "1m"}}]}},
          {"name": "proj", "projected": {"sources": [
            {"serviceAccountToken": {"audience": "a", "expirationSeconds": 600, "path": "t"}},
            {"secret": {"name": "s"}},
            {"clusterTrustBundle": {"signerName": "example.com/s", "optional": true, "path": "x",
              "labelSelector": {"matchLabels": {"l": "v"},
                "matchExpressions": [{"key": "e", "operator": "NotIn", "values": ["a", "b"]}]}}},
            {"clusterTrustBundle": {"name": "n", "path": "y"}},
            {"podCertificate": {"keyType": "ED25519"}}]}},
          {"name": "mem", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
          {"name": "host", "hostPath": {"path": "/var", "type": "Directory"}},
          {"name": "claim", "persistentVolumeClaim": {"claimName": "c"}}],
        "initContainers": [{"name": "first", "image": "i"}],
        "containers": [{"name": "main", "image": "i", "workingDir": "/w", "stdin": true,
          "stdinOnce": true, "tty": true, "terminationMessagePath": "/dev/termination-log",
          "ports": [{"name": "web", "containerPort": 80, "hostPort": 8080, "hostIP": "1.2.3.4",
            "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}],
          "volumeDevices": [{"name": "claim", "devicePath": "/dev/x"}],
          "resources": {"claims": [{"name": "gpu"}]},
          "volumeMounts": [{"name": "cm", "mountPath": "/m", "readOnly": true,
            "recursiveReadOnly": "IfPossible", "subPath": "p", "mountPropagation": "HostToContainer"},
            {"name": "mem", "mountPath": "/e", "subPathExpr": "$(A)"}],
          "securityContext": {"runAsUser": 7, "privileged": true, "readOnlyRootFilesystem": true,
            "allowPrivilegeEscalation": false, "procMount": "Unmasked",
            "capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]},
            "seccompProfile": {"type": "Localhost", "localhostProfile": "f"},
            "appArmorProfile": {"type": "Unconfined"}}},
          {"name": "side", "image": "i"}]}}
      """;

  private final PodDefinition pod = PodDefinition.read(Buffer.buffer(POD));

  @Test
  void aPodHasItsNamespacesGroupsAndPullSecrets() {
    assertThat(pod.hostNetwork()).isTrue();
    assertThat(pod.hostPid()).isTrue();
    assertThat(pod.hostIpc()).isFalse();
    assertThat(pod.hostUsers()).isFalse();
    assertThat(pod.shareProcessNamespace()).isFalse();
    assertThat(pod.runtimeClassName()).isEqualTo("kata");
    assertThat(pod.imagePullSecrets()).containsExactly("s1", "s2");
    PodSecurity security = pod.security();
    assertThat(security.fsGroup()).isEqualTo(3);
    assertThat(security.fsGroupChangePolicy()).isEqualTo("OnRootMismatch");
    assertThat(security.supplementalGroups()).containsExactly(4L, 5L);
    assertThat(security.supplementalGroupsPolicy()).isEqualTo("Strict");
    assertThat(security.sysctls()).containsExactly(new PodSecurity.Sysctl("a", "b"));
    assertThat(pod.json().toString()).isEqualTo(POD);
  }

  @Test
  void aContainersSettingsReplaceThoseOfItsPod() {
    assertThat(pod.container("main").security())
        .isEqualTo(
            new ContainerSecurity(
                7L,
                2L,
                true,
                true,
                false,
                true,
                "Unmasked",
                List.of("NET_ADMIN"),
                List.of("ALL"),
                new SeLinux("", "", "", "s0"),
                new Profile("Localhost", "f"),
                new Profile("Unconfined", "")));
    assertThat(pod.container("first").security())
        .isEqualTo(
            new ContainerSecurity(
                1L,
                2L,
                true,
                false,
                null,
                false,
                "",
                List.of(),
                List.of(),
                new SeLinux("", "", "", "s0"),
                new Profile("RuntimeDefault", ""),
                null));
    assertThat(pod.container("side").security().appArmor())
        .isEqualTo(new Profile("Localhost", "old"));
  }

  @Test
  void aContainerHasPortsMountsAndStreams() {
    ContainerDefinition main = pod.container("main");

    assertThat(main.ports())
        .containsExactly(
            new Port("web", 80, 8080, "TCP", "1.2.3.4"), new Port("", 53, 0, "UDP", ""));
    assertThat(main.mounts())
        .containsExactly(
            new Mount("cm", "/m", true, "IfPossible", "p", "", "HostToContainer"),
            new Mount("mem", "/e", false, "", "", "$(A)", ""));
    assertThat(main.devices()).containsExactly("claim", "gpu");
    assertThat(main.workingDirectory()).isEqualTo("/w");
    assertThat(main.stdin()).isTrue();
    assertThat(main.stdinOnce()).isTrue();
    assertThat(main.tty()).isTrue();
    assertThat(main.terminationMessagePath()).isEqualTo("/dev/termination-log");
    assertThatThrownBy(() -> pod.container("none")).hasMessage("the pod has no container none");
  }

  @Test
  void volumesHaveTheirSources() {
    assertThat(pod.volumes())
        .containsExactly(
            new VolumeDefinition(
                "cm",
                "configMap",
                new Files(
                    0400,
                    List.of(
                        new Keys(
                            ReferredKind.CONFIG_MAP,
                            "m",
                            true,
                            List.of(new Item("k", "p", 0600), new Item("l", "q", null)))))),
            new VolumeDefinition(
                "sec",
                "secret",
                new Files(0644, List.of(new Keys(ReferredKind.SECRET, "s", false, List.of())))),
            new VolumeDefinition(
                "down",
                "downwardAPI",
                new Files(
                    0644,
                    List.of(
                        new Downward(
                            List.of(
                                new DownwardItem(
                                    "l", new ValueFrom.Field("v1", "metadata.labels"), null),
                                new DownwardItem(
                                    "c",
                                    new ValueFrom.Resource("main", "limits.cpu", "1m"),
                                    0400)))))),
            new VolumeDefinition(
                "proj",
                "projected",
                new Files(
                    0644,
                    List.of(
                        new Token("a", 600, "t"),
                        new Keys(ReferredKind.SECRET, "s", false, List.of()),
                        new TrustBundle(
                            "",
                            "example.com/s",
                            new LabelSelector(
                                List.of(
                                    new Requirement("l", Operator.IN, Set.of("v")),
                                    new Requirement("e", Operator.NOT_IN, Set.of("a", "b")))),
                            true,
                            "x"),
                        new TrustBundle("n", "", null, false, "y"),
                        new Unsupported("podCertificate")))),
            new VolumeDefinition("mem", "emptyDir", new EmptyDir("Memory", "1Gi")),
            new VolumeDefinition("host", "hostPath", new HostPath("/var", "Directory")),
            new VolumeDefinition("claim", "persistentVolumeClaim", new Other()));
  }

  @Test
  void anythingElseIsRefused() {
    assertThatThrownBy(() -> PodDefinition.read(Buffer.buffer("{}")))
        .isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> PodDefinition.read(Buffer.buffer("no")))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void noTextShowsTheDefinition() {
    assertThat(pod.toString()).doesNotContain("spec");
  }
}
