package dev.vertlet.cri.container;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.cri.wire.CommonMessages.HugepageLimit;
import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.CommonMessages.Int64Value;
import dev.vertlet.cri.wire.CommonMessages.KeyValue;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.CommonMessages.NamespaceMode;
import dev.vertlet.cri.wire.CommonMessages.NamespaceOption;
import dev.vertlet.cri.wire.CommonMessages.ProfileType;
import dev.vertlet.cri.wire.CommonMessages.SecurityProfile;
import dev.vertlet.cri.wire.CommonMessages.SupplementalGroupsPolicy;
import dev.vertlet.cri.wire.CommonMessages.UserNamespace;
import dev.vertlet.cri.wire.ContainerMessages.Capability;
import dev.vertlet.cri.wire.ContainerMessages.ContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.ContainerMetadata;
import dev.vertlet.cri.wire.ContainerMessages.LinuxContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.LinuxContainerSecurityContext;
import dev.vertlet.cri.wire.ContainerMessages.Mount;
import dev.vertlet.cri.wire.ContainerMessages.MountPropagation;
import dev.vertlet.cri.wire.ContainerMessages.Signal;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerMount.Propagation;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ContainerConfigsTest {
  private static final long MIB = 1 << 20;
  private static final MaskedPaths PATHS =
      new MaskedPaths(List.of("/proc/kcore"), List.of("/proc/sys"));
  private static final ImageUser ROOT = new ImageUser(0L, "");

  private final ContainerConfigs configs =
      new ContainerConfigs(
          new PodMarks("agent-1"),
          new HostSettings(1024 * MIB, Path.of("/seccomp"), false),
          PATHS,
          List.of(2 * MIB),
          new MemoryControls(false, true));

  private static JsonObject json(String text) {
    return new JsonObject(text.replace('\'', '"'));
  }

  private ContainerConfig config(String spec, String container) {
    return config(spec, container, ROOT);
  }

  private ContainerConfig config(String spec, String container, ImageUser user) {
    return configs.of(
        TestStart.of(json(spec), json(container)).container(0, Map.of(), List.of()),
        user,
        List.of(),
        null);
  }

  private static LinuxContainerSecurityContext context(ContainerConfig config) {
    return requireNonNull(requireNonNull(config.linux()).securityContext());
  }

  @Test
  void everyFieldIsThatOfAKubelet() {
    TestStart pod =
        TestStart.of(
            json(
                "{'hostPID': true, 'securityContext': {'fsGroup': 7, 'supplementalGroups': [8],"
                    + " 'supplementalGroupsPolicy': 'Strict'}}"),
            json(
                "{'command': ['run'], 'args': ['fast'], 'workingDir': '/w', 'stdin': true,"
                    + " 'stdinOnce': true, 'tty': true, 'ports': [{'containerPort': 80,"
                    + " 'protocol': 'TCP'}], 'terminationMessagePath': '/dev/termination-log',"
                    + " 'terminationMessagePolicy': 'File', 'lifecycle': {'stopSignal':"
                    + " 'SIGRTMIN+3', 'preStop': {'exec': {'command': ['bye']}}}, 'resources':"
                    + " {'requests': {'cpu': '250m', 'memory': '256Mi'}, 'limits': {'cpu': '1',"
                    + " 'memory': '512Mi', 'hugepages-2Mi': '4Mi'}}, 'securityContext':"
                    + " {'runAsUser': 5, 'runAsGroup': 6, 'readOnlyRootFilesystem': true,"
                    + " 'allowPrivilegeEscalation': false, 'capabilities': {'add': ['NET_ADMIN'],"
                    + " 'drop': ['ALL']}, 'seccompProfile': {'type': 'Localhost',"
                    + " 'localhostProfile': 'a.json'}, 'appArmorProfile': {'type':"
                    + " 'Localhost', 'localhostProfile': 'strict'}}}"));
    List<ContainerMount> mounts =
        List.of(
            new ContainerMount(
                "data",
                "/data",
                Path.of("/v/data"),
                true,
                true,
                Propagation.HOST_TO_CONTAINER,
                null),
            new ContainerMount(
                "", "/etc/hosts", Path.of("/v/hosts"), false, false, Propagation.PRIVATE, null),
            new ContainerMount(
                "", "/etc/resolv.conf", Path.of("/v/r"), false, false, Propagation.PRIVATE, null));

    ContainerConfig made =
        configs.of(pod.container(3, Map.of("A", "1"), mounts), ROOT, List.of(9L), null);

    assertThat(made)
        .usingRecursiveComparison()
        .isEqualTo(
            new ContainerConfig(
                new ContainerMetadata("main", 3),
                new ImageSpec("sha256:abc", Map.of(), "busybox:1", "", ""),
                List.of("run"),
                List.of("fast"),
                "/w",
                List.of(new KeyValue("A", Buffer.buffer("1"))),
                List.of(
                    new Mount(
                        "/data",
                        "/v/data",
                        true,
                        false,
                        MountPropagation.PROPAGATION_HOST_TO_CONTAINER,
                        List.of(),
                        List.of(),
                        true,
                        null,
                        ""),
                    new Mount(
                        "/etc/hosts",
                        "/v/hosts",
                        false,
                        false,
                        MountPropagation.PROPAGATION_PRIVATE,
                        List.of(),
                        List.of(),
                        false,
                        null,
                        "")),
                List.of(),
                Map.of(
                    "io.kubernetes.pod.name", "web",
                    "io.kubernetes.pod.namespace", "shop",
                    "io.kubernetes.pod.uid", "uid-1",
                    "io.kubernetes.container.name", "main",
                    "vertlet.dev/node", "node-1",
                    "vertlet.dev/agent", "agent-1"),
                Map.of(
                    "io.kubernetes.container.hash",
                    made.annotations().get("io.kubernetes.container.hash"),
                    "io.kubernetes.container.restartCount",
                    "3",
                    "io.kubernetes.container.terminationMessagePath",
                    "/dev/termination-log",
                    "io.kubernetes.container.terminationMessagePolicy",
                    "File",
                    "io.kubernetes.pod.terminationGracePeriod",
                    "30",
                    "io.kubernetes.container.preStopHandler",
                    "{\"exec\":{\"command\":[\"bye\"]}}",
                    "io.kubernetes.container.ports",
                    "[{\"containerPort\":80,\"protocol\":\"TCP\"}]",
                    "vertlet.dev/image",
                    "busybox:1"),
                "main/3.log",
                true,
                true,
                true,
                new LinuxContainerConfig(
                    new LinuxContainerResources(
                        100_000,
                        100_000,
                        256,
                        512 * MIB,
                        750,
                        "",
                        "",
                        List.of(new HugepageLimit("2MB", 4 * MIB)),
                        Map.of(),
                        512 * MIB),
                    new LinuxContainerSecurityContext(
                        new Capability(List.of("NET_ADMIN"), List.of("ALL"), List.of()),
                        false,
                        new NamespaceOption(
                            NamespaceMode.POD,
                            NamespaceMode.NODE,
                            NamespaceMode.POD,
                            "",
                            new UserNamespace(NamespaceMode.NODE, List.of(), List.of())),
                        null,
                        new Int64Value(5),
                        new Int64Value(6),
                        "",
                        true,
                        List.of(7L, 8L, 9L),
                        SupplementalGroupsPolicy.Strict,
                        true,
                        List.of("/proc/kcore"),
                        List.of("/proc/sys"),
                        new SecurityProfile(ProfileType.Localhost, "/seccomp/a.json"),
                        new SecurityProfile(ProfileType.Localhost, "strict"),
                        "localhost/strict")),
                List.of(),
                Signal.SIGRTMINPLUS3));
    assertThat(made.annotations().get("io.kubernetes.container.hash")).matches("[0-9a-f]{1,8}");
  }

  @Test
  void aContainerThatAsksForNothingGetsTheDefaults() {
    ContainerConfig made = config("{}", "{}", new ImageUser(null, "www"));

    assertThat(requireNonNull(made.linux()).resources())
        .isEqualTo(
            new LinuxContainerResources(
                100_000, 0, 2, 0, 1000, "", "", List.of(new HugepageLimit("2MB", 0)), Map.of(), 0));
    LinuxContainerSecurityContext context = context(made);
    assertThat(context.runAsUser()).isNull();
    assertThat(context.runAsUsername()).isEqualTo("www");
    assertThat(context.noNewPrivs()).isFalse();
    assertThat(requireNonNull(context.seccomp()).profileType()).isEqualTo(ProfileType.Unconfined);
    assertThat(context.apparmor()).isNull();
    assertThat(requireNonNull(context.namespaceOptions()).pid()).isEqualTo(NamespaceMode.CONTAINER);
    assertThat(made.stopSignal()).isEqualTo(Signal.RUNTIME_DEFAULT);
  }

  @Test
  void anUnmaskedContainerSeesAllOfProc() {
    LinuxContainerSecurityContext context =
        context(config("{'hostUsers': false}", "{'securityContext': {'procMount': 'Unmasked'}}"));

    assertThat(context.maskedPaths()).isEmpty();
    assertThat(context.readonlyPaths()).isEmpty();
  }

  @Test
  void anEphemeralContainerSeesTheProcessesOfItsTarget() {
    NamespaceOption namespaces =
        requireNonNull(
            context(
                    configs.of(
                        TestStart.of(json("{}"), json("{}")).container(0, Map.of(), List.of()),
                        ROOT,
                        List.of(),
                        "target-id"))
                .namespaceOptions());

    assertThat(namespaces.pid()).isEqualTo(NamespaceMode.TARGET);
    assertThat(namespaces.targetId()).isEqualTo("target-id");
  }

  @Test
  void rootIsRefusedWhereItIsForbidden() {
    String pod = "{'securityContext': {'runAsNonRoot': true}}";
    String where = " (pod: \"web_shop(uid-1)\", container: main)";

    assertThatThrownBy(() -> config(pod, "{}"))
        .hasMessage("container has runAsNonRoot and image will run as root" + where);
    assertThatThrownBy(() -> config(pod, "{'securityContext': {'runAsUser': 0}}"))
        .hasMessage("container's runAsUser breaks non-root policy" + where);
    assertThatThrownBy(() -> config(pod, "{}", new ImageUser(null, "www")))
        .hasMessage(
            "container has runAsNonRoot and image has non-numeric user (www), cannot verify user is"
                + " non-root"
                + where);
    assertThat(context(config(pod, "{}", new ImageUser(7L, ""))).runAsUser())
        .isEqualTo(new Int64Value(7));
  }

  @Test
  void profilesThatAreIncompleteOrUnknownAreRefused() {
    assertThatThrownBy(
            () -> config("{}", "{'securityContext': {'seccompProfile': {'type': 'Localhost'}}}"))
        .hasMessageContaining("localhostProfile must be set");
    assertThatThrownBy(
            () -> config("{}", "{'securityContext': {'appArmorProfile': {'type': 'Other'}}}"))
        .hasMessage("unknown apparmor profile type: \"Other\"");
    assertThatThrownBy(() -> config("{}", "{'lifecycle': {'stopSignal': 'SIGNONE'}}"))
        .hasMessage("unknown stop signal \"SIGNONE\"");
  }

  @Test
  void possibleProcessorsAreReadAsRangesAndNumbers() {
    assertThat(MaskedPaths.possible("0-2,5")).containsExactly(0, 1, 2, 5);
    assertThat(MaskedPaths.possible("0")).containsExactly(0);
  }
}
