package dev.vertlet.kubelet;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static dev.vertlet.model.reference.ReferredKind.SERVICE;
import static dev.vertlet.testing.EnvPods.allOf;
import static dev.vertlet.testing.EnvPods.data;
import static dev.vertlet.testing.EnvPods.entry;
import static dev.vertlet.testing.EnvPods.field;
import static dev.vertlet.testing.EnvPods.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.FakeReferences;
import dev.vertlet.env.ResolvConf;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.NetworkView.HostAlias;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.testing.EnvPods;
import dev.vertlet.testing.Pods;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** kubelet C30: a missing reference waits with CreateContainerConfigError. */
class EnvironmentTest {
  private static final ReferredKey SETTINGS = new ReferredKey(CONFIG_MAP, "ns", "settings");
  private static final ReferredKey HIDDEN = new ReferredKey(SECRET, "ns", "hidden");
  private static final DataView RED = data("settings", Map.of("colour", "red"));

  private final FakeReferences cluster = new FakeReferences();
  private final EnvironmentInputs inputs =
      new EnvironmentInputs(cluster, node -> Map.of("cpu", "4"));
  private final Kubelet kubelet = new Kubelet(inputs);

  private static Pods configured() {
    return Pods.pod()
        .container(EnvPods.container(List.of(), entry("C", CONFIG_MAP, "settings", "colour")));
  }

