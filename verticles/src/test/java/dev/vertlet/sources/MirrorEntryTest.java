package dev.vertlet.sources;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import dev.vertlet.lifecycle.Pods;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.Manifests;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.sources.MirrorEntry.Step;
import dev.vertlet.testing.Statuses;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kubelet §11.4: what becomes of mirror pods. */
class MirrorEntryTest {
  private static final String NODE_UID = "node-uid";
  private static final StaticPod POD = pod("hash-1");

  private final MirrorEntry entry = new MirrorEntry("node", "default", "web-node");
  private long now = 1_000_000_000L;

  private static StaticPod pod(String uid) {
    String text =
        "{apiVersion: v1, kind: Pod, metadata: {name: web, uid: %s}, spec: {containers: [{name: a,"
            + " image: x}]}}";
    try {
      return new Manifests("node", Manifests.FILE).pod(text.formatted(uid).getBytes(UTF_8), "web");
    } catch (ManifestException e) {
      throw new AssertionError(e);
    }
  }

  private static PodView mirror(String uid, String of, long version, boolean deleting) {
    return mirror(uid, of, version, deleting, PodStatusView.EMPTY);
  }

  private static PodView mirror(
      String uid, String of, long version, boolean deleting, PodStatusView status) {
    Pods pod =
        Pods.of(POD.view())
            .ref(new PodRef("default", "web-node", uid))
            .version(version)
            .annotations(Map.of("kubernetes.io/config.mirror", of))
            .owner("Node")
            .status(status);
    return deleting ? pod.deleted(Instant.EPOCH).build() : pod.build();
  }

  private Step next() {
    return entry.next(true, NODE_UID, now);
  }

  private void create(String uid) {
    assertThat(next()).isInstanceOf(Step.Create.class);
    entry.created("hash-1", new ObjectMeta(uid, 5));
  }

  private void assertDeletes(String uid) {
    assertThat(next()).isEqualTo(new Step.Delete(new PodRef("default", "web-node", uid)));
  }

  private void assertIdle() {
    assertThat(next()).isInstanceOf(Step.Idle.class);
  }

  private static KubeException failure(KubeException.Kind kind, @Nullable Duration retryAfter) {
    return new KubeException(kind, 0, "no", retryAfter, null);
  }

