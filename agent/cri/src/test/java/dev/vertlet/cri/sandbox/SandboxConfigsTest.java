package dev.vertlet.cri.sandbox;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cri.container.TestStart;
import dev.vertlet.cri.wire.CommonMessages.Int64Value;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.CommonMessages.NamespaceMode;
import dev.vertlet.cri.wire.CommonMessages.NamespaceOption;
import dev.vertlet.cri.wire.CommonMessages.ProfileType;
import dev.vertlet.cri.wire.CommonMessages.Protocol;
import dev.vertlet.cri.wire.CommonMessages.SELinuxOption;
import dev.vertlet.cri.wire.CommonMessages.SecurityProfile;
import dev.vertlet.cri.wire.CommonMessages.SupplementalGroupsPolicy;
import dev.vertlet.cri.wire.CommonMessages.UserNamespace;
import dev.vertlet.cri.wire.SandboxMessages.DNSConfig;
import dev.vertlet.cri.wire.SandboxMessages.LinuxPodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.LinuxSandboxSecurityContext;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxMetadata;
import dev.vertlet.cri.wire.SandboxMessages.PortMapping;
import dev.vertlet.provider.container.SandboxConfig;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SandboxConfigsTest {
  private static final SandboxConfig NETWORK =
      new SandboxConfig(
          "web",
          "",
          "web",
          List.of("10.0.0.10"),
          List.of("svc"),
          List.of("ndots:5"),
          List.of(),
          List.of(9L));

  private final SandboxConfigs configs =
      new SandboxConfigs(new PodMarks("agent-1"), new LogPaths(Path.of("/logs")));

  private static JsonObject json(String text) {
    return new JsonObject(text.replace('\'', '"'));
  }

  private PodSandboxConfig config(String spec, String container) {
    return configs.of(
        TestStart.of(json(spec), json(container)).sandbox(2, NETWORK), "/kubepods/poduid-1");
  }

  @Test
  void everyFieldIsThatOfAKubelet() {
    PodSandboxConfig made =
        config(
            "{'securityContext': {'runAsUser': 5, 'runAsGroup': 6, 'fsGroup': 7,"
                + " 'supplementalGroups': [8], 'supplementalGroupsPolicy': 'Merge', 'sysctls':"
                + " [{'name': 'net.core.somaxconn', 'value': '9'}], 'seLinuxOptions': {'level':"
                + " 's0'}, 'seccompProfile': {'type': 'Unconfined'}}, 'shareProcessNamespace':"
                + " true, 'hostIPC': true, 'overhead': {'cpu': '10m', 'memory': '1Mi'}}",
            "{'ports': [{'containerPort': 80, 'hostPort': 8080, 'protocol': 'TCP'},"
                + " {'containerPort': 80, 'hostPort': 8080, 'protocol': 'TCP'},"
                + " {'containerPort': 53, 'protocol': 'UDP', 'hostIP': '127.0.0.1'}],"
                + " 'resources': {'requests': {'cpu': '100m'}, 'limits': {'cpu': '200m',"
                + " 'memory': '64Mi'}}, 'securityContext': {'privileged': true}}");

    assertThat(made)
        .usingRecursiveComparison()
        .isEqualTo(
            new PodSandboxConfig(
                new PodSandboxMetadata("web", "uid-1", "shop", 2),
                "web",
                "/logs/shop_web_uid-1",
                new DNSConfig(List.of("10.0.0.10"), List.of("svc"), List.of("ndots:5")),
                List.of(
                    new PortMapping(Protocol.TCP, 80, 8080, ""),
                    new PortMapping(Protocol.UDP, 53, 0, "127.0.0.1")),
                Map.of(
                    "app", "web",
                    "io.kubernetes.pod.name", "web",
                    "io.kubernetes.pod.namespace", "shop",
                    "io.kubernetes.pod.uid", "uid-1",
                    "vertlet.dev/node", "node-1",
                    "vertlet.dev/agent", "agent-1"),
                Map.of("note", "x"),
                new LinuxPodSandboxConfig(
                    "/kubepods/poduid-1",
                    new LinuxSandboxSecurityContext(
                        new NamespaceOption(
                            NamespaceMode.POD,
                            NamespaceMode.POD,
                            NamespaceMode.NODE,
                            "",
                            new UserNamespace(NamespaceMode.NODE, List.of(), List.of())),
                        new SELinuxOption("", "", "", "s0"),
                        new Int64Value(5),
                        new Int64Value(6),
                        false,
                        List.of(7L, 9L, 8L),
                        SupplementalGroupsPolicy.Merge,
                        true,
                        new SecurityProfile(ProfileType.RuntimeDefault, ""),
                        null),
                    Map.of("net.core.somaxconn", "9"),
                    new LinuxContainerResources(
                        100_000, 1000, 10, 1 << 20, 0, "", "", List.of(), Map.of(), 0),
                    new LinuxContainerResources(
                        100_000, 20_000, 102, 64 << 20, 0, "", "", List.of(), Map.of(), 0))));
  }

  @Test
  void aPodOnTheHostsNetworkHasNoHostNameOfItsOwn() {
    PodSandboxConfig made = config("{'hostNetwork': true}", "{}");

    assertThat(made.hostname()).isEmpty();
    LinuxSandboxSecurityContext context =
        requireNonNull(requireNonNull(made.linux()).securityContext());
    assertThat(requireNonNull(context.namespaceOptions()).network()).isEqualTo(NamespaceMode.NODE);
  }

  @Test
  void aUserNamespaceIsRefusedInAKubeletsWords() {
    assertThatThrownBy(() -> config("{'hostUsers': false}", "{}"))
        .hasMessage("can't set `spec.hostUsers: false`, runtime does not support user namespaces");
  }

  @Test
  void groupsOfVolumesAreFoundAgain() {
    TestStart pod =
        TestStart.of(
            json("{'securityContext': {'fsGroup': 7, 'supplementalGroups': [8]}}"), json("{}"));

    assertThat(
            SandboxConfigs.furtherGroups(configs.of(pod.sandbox(0, NETWORK), ""), pod.definition()))
        .containsExactly(9L);
  }

  @Test
  void aStoredConfigurationIsReadAgain(@TempDir Path directory) throws IOException {
    PodSandboxConfig made = config("{}", "{}");
    assertThat(StoredConfig.read(directory)).isNull();

    StoredConfig.write(directory, made);

    assertThat(StoredConfig.read(directory)).isEqualTo(made);
    Files.writeString(directory.resolve("cri-sandbox"), "\u0008");
    assertThat(StoredConfig.read(directory)).isNull();
  }
}