  @Test
  void aContainerStartsOnceWhatItNamesIsRead() {
    PodView pod = kubelet.create(configured());
    assertThat(cluster.followed).containsExactly(SETTINGS);
    assertThat(kubelet.runtime.calls("start")).isEmpty();
    assertThat(waiting(pod).reason()).isEqualTo("ContainerCreating");

    cluster.tell(SETTINGS, RED);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.eventLines()).noneMatch(line -> line.startsWith("Warning"));
  }

  private static Pods withSecrets() {
    ContainerView container =
        EnvPods.container(
            List.of(),
            entry("P", SECRET, "hidden", "password"),
            entry("C", CONFIG_MAP, "settings", "colour"));
    VolumeView volume =
        new VolumeView(
            "v",
            "secret",
            List.of(new VolumeView.Source(SECRET, "mounted", List.of("key"), false)));
    return Pods.pod()
        .container(container)
        .placement(PlacementView.NONE.withVolumes(List.of(volume)));
  }

  @Test
  void secretsThatNobodyLooksAtAreTakenToBeThere() {
    Kubelet unchecked =
        new Kubelet(
            new EnvironmentInputs(cluster, false, node -> Map.of(), node -> DnsSettings.DEFAULTS));
    PodView pod = unchecked.create(withSecrets());

    assertThat(cluster.followed).containsExactly(SETTINGS);
    cluster.tell(SETTINGS, RED);

    assertThat(unchecked.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(unchecked.eventLines()).noneMatch(line -> line.startsWith("Warning"));
  }

  @Test
  void secretsAreReadWhereTheRuntimeSeesEnvironments() {
    Kubelet looking =
        Kubelet.looking(
            new EnvironmentInputs(cluster, false, node -> Map.of(), node -> DnsSettings.DEFAULTS));
    looking.create(withSecrets());

    assertThat(cluster.followed).contains(HIDDEN, new ReferredKey(SECRET, "ns", "mounted"));
  }

  @Test
  void aMissingObjectIsShownAndItsArrivalStartsTheContainerAtOnce() {
    PodView pod = kubelet.create(configured());
    cluster.tell(SETTINGS);

    assertThat(waiting(pod))
        .isEqualTo(new Waiting("CreateContainerConfigError", "configmap \"settings\" not found"));
    assertThat(kubelet.eventLines())
        .contains("Warning Failed Error: configmap \"settings\" not found");
    assertThat(kubelet.runtime.calls("start")).isEmpty();

    cluster.tell(SETTINGS, RED);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
  }

  @Test
  void aMissingKeyIsShownUntilTheObjectHasIt() {
    PodView pod = kubelet.create(configured());
    cluster.tell(SETTINGS, data("settings", Map.of()));
    assertThat(waiting(pod).message())
        .isEqualTo("couldn't find key colour in ConfigMap ns/settings");

    cluster.tell(SETTINGS, RED);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  /** §5: tried again like a kubelet, 10 to 15 s later, with its event each time. */
  @Test
  void aMissingObjectIsLookedForAgainAndAgain() {
    PodView pod = kubelet.create(configured());
    cluster.tell(SETTINGS);

    kubelet.advance(60);

    assertThat(waiting(pod).reason()).isEqualTo("CreateContainerConfigError");
    assertThat(kubelet.eventLines().stream().filter(line -> line.contains("not found")).count())
        .isBetween(4L, 6L);
    assertThat(cluster.calls).containsExactly("+settings");
  }

  /** kubelet C30: nothing is to be read for it, and yet the container cannot start. */
  @Test
  @Tag("C30")
  void aPathInAVolumeIsMadeOnceItsVariableIsThere() {
    ContainerView mounting =
        EnvPods.mounting("$(DIR)", EnvPods.field("DIR", "metadata.annotations['dir']"));
    Pods pods = Pods.pod().container(mounting);
    PodView pod = kubelet.create(pods);
    assertThat(waiting(pod))
        .isEqualTo(new Waiting("CreateContainerConfigError", "missing value for DIR"));

    Kubelet.done(kubelet.core.update(pods.annotation("dir", "logs").build()));
    kubelet.advance(15);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(cluster.calls).isEmpty();
  }

  @Test
  void whatIsNotReadWithinASecondIsShown() {
    PodView pod = kubelet.create(configured());
    kubelet.advance(2);
    assertThat(waiting(pod))
        .isEqualTo(
            new Waiting(
                "CreateContainerConfigError",
                "failed to sync configmap cache: timed out waiting for the condition"));

    cluster.tell(SETTINGS, RED);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void aContainerWaitsForTheOneBeforeItWhileThatIsBeingRead() {
    PodView pod = kubelet.create(configured().container("second"));
    assertThat(kubelet.runtime.calls("start")).isEmpty();

    cluster.tell(SETTINGS);

    assertThat(kubelet.state(pod, "second")).isInstanceOf(Running.class);
    assertThat(waiting(pod).reason()).isEqualTo("CreateContainerConfigError");
  }

  @Test
  void anInitContainerThatWaitsHoldsUpThePod() {
    PodView pod =
        kubelet.create(
            Pods.pod().init(EnvPods.container(List.of(allOf(SECRET, "hidden")))).container("main"));
    cluster.tell(HIDDEN);
    assertThat(waiting(pod).message()).isEqualTo("secret \"hidden\" not found");
    assertThat(((Waiting) kubelet.state(pod, "main")).reason()).isEqualTo("PodInitializing");

    cluster.tell(HIDDEN, data("hidden", Map.of()));

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void aPodThatIsDeletedWhileItWaitsIsGoneAndItsObjectLeft() {
    PodView pod = kubelet.create(configured());
    cluster.tell(SETTINGS);

    kubelet.delete(pod, 30);

    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(cluster.calls).containsExactly("+settings", "-settings");
  }

  @Test
  void theLastPodThatEndsLeavesTheObject() {
    PodView one = kubelet.create(configured().never());
    PodView two = kubelet.create(named("q"));
    cluster.tell(SETTINGS, RED);
    kubelet.runtime.exit(one.ref(), "c", 0);
    assertThat(kubelet.report(one).finished()).isTrue();
    assertThat(cluster.calls).containsExactly("+settings");

    kubelet.delete(two, 30);

    assertThat(cluster.calls).containsExactly("+settings", "-settings");
  }

  private static Pods named(String name) {
    return Pods.pod(name)
        .container(EnvPods.container(List.of(), entry("C", CONFIG_MAP, "settings", "colour")));
  }

  @Test
  void aNodeThatIsServedElsewhereLeavesItsObjects() {
    kubelet.create(configured());
    Kubelet.done(kubelet.core.release("n"));
    assertThat(cluster.followed).isEmpty();
  }

  @Test
  void aRuntimeThatLooksGetsCommandsWithTheirVariables() {
    Kubelet looking = Kubelet.looking(inputs);
    ContainerView reads =
        EnvPods.container(List.of(), entry("C", CONFIG_MAP, "settings", "colour"))
            .withCommand(new CommandView(List.of("paint"), List.of("$(C)", "$(D)")));
    looking.create(Pods.pod().container(reads));
    cluster.tell(SETTINGS, RED);
    api();

    assertThat(looking.runtime.commands.get("c"))
        .isEqualTo(new CommandView(List.of("paint"), List.of("red", "$(D)")));
  }

  @Test
  void aChangeAfterTheStartChangesNothingUntilARestart() {
    Kubelet looking = Kubelet.looking(inputs);
    PodView pod = looking.create(configured());
    cluster.tell(SETTINGS, RED);
    api();
    cluster.tell(SETTINGS, data("settings", Map.of("colour", "blue")));
    assertThat(looking.runtime.calls("start")).hasSize(1);

    looking.runtime.exit(pod.ref(), "c", 1);

    assertThat(looking.runtime.calls("start")).hasSize(2);
    assertThat(looking.runtime.environments.get("c")).containsEntry("C", "blue");
  }

  @Test
  @Tag("EphemeralContainers")
  void anEphemeralContainerBringsItsReferencesAlong() {
    Pods pods = configured();
    PodView pod = kubelet.create(pods);
    cluster.tell(SETTINGS, RED);

    PodView changed =
        pods.ephemeral(
                new ContainerView(
                    "debug",
                    "img",
                    "IfNotPresent",
                    null,
                    new EnvironmentView(List.of(), List.of(allOf(SECRET, "hidden"))),
                    ResourcesView.NONE,
                    null))
            .build();
    Kubelet.done(kubelet.core.update(changed));

    assertThat(cluster.followed).containsExactly(SETTINGS, HIDDEN);
    cluster.tell(HIDDEN, data("hidden", Map.of("k", "v")));
    assertThat(kubelet.state(pod, "debug")).isInstanceOf(Running.class);
  }

  @Test
  void aPodThatRefersToNothingAsksForNothing() {
    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(cluster.calls).isEmpty();
  }

  /** Whoever takes a running pod over follows what its next start needs. */
  @Test
  void aRestartedAgentFollowsAgain() {
    PodView pod = kubelet.create(configured());
    cluster.tell(SETTINGS, RED);
    PodView shown = shown(pod);

    Kubelet next = kubelet.restarted();
    assertThat(cluster.followed).isEmpty();
    Kubelet.done(next.core.create(shown));

    assertThat(cluster.followed).containsExactly(SETTINGS);
    assertThat(next.runtime.calls("start")).hasSize(1);
  }

  private PodView shown(PodView pod) {
    return configured().status(kubelet.status(pod)).build();
  }

  @Test
  void withoutAnApiServerAReferenceIsNeverRead() {
    Kubelet alone = new Kubelet();
    PodView map = alone.create(configured());
    PodView secret =
        alone.create(Pods.pod("q").container(EnvPods.container(List.of(allOf(SECRET, "hidden")))));

    assertThat(((Waiting) alone.state(map, "c")).message())
        .isEqualTo("couldn't get configMap ns/settings, no kubeClient defined");
    assertThat(((Waiting) alone.state(secret, "c")).message())
        .isEqualTo("couldn't get secret ns/hidden, no kubeClient defined");
    Kubelet looking = Kubelet.looking(EnvironmentInputs.NONE);
    looking.create(Pods.pod());
    assertThat(looking.runtime.environments.get("c")).isEmpty();
  }

  @Test
  void aRuntimeThatLooksGetsAllOfIt() {
    Kubelet looking = Kubelet.looking(inputs);
    PodView pod =
        looking.create(
            Pods.pod()
                .container(
                    EnvPods.container(
                        List.of(), field("IP", "status.podIP"), field("HOST", "status.hostIP"))));
    assertThat(cluster.followed)
        .containsExactly(
            new ReferredKey(SERVICE, "default", "kubernetes"), new ReferredKey(SERVICE, "ns", ""));
    assertThat(looking.runtime.calls("start")).isEmpty();

    api();

    assertThat(looking.runtime.environments.get("c"))
        .containsEntry("IP", looking.status(pod).podIPs().get(0))
        .containsEntry("HOST", "192.168.0.1")
        .containsEntry("KUBERNETES_SERVICE_HOST", "10.0.0.1")
        .hasSize(2 + 7);
  }

  /** kubelet C15: a pod on the host's network has the host's address. */
  @Test
  @Tag("C15")
  void onTheHostsNetworkThePodsAddressIsTheHosts() {
    Kubelet looking = Kubelet.looking(inputs);
    looking.create(
        Pods.pod()
            .hostNetwork()
            .container(EnvPods.container(List.of(), field("IP", "status.podIPs"))));
    api();
    assertThat(looking.runtime.environments.get("c")).containsEntry("IP", "192.168.0.1");
  }

  @Test
  @Tag("C31")
  void c31ARuntimeThatLooksIsToldThePodsNameAndItsNameServers() {
    DnsSettings dns = new DnsSettings("cluster.local", List.of("10.96.0.10"), ResolvConf.EMPTY);
    Kubelet looking =
        Kubelet.looking(new EnvironmentInputs(cluster, true, node -> Map.of(), node -> dns));
    looking.create(Pods.pod("web").network(calledAsAWhole("sub")));
    looking.create(Pods.pod("host").hostNetwork());

    List<String> searches = List.of("ns.svc.cluster.local", "svc.cluster.local", "cluster.local");
    assertThat(looking.runtime.sandboxes.get("web"))
        .isEqualTo(
            new SandboxConfig(
                "web",
                "sub.ns.svc.cluster.local",
                "web.sub.ns.svc.cluster.local",
                List.of("10.96.0.10"),
                searches,
                List.of("ndots:5"),
                ALIASES,
                List.of()));
    assertThat(looking.runtime.sandboxes.get("host"))
        .isEqualTo(
            new SandboxConfig(
                "", "", "", List.of("127.0.0.1"), List.of("."), List.of(), List.of(), List.of()));
    assertThat(looking.eventLines()).noneMatch(line -> line.startsWith("Warning"));
  }

  @Test
  @Tag("C31")
  void c31OnlyARuntimeThatLooksMissesTheServersOfTheCluster() {
    Kubelet looking = Kubelet.looking(inputs);
    looking.create(Pods.pod());
    kubelet.create(Pods.pod());

    assertThat(looking.eventLines())
        .anyMatch(line -> line.startsWith("Warning MissingClusterDNS pod: \"p_ns(uid-p)\". "));
    assertThat(kubelet.eventLines()).noneMatch(line -> line.startsWith("Warning"));
    assertThat(kubelet.runtime.sandboxes).isEmpty();
  }

  @Test
  @Tag("C31")
  void c31APodThatCannotHaveItsNameSaysSo() {
    Kubelet looking = Kubelet.looking(inputs);
    PodView pod = looking.create(Pods.pod().network(calledAsAWhole("s".repeat(60))));

    assertThat(looking.eventLines())
        .anyMatch(
            line ->
                line.startsWith(
                    "Warning FailedCreatePodSandBox Failed to create pod sandbox: failed to"
                        + " construct FQDN from pod hostname and cluster domain, FQDN p.sss"));
    assertThat(looking.runtime.calls("sandbox")).isEmpty();
    assertThat(waitingOf(looking, pod).reason()).isEqualTo("ContainerCreating");
  }

  private static final List<HostAlias> ALIASES =
      List.of(new HostAlias("192.0.2.9", List.of("db", "db.example")));

  private static NetworkView calledAsAWhole(String subdomain) {
    return new NetworkView(
        "", subdomain, null, true, "ClusterFirst", List.of(), List.of(), List.of(), ALIASES);
  }

  private static Waiting waitingOf(Kubelet looking, PodView pod) {
    return (Waiting) looking.state(pod, "c");
  }

  @Test
  void servicesThatCannotBeReadAreShown() {
    Kubelet looking = Kubelet.looking(inputs);
    PodView pod = looking.create(Pods.pod());
    looking.advance(2);
    assertThat(((Waiting) looking.state(pod, "c")).message())
        .isEqualTo("services have not yet been read at least once, cannot construct envvars");
  }

  private void api() {
    cluster.tell(
        new ReferredKey(SERVICE, "default", "kubernetes"),
        service("default", "kubernetes", "10.0.0.1", 443));
    cluster.tell(new ReferredKey(SERVICE, "ns", ""));
  }

  private Waiting waiting(PodView pod) {
    return (Waiting) kubelet.state(pod, "c");
  }
}
