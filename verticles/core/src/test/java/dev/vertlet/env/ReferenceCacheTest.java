package dev.vertlet.env;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static dev.vertlet.model.reference.ReferredKind.SERVICE;
import static dev.vertlet.testing.EnvPods.allOf;
import static dev.vertlet.testing.EnvPods.container;
import static dev.vertlet.testing.EnvPods.entry;
import static dev.vertlet.testing.EnvPods.literal;
import static dev.vertlet.testing.EnvPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.UnservedKind;
import dev.vertlet.testing.EnvPods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** virtual-kubelet §3 row 3: what pods refer to is counted. */
class ReferenceCacheTest {
  private static final ReferredKey A = new ReferredKey(CONFIG_MAP, "ns", "a");
  private static final ReferredKey B = new ReferredKey(SECRET, "ns", "b");
  private static final DataView OBJECT = EnvPods.data("a", Map.of("k", "v"));

  private final FakeReferences source = new FakeReferences();
  private final List<String> told = new ArrayList<>();
  private final ReferenceCache<String> cache = new ReferenceCache<>(source, told::add);

  ReferenceCacheTest() {
    cache.start();
  }

  @Test
  void manyPodsFollowAnObjectOnceUntilTheLastIsGone() {
    cache.hold("one", Set.of(A), 0);
    cache.hold("two", Set.of(A), 0);
    cache.release("one");
    assertThat(source.calls).containsExactly("+a");
    cache.release("two");
    cache.release("two");
    assertThat(source.calls).containsExactly("+a", "-a");
    assertThat(cache.size()).isZero();
  }

  @Test
  void aKindThatIsNotServedIsUnavailableInAKubeletsWords() {
    ReferredKey bundle = new ReferredKey(ReferredKind.CLUSTER_TRUST_BUNDLE, "", "b");
    cache.hold("one", Set.of(bundle), 0);
    assertThat(cache.read(bundle, 1_000))
        .isEqualTo(
            new ReferenceState.Unavailable("ClusterTrustBundle informer has not yet synced"));

    source.tell(bundle, new UnservedKind(ReferredKind.CLUSTER_TRUST_BUNDLE));

    assertThat(cache.read(bundle, 0))
        .isEqualTo(
            new ReferenceState.Unavailable(
                "ClusterTrustBundle projection is not supported in static kubelet mode"));
  }

  @Test
  void aPodThatChangesItsMindFollowsTheDifference() {
    cache.hold("one", Set.of(A), 0);
    cache.hold("one", Set.of(A), 0);
    cache.hold("one", Set.of(A, B), 0);
    cache.hold("one", Set.of(B), 0);
    assertThat(source.calls).containsExactly("+a", "+b", "-a");
    cache.hold("one", Set.of(), 0);
    cache.release("one");
    assertThat(source.calls).containsExactly("+a", "+b", "-a", "-b");
  }

  /** virtual-kubelet 2.3-manager: objects by name. */
  @Test
  @Tag("2.3-manager")
  void whatIsReadIsToldToWhoeverHoldsIt() {
    cache.hold("one", Set.of(A), 0);
    cache.hold("two", Set.of(A), 0);
    cache.hold("three", Set.of(B), 0);
    source.tell(A, OBJECT);
    assertThat(told).containsExactly("one", "two");
    assertThat(cache.read(A, 0)).isEqualTo(new ReferenceState.Known(List.of(OBJECT)));
    source.tell(A);
    assertThat(cache.read(A, 0)).isEqualTo(new ReferenceState.Known(List.of()));
    assertThat(told).hasSize(4);
  }

  @Test
  void whoIsToldMayLetGo() {
    ReferenceCache<String> own = new ReferenceCache<>(source, holder -> this.letGo(holder));
    letting = own;
    own.start();
    own.hold("one", Set.of(A), 0);
    own.hold("two", Set.of(A), 0);
    source.tell(A, OBJECT);
    assertThat(own.size()).isZero();
  }

  private ReferenceCache<String> letting = cache;

  private void letGo(String holder) {
    letting.release(holder);
  }

  @Test
  void whatIsToldTooLateIsIgnored() {
    cache.hold("one", Set.of(A), 0);
    cache.release("one");
    source.tell(A, OBJECT);
    assertThat(told).isEmpty();
    assertThat(cache.size()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "CONFIG_MAP, failed to sync configmap cache: timed out waiting for the condition",
    "SECRET, failed to sync secret cache: timed out waiting for the condition",
    "SERVICE, 'services have not yet been read at least once, cannot construct envvars'"
  })
  void theFirstReadingIsWaitedForASecond(ReferredKind kind, String message) {
    ReferredKey key = new ReferredKey(kind, "ns", "x");
    cache.hold("one", Set.of(key), 5_000);
    cache.hold("two", Set.of(key), 5_900);
    assertThat(cache.read(key, 5_999)).isEqualTo(new ReferenceState.Unread(6_000));
    assertThat(cache.read(key, 6_000)).isEqualTo(new ReferenceState.Unavailable(message));
    source.tell(key);
    assertThat(cache.read(key, 6_000)).isEqualTo(new ReferenceState.Known(List.of()));
  }

  @Test
  void nobodyKnowsWhatNobodyHolds() {
    assertThat(cache.read(A, 0))
        .isEqualTo(new ReferenceState.Unavailable("object \"ns\"/\"a\" not registered"));
  }

  @Test
  void stoppingLeavesEverything() {
    cache.hold("one", Set.of(A), 0);
    cache.stop();
    assertThat(source.calls).containsExactly("+a", "-a", "stop");
    assertThat(source.followed).isEmpty();
  }

  @Test
  void aPodThatNamesNothingRefersToNothing() {
    assertThat(PodReferences.of(pod(), false)).isEmpty();
    assertThat(PodReferences.of(pod(container(List.of(), literal("A", "1"))), false)).isEmpty();
  }

  @Test
  void allContainersCountAndServicesWhereTheyAreWanted() {
    var pod =
        pod(
            true,
            List.of(container(List.of(allOf(CONFIG_MAP, "a")))),
            List.of(container(List.of(), entry("X", SECRET, "b", "k"))));

    assertThat(PodReferences.of(pod, false)).containsExactly(A, B);
    assertThat(PodReferences.of(pod, true))
        .contains(A, B, new ReferredKey(SERVICE, "ns", ""))
        .hasSize(4);
  }
}
