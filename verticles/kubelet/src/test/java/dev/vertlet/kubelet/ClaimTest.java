package dev.vertlet.kubelet;

import static dev.vertlet.model.reference.ReferredKind.PERSISTENT_VOLUME;
import static dev.vertlet.model.reference.ReferredKind.PERSISTENT_VOLUME_CLAIM;
import static dev.vertlet.model.reference.ReferredKind.SERVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.vertlet.env.FakeReferences;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.pod.VolumeView.Source;
import dev.vertlet.model.reference.ClaimView;
import dev.vertlet.model.reference.PersistentVolumeView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.testing.Pods;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** kubelet C30 and GetExtraSupplementalGroupsForPod: claims of a pod on a runtime that looks. */
@Tag("C30")
class ClaimTest {
  private static final ReferredKey CLAIM = new ReferredKey(PERSISTENT_VOLUME_CLAIM, "ns", "data");
  private static final ReferredKey VOLUME = new ReferredKey(PERSISTENT_VOLUME, "", "pv-1");
  private static final String FAILED =
      "Warning FailedMount Unable to attach or mount volumes: unmounted volumes=[v], unattached"
          + " volumes=[], failed to process volumes=[v]: ";

  private final FakeReferences cluster = new FakeReferences();
  private final EnvironmentInputs inputs = new EnvironmentInputs(cluster, node -> Map.of());
  private final Kubelet kubelet = Kubelet.looking(inputs);

  private static Pods mounting(String kind, String claim) {
    Source source = new Source(PERSISTENT_VOLUME_CLAIM, claim, List.of(), false);
    return Pods.pod()
        .container("c")
        .placement(
            PlacementView.NONE.withVolumes(List.of(new VolumeView("v", kind, List.of(source)))));
  }

  private static ClaimView claim(boolean leaving, String phase, String volume, String owner) {
    return new ClaimView("ns", "data", "uid-data", 1, leaving, phase, volume, owner);
  }

  private static PersistentVolumeView volume(@Nullable String claimUid, String gid) {
    return new PersistentVolumeView("pv-1", "uid-pv", 1, claimUid, gid);
  }

  /** Services are what every pod of such a runtime waits for. */
  private void services() {
    List.copyOf(cluster.followed).stream()
        .filter(key -> key.kind() == SERVICE)
        .forEach(cluster::tell);
  }

  private PodView claiming() {
    PodView pod = kubelet.create(mounting("persistentVolumeClaim", "data"));
    services();
    return pod;
  }

  @Test
  void aPodStartsWithTheGroupOfTheVolumeThatItsClaimIsBoundTo() {
    PodView pod = claiming();
    assertThat(cluster.followed).contains(CLAIM).doesNotContain(VOLUME);

    cluster.tell(CLAIM, claim(false, "Bound", "pv-1", ""));
    assertThat(cluster.followed).contains(VOLUME);
    assertThat(kubelet.runtime.calls("sandbox")).isEmpty();

    cluster.tell(VOLUME, volume("uid-data", "1234"));

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.runtime.sandboxes.get("p"))
        .extracting(SandboxConfig::supplementalGroups)
        .isEqualTo(List.of(1234L));
    assertThat(kubelet.eventLines()).noneMatch(line -> line.contains("FailedMount"));

    kubelet.delete(pod, 0);
    kubelet.advance(60);
    assertThat(cluster.followed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'',0", "root,0", "12,1"})
  void aGroupIsANumberAsKubeletsReadIt(String gid, int groups) {
    PodView pod = claiming();
    cluster.tell(CLAIM, claim(false, "Bound", "pv-1", ""));
    cluster.tell(VOLUME, volume("uid-data", gid));

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.runtime.sandboxes.get("p"))
        .extracting(SandboxConfig::supplementalGroups, LIST)
        .hasSize(groups);
  }

  @Test
  void aClaimThatIsNotThereKeepsThePodPending() {
    claiming();
    cluster.tell(CLAIM);

    assertThat(kubelet.eventLines())
        .containsExactly(
            FAILED
                + "error processing PVC ns/data: failed to fetch PVC from API server:"
                + " persistentvolumeclaims \"data\" not found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true  | Bound   | pv-1 | PVC is being deleted",
        "false | Pending | ''   | PVC is not bound",
        "false | Bound   | ''   | PVC has empty pvc.Spec.VolumeName",
      })
  void aClaimThatCannotBeUsedSaysWhy(boolean leaving, String phase, String volume, String why) {
    claiming();
    cluster.tell(CLAIM, claim(leaving, phase, volume, ""));

    assertThat(kubelet.eventLines())
        .containsExactly(FAILED + "error processing PVC ns/data: " + why);
    assertThat(cluster.followed).doesNotContain(VOLUME);
  }

  @Test
  void aVolumeThatBelongsToAnotherClaimIsNotMounted() {
    PodView pod = claiming();
    cluster.tell(CLAIM, claim(false, "Bound", "pv-1", ""));

    cluster.tell(VOLUME);
    cluster.tell(VOLUME, volume(null, ""));
    cluster.tell(VOLUME, volume("uid-other", ""));

    assertThat(kubelet.eventLines())
        .containsExactly(
            FAILED
                + "error processing PVC ns/data: failed to fetch PV pv-1 from API server:"
                + " persistentvolumes \"pv-1\" not found",
            FAILED
                + "error processing PVC ns/data: found PV object pv-1 but it has a nil"
                + " pv.Spec.ClaimRef indicating it is not yet bound to the claim",
            FAILED
                + "error processing PVC ns/data: found PV object pv-1 but its"
                + " pv.Spec.ClaimRef.UID uid-other does not point to claim.UID uid-data");
    cluster.tell(VOLUME, volume("uid-data", ""));
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  /** It is tried as often as a kubelet syncs a pod that fails: after 10 to 15 s. */
  @Test
  void itIsTriedAgainAfterTheErrorPause() {
    claiming();
    cluster.tell(CLAIM);
    kubelet.advance(9);
    assertThat(kubelet.eventLines()).hasSize(1);
    kubelet.advance(6);
    assertThat(kubelet.eventLines()).hasSize(2);
  }

  @Test
  void anEphemeralVolumeHasAClaimOfItsPodsOwn() {
    ReferredKey own = new ReferredKey(PERSISTENT_VOLUME_CLAIM, "ns", "p-v");
    PodView pod = kubelet.create(mounting("ephemeral", ""));
    services();
    assertThat(cluster.followed).contains(own);

    cluster.tell(own, claim(false, "Bound", "pv-1", "uid-other"));
    assertThat(kubelet.eventLines())
        .containsExactly(FAILED + "PVC ns/data was not created for pod ns/p (pod is not owner)");

    cluster.tell(own, claim(false, "Bound", "pv-1", "uid-p"));
    cluster.tell(VOLUME, volume("uid-data", ""));
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  /** Simulated volumes are always there. */
  @Test
  void aRuntimeThatDoesNotLookNeedsNoClaims() {
    Kubelet blind = new Kubelet(inputs);

    PodView pod = blind.create(mounting("persistentVolumeClaim", "data"));

    assertThat(cluster.followed).isEmpty();
    assertThat(blind.state(pod, "c")).isInstanceOf(Running.class);
  }
}
