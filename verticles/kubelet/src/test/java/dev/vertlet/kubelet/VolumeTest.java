package dev.vertlet.kubelet;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static dev.vertlet.testing.EnvPods.data;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.env.FakeReferences;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.pod.VolumeView.Source;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.Pods;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** kubelet C30: a pod whose volumes cannot be mounted waits with FailedMount. */
@Tag("C30")
class VolumeTest {
  private static final ReferredKey SETTINGS = new ReferredKey(CONFIG_MAP, "ns", "settings");
  private static final String NOT_FOUND =
      "Warning FailedMount MountVolume.SetUp failed for volume \"v\" : configmap \"settings\" not"
          + " found";

  private static final String GIVEN_UP =
      "Warning FailedMount Unable to attach or mount volumes: unmounted volumes=[v], unattached"
          + " volumes=[], failed to process volumes=[]: context deadline exceeded";

  private final FakeReferences cluster = new FakeReferences();
  private final Kubelet kubelet = new Kubelet(new EnvironmentInputs(cluster, node -> Map.of()));

  private static Pods mounting(VolumeView... volumes) {
    return Pods.pod().container("c").placement(PlacementView.NONE.withVolumes(List.of(volumes)));
  }

  private static VolumeView volume(boolean optional, String... keys) {
    return new VolumeView(
        "v", "configMap", List.of(new Source(CONFIG_MAP, "settings", List.of(keys), optional)));
  }

  @Test
  void noSandboxIsMadeBeforeTheObjectIsThere() {
    PodView pod = kubelet.create(mounting(volume(false)));
    assertThat(cluster.followed).containsExactly(SETTINGS);
    assertThat(kubelet.runtime.calls("sandbox")).isEmpty();

    cluster.tell(SETTINGS);

    assertThat(kubelet.status(pod).phase()).isEqualTo(PodPhase.PENDING);
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ContainerCreating", null));
    assertThat(kubelet.eventLines()).containsExactly(NOT_FOUND);
    assertThat(kubelet.runtime.calls("sandbox")).isEmpty();

    cluster.tell(SETTINGS, data("settings", Map.of()));

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
  }

  /** Pauses of 0.5, 1, 2, 4, … seconds, 122 at most. */
  @Test
  void itIsTriedAgainWithAKubeletsBackOff() {
    kubelet.create(mounting(volume(false)));
    cluster.tell(SETTINGS);

    kubelet.advance(60);
    assertThat(kubelet.eventLines()).hasSize(7).containsOnly(NOT_FOUND);

    kubelet.advance(600);
    assertThat(kubelet.eventLines()).filteredOn(NOT_FOUND::equals).hasSize(13);
  }

  /** A sync waits for 2m3s, and the next one begins 10 to 15 s later. */
  @Test
  void eachSyncThatWaitedInVainSaysSoToo() {
    kubelet.create(mounting(volume(false)));
    cluster.tell(SETTINGS);

    kubelet.advance(122);
    assertThat(kubelet.eventLines()).containsOnly(NOT_FOUND);

    kubelet.advance(2);
    assertThat(kubelet.eventLines()).endsWith(GIVEN_UP);

    kubelet.advance(130);
    assertThat(kubelet.eventLines()).filteredOn(GIVEN_UP::equals).hasSize(1);
    kubelet.advance(15);
    assertThat(kubelet.eventLines()).filteredOn(GIVEN_UP::equals).hasSize(2);
  }

  @Test
  void aMissingKeyIsAFailureToo() {
    PodView pod = kubelet.create(mounting(volume(false, "colour")));
    cluster.tell(SETTINGS, data("settings", Map.of("size", "1")));
    assertThat(kubelet.eventLines())
        .containsExactly(
            "Warning FailedMount MountVolume.SetUp failed for volume \"v\" : configmap references"
                + " non-existent config key: colour");

    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void whatIsOptionalIsNotWaitedFor() {
    PodView pod = kubelet.create(mounting(volume(true, "colour")));
    cluster.tell(SETTINGS);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.eventLines()).noneMatch(line -> line.startsWith("Warning"));
  }

  @Test
  void aProjectedVolumeTellsAllThatIsMissing() {
    VolumeView projected =
        new VolumeView(
            "v",
            "projected",
            List.of(
                new Source(CONFIG_MAP, "settings", List.of(), false),
                new Source(SECRET, "hidden", List.of("key"), false)));
    kubelet.create(mounting(projected));
    cluster.tell(SETTINGS);
    assertThat(kubelet.eventLines()).isEmpty();

    cluster.tell(new ReferredKey(SECRET, "ns", "hidden"), data("hidden", Map.of()));

    assertThat(kubelet.eventLines())
        .containsExactly(
            "Warning FailedMount MountVolume.SetUp failed for volume \"v\" : [configmap"
                + " \"settings\" not found, references non-existent secret key: key]");
  }

  @Test
  void aKindThatTheRuntimeDoesNotMountKeepsThePodPending() {
    kubelet.runtime.unmountable.add("nfs");

    PodView pod = kubelet.create(mounting(new VolumeView("v", "nfs", List.of())));

    assertThat(kubelet.status(pod).phase()).isEqualTo(PodPhase.PENDING);
    assertThat(kubelet.eventLines())
        .containsExactly(
            "Warning FailedMount Unable to attach or mount volumes: unmounted volumes=[v],"
                + " unattached volumes=[], failed to process volumes=[v]: failed to get Plugin"
                + " from volumeSpec for volume \"v\" err=no volume plugin matched");
    kubelet.runtime.unmountable.clear();
    kubelet.advance(15);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void aPodThatIsDeletedMeanwhileGoes() {
    PodView pod = kubelet.create(mounting(volume(false)));
    cluster.tell(SETTINGS);

    kubelet.delete(pod, 30);

    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(cluster.calls).containsExactly("+settings", "-settings");
    assertThat(kubelet.runtime.calls("sandbox")).isEmpty();
  }
}