  @Test
  void aStaticPodIsShownOnce() {
    entry.wanted(POD);
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.Create.class,
            create -> {
              assertThat(create.of()).isEqualTo("hash-1");
              assertThat(create.body().toString()).contains("\"uid\":\"node-uid\"");
            });
    assertIdle();
    entry.created("hash-1", new ObjectMeta("m1", 5));
    entry.observed(mirror("m1", "hash-1", 5, false));
    assertIdle();
  }

  @Test
  void aMirrorThatWentBeforeItsCreationWasAnsweredIsMadeAnew() {
    entry.wanted(POD);
    assertThat(next()).isInstanceOf(Step.Create.class);
    entry.observed(mirror("m1", "hash-1", 5, false));
    entry.gone("m1");
    assertThat(entry.created("hash-1", new ObjectMeta("m1", 5))).isFalse();
    now += Duration.ofSeconds(1).toNanos();
    create("m2");
    assertIdle();
  }

  @Test
  void theAnswerToACreationIsOlderThanWhatTheWatchHasTold() {
    entry.wanted(POD);
    assertThat(next()).isInstanceOf(Step.Create.class);
    entry.observed(mirror("m1", "hash-1", 6, true));
    assertThat(entry.created("hash-1", new ObjectMeta("m1", 5))).isTrue();
    assertDeletes("m1");
  }

  @Test
  void whatIsRefusedIsTriedOnceAMinute() {
    entry.wanted(POD);
    Duration wait = Duration.ZERO;
    for (int i = 0; i < 20; i++) {
      assertThat(next()).isInstanceOf(Step.Create.class);
      entry.failed(failure(KubeException.Kind.FORBIDDEN, null), now, new Random(1));
      wait = ((Step.Wait) next()).delay();
      now += wait.toNanos();
    }
    assertThat(wait).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(72));
  }

  @Test
  void nothingIsShownBeforeTheNodeExists() {
    entry.wanted(POD);
    assertThat(entry.next(true, "", now)).isInstanceOf(Step.Idle.class);
    assertThat(next()).isInstanceOf(Step.Create.class);
  }

  @Test
  void aMirrorThatIsThereIsTaken() {
    entry.observed(mirror("m1", "hash-1", 5, false));
    entry.wanted(POD);
    assertIdle();
  }

  @Test
  @Tag("C68")
  void c68AMirrorThatIsGoneIsMadeAnewWithinTwoSeconds() {
    entry.wanted(POD);
    create("m1");
    entry.gone("m1");
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.Wait.class, wait -> assertThat(wait.delay()).isLessThan(Duration.ofSeconds(2)));
    now += Duration.ofSeconds(1).toNanos();
    assertThat(next()).isInstanceOf(Step.Create.class);
  }

  @Test
  @Tag("C68")
  void c68AMirrorThatSomebodyDeletesIsRemovedAndMadeAnew() {
    entry.wanted(POD);
    create("m1");
    now += Duration.ofSeconds(9).toNanos();
    entry.observed(mirror("m1", "hash-1", 6, true));
    assertDeletes("m1");
    entry.removed(new PodRef("default", "web-node", "m1"));
    assertThat(next()).isInstanceOf(Step.Create.class);
    entry.created("hash-1", new ObjectMeta("m2", 9));
    // what the watch still had to say of the first
    entry.observed(mirror("m1", "hash-1", 7, true));
    entry.gone("m1");
    assertIdle();
  }

  @Test
  void aMirrorOfAnotherVersionIsReplaced() {
    entry.observed(mirror("m1", "hash-0", 5, false));
    entry.wanted(POD);
    assertDeletes("m1");
    entry.removed(new PodRef("default", "web-node", "m1"));
    assertThat(next()).isInstanceOf(Step.Create.class);
  }

  @Test
  void anOrphanGoesOnceAllSourcesAreSeen() {
    entry.observed(mirror("m1", "hash-0", 5, false));
    assertThat(entry.next(false, NODE_UID, now)).isInstanceOf(Step.Idle.class);
    assertDeletes("m1");
    entry.removed(new PodRef("default", "web-node", "m1"));
    assertIdle();
    assertThat(entry.empty()).isTrue();
  }

  @Test
  void theMirrorStaysUntilThePodHasEnded() {
    entry.wanted(POD);
    create("m1");
    entry.ending();
    assertIdle();
    entry.unwanted();
    assertDeletes("m1");
  }

  @Test
  void aPodThatEndsIsNotShownAnew() {
    entry.wanted(POD);
    create("m1");
    entry.ending();
    entry.gone("m1");
    assertIdle();
  }

  @Test
  void theNextPodOfTheSameUidHasAMirrorOfItsOwn() {
    entry.wanted(POD);
    create("m1");
    now += Duration.ofSeconds(9).toNanos();
    entry.ending();
    entry.unwanted();
    entry.wanted(POD);
    entry.observed(mirror("m1", "hash-1", 8, false));
    assertDeletes("m1");
    entry.removed(new PodRef("default", "web-node", "m1"));
    assertThat(next()).isInstanceOf(Step.Create.class);
  }

  @Test
  void whatTheWatchSaysLateCountsNotOverWhatIsKnown() {
    entry.wanted(POD);
    create("m1");
    entry.observed(mirror("m1", "hash-1", 4, true));
    assertIdle();
  }

  @Test
  void aFailureIsTriedAgainLaterAndLater() {
    entry.wanted(POD);
    assertThat(next()).isInstanceOf(Step.Create.class);
    entry.failed(failure(KubeException.Kind.FORBIDDEN, Duration.ofSeconds(5)), now, new Random(1));
    assertThat(next()).isInstanceOf(Step.Wait.class);
    assertThat(entry.empty()).isFalse();
    now += Duration.ofSeconds(20).toNanos();
    assertThat(next()).isInstanceOf(Step.Create.class);
  }

  /** As a drain or admission leave it. */
  private static PodView failed(String uid, String reason) {
    return mirror(uid, "hash-1", 5, false, Statuses.in(PodPhase.FAILED).why(reason, "why").build());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPodThatIsTriedAnewIsShownAnew(boolean mirrorFirst) {
    if (mirrorFirst) {
      entry.observed(failed("m1", "Terminated"));
      entry.wanted(POD);
    } else {
      entry.wanted(POD);
      entry.observed(failed("m1", "Terminated"));
    }
    entry.begin();
    assertDeletes("m1");
    entry.removed(new PodRef("default", "web-node", "m1"));
    assertThat(next()).isInstanceOf(Step.Create.class);
  }

  @Test
  void aPodThatFailsUnderThisAgentKeepsItsMirror() {
    entry.wanted(POD);
    create("m1");
    entry.observed(failed("m1", "OutOfcpu"));
    entry.wanted(POD);
    assertIdle();
    entry.begin();
    assertDeletes("m1");
  }

  @Test
  void beforeItsSourceIsHeardTheMirrorOfAFailedPodIsKept() {
    entry.observed(failed("m1", "OutOfcpu"));
    entry.begin();
    assertThat(entry.next(false, NODE_UID, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void aRefusalIsNewsOnce() {
    entry.wanted(POD);
    assertThat(fails(KubeException.Kind.TRANSPORT)).isFalse();
    assertThat(fails(KubeException.Kind.INVALID)).isTrue();
    assertThat(fails(KubeException.Kind.ALREADY_EXISTS)).isFalse();
    create("m1");
    entry.gone("m1");
    assertThat(fails(KubeException.Kind.INVALID)).isTrue();
  }

  private boolean fails(KubeException.Kind kind) {
    now += Duration.ofMinutes(1).toNanos();
    assertThat(next()).isInstanceOf(Step.Create.class);
    boolean news = entry.failed(failure(kind, null), now, new Random(1));
    now += Duration.ofMinutes(1).toNanos();
    return news;
  }

  @Test
  void aNameWithoutAnythingIsForgotten() {
    assertThat(entry.empty()).isTrue();
    assertThat(entry.node()).isEqualTo("node");
    assertThat(entry.namespace()).isEqualTo("default");
    assertThat(entry.display()).isEqualTo("default/web-node");
    entry.wanted(POD);
    assertThat(entry.empty()).isFalse();
  }
}
