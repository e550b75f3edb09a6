package dev.vertlet.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.manifest.StaticPods.Effect;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kubelet §2.1 and §3: what a change of a source means for the pods of its node. */
class StaticPodsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  private final StaticPods pods = new StaticPods(Set.of(Manifests.FILE, Manifests.HTTP));

  private static StaticPod pod(String name, String uid, String image) {
    return from(Manifests.FILE, name, uid, image);
  }

  private static StaticPod from(String source, String name, String uid, String image) {
    String text =
        "{apiVersion: v1, kind: Pod, metadata: {name: %s, uid: '%s'}, spec: {containers: [{name: a, image: %s}]}}"
            .formatted(name, uid, image);
    try {
      return new Manifests("node", source).pod(text.getBytes(UTF_8), "/pods/" + name);
    } catch (ManifestException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> file(StaticPod... set) {
    return told(pods.set(Manifests.FILE, List.of(set), NOW));
  }

  private static List<String> told(List<Effect> effects) {
    return effects.stream().map(StaticPodsTest::told).toList();
  }

  private static String told(Effect effect) {
    if (effect instanceof Effect.Run run) {
      return "run " + run.pod().view().uid() + image(run.pod());
    } else if (effect instanceof Effect.End end) {
      assertThat(end.pod().view().deleting()).isTrue();
      return "end " + end.pod().view().uid();
    }
    return "forget " + ((Effect.Forget) effect).pod().view().uid();
  }

  private static String image(StaticPod pod) {
    return " " + pod.view().spec().containers().get(0).image();
  }

  @Test
  void allSourcesAreSeenAfterTheFirstDeliveryOfEach() {
    assertThat(pods.allSeen()).isFalse();
    file();
    assertThat(pods.allSeen()).isFalse();
    pods.set(Manifests.HTTP, List.of(), NOW);
    assertThat(pods.allSeen()).isTrue();
    assertThat(new StaticPods(Set.of()).allSeen()).isTrue();
  }

  @Test
  void addRunsAPodAndSaysWhenItWasFirstSeen() {
    List<Effect> effects = pods.set(Manifests.FILE, List.of(pod("a", "1", "x")), NOW);

    assertThat(told(effects)).containsExactly("run 1 x");
    assertThat(((Effect.Run) effects.get(0)).pod().view().annotations())
        .containsEntry(StaticPod.SEEN, NOW.toString());
    assertThat(pods.held()).hasSize(1);
  }

  /** The view is not made of the text each time: that takes long for a long list. */
  @Test
  void whatIsRunAndEndedIsWhatItsTextSays() {
    StaticPod run =
        ((Effect.Run) pods.set(Manifests.FILE, List.of(pod("a", "1", "x")), NOW).get(0)).pod();
    assertThat(run.view()).isEqualTo(decoded(run));

    StaticPod end = ((Effect.End) pods.set(Manifests.FILE, List.of(), LATER).get(0)).pod();
    assertThat(end.view().deletionTimestamp()).isAfter(LATER);
    assertThat(end.view()).isEqualTo(decoded(end));
    assertThat(run.view()).as("not changed").isEqualTo(decoded(run));
  }

  private static PodView decoded(StaticPod pod) {
    String object =
        pod.json().toString().replaceFirst("\"name\":", "\"resourceVersion\":\"0\",\"name\":");
    Buffer event = Buffer.buffer("{\"type\":\"ADDED\",\"object\":" + object + "}");
    if (new PodDecoder().decodeEvent(PodDecoder.WATCH_JSON, event)
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return upsert.object();
    }
    throw new AssertionError(object);
  }

  @Test
  void theSamePodAgainIsNoChange() {
    file(pod("a", "1", "x"));

    assertThat(file(pod("a", "1", "x"))).isEmpty();
  }

  @Test
  void updateKeepsTheTimeOfTheFirstSight() {
    file(pod("a", "1", "x"));

    List<Effect> effects = pods.set(Manifests.FILE, List.of(pod("a", "1", "y")), LATER);

    assertThat(told(effects)).containsExactly("run 1 y");
    assertThat(((Effect.Run) effects.get(0)).pod().view().annotations())
        .containsEntry(StaticPod.SEEN, NOW.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"labels: {a: b}", "annotations: {a: b}"})
  void updateIsAlsoAnotherLabelOrAnnotation(String more) throws ManifestException {
    StaticPod plain = pod("a", "1", "x");
    String text =
        "{apiVersion: v1, kind: Pod, metadata: {name: a, uid: '1', %s}, spec: {containers: [{name:"
            + " a, image: x}]}}";
    StaticPod changed =
        new Manifests("node", Manifests.FILE).pod(text.formatted(more).getBytes(UTF_8), "/pods/a");
    file(plain);

    assertThat(file(changed)).containsExactly("run 1 x");
    assertThat(file(changed)).isEmpty();
  }

  /** kubelet C68: a file is removed. */
  @Test
  @Tag("C68")
  void removeEndsThePodAndForgetsItWhenItHasEnded() {
    file(pod("a", "1", "x"));

    assertThat(file()).containsExactly("end 1");
    assertThat(pods.ending("1")).isTrue();
    assertThat(file()).isEmpty();
    assertThat(told(pods.ended("1"))).containsExactly("forget 1");
    assertThat(pods.held()).isEmpty();
    assertThat(pods.ending("1")).isFalse();
    assertThat(pods.ended("1")).isEmpty();
  }

  @Test
  void whatRunsHasNotEnded() {
    file(pod("a", "1", "x"));

    assertThat(pods.ended("1")).isEmpty();
    assertThat(pods.held()).hasSize(1);
  }

  /** kubelet C68: a file is edited. */
  @Test
  @Tag("C68")
  void aNewUidOfTheSameNameWaitsUntilTheOldOneHasEnded() {
    file(pod("a", "1", "x"));

    assertThat(file(pod("a", "2", "y"))).containsExactly("end 1");
    assertThat(told(pods.ended("1"))).containsExactly("forget 1", "run 2 y");
  }

  @Test
  void onlyTheNewestOfThoseThatWaitRuns() {
    file(pod("a", "1", "x"));
    file(pod("a", "2", "y"));

    assertThat(file(pod("a", "3", "z"))).isEmpty();
    assertThat(told(pods.ended("1"))).containsExactly("forget 1", "run 3 z");
  }

  @Test
  void theSameUidThatComesAgainWhileItEndsIsStartedAnew() {
    file(pod("a", "1", "x"));
    file();

    assertThat(file(pod("a", "1", "y"))).isEmpty();
    assertThat(file(pod("a", "1", "z"))).isEmpty();
    assertThat(told(pods.ended("1"))).containsExactly("forget 1", "run 1 z");
  }

  @Test
  void theSameUidUnderAnotherNameIsAnotherPod() {
    file(pod("a", "1", "x"));

    assertThat(file(pod("b", "1", "x"))).containsExactly("end 1");
    assertThat(told(pods.ended("1"))).containsExactly("forget 1", "run 1 x");
    assertThat(pods.held()).extracting(StaticPod::fullName).containsExactly("b-node_default");
  }

  @Test
  void twoPodsOfOneUidInOneSourceAreOne() {
    assertThat(file(pod("a", "1", "x"), pod("b", "1", "x"))).containsExactly("run 1 x");
  }

  @Test
  void aNameThatTwoSourcesGiveIsHeldByTheFirst() {
    file(pod("a", "1", "x"));
    StaticPod other = from(Manifests.HTTP, "a", "2", "y");

    assertThat(told(pods.set(Manifests.HTTP, List.of(other), NOW))).isEmpty();
    assertThat(file()).containsExactly("end 1");
    assertThat(told(pods.ended("1"))).containsExactly("forget 1", "run 2 y");
  }

  @Test
  void aSourceEndsNoPodOfAnother() {
    file(pod("a", "1", "x"));
    StaticPod other = from(Manifests.HTTP, "a", "1", "x");

    pods.set(Manifests.HTTP, List.of(other), NOW);

    assertThat(told(pods.set(Manifests.HTTP, List.of(), NOW))).isEmpty();
    assertThat(pods.ending("1")).isFalse();
  }

  @Test
  void aWaitingPodThatIsTakenBackNeverRuns() {
    file(pod("a", "1", "x"));
    file(pod("a", "2", "y"));
    file();

    assertThat(told(pods.ended("1"))).containsExactly("forget 1");
  }
}
