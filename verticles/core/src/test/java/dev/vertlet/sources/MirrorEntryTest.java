package dev.vertlet.sources;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.Manifests;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.sources.MirrorEntry.Step;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Scenario;
import dev.vertlet.testing.Statuses;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** kubelet §11.4: what becomes of mirror pods. */
class MirrorEntryTest {
  private static final String NODE_UID = "node-uid";
  private static final StaticPod POD = pod("hash-1");

  private final MirrorEntry entry = new MirrorEntry("node", "default", "web-node");
  private boolean heard = true;
  private String node = NODE_UID;
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

  private static PodView mirror(
      String uid, String of, String version, boolean deleting, PodStatusView status) {
    Pods pod =
        Pods.of(POD.view())
            .ref(new PodRef("default", "web-node", uid))
            .version(Long.parseLong(version))
            .annotations(Map.of("kubernetes.io/config.mirror", of))
            .owner("Node")
            .status(status);
    return deleting ? pod.deleted(Instant.EPOCH).build() : pod.build();
  }

  private Step next() {
    return entry.next(heard, node, now);
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
    entry.observed(mirror("m1", "hash-1", "5", false, PodStatusView.EMPTY));
    assertIdle();
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
  void aServerThatWorksAgainEndsTheWaitForItAlone() {
    entry.wanted(POD);
    failOften(KubeException.Kind.SERVER_ERROR);
    assertThat(next()).isInstanceOf(Step.Wait.class);
    entry.serverReturned();
    assertThat(next()).isInstanceOf(Step.Create.class);

    failOften(KubeException.Kind.FORBIDDEN);
    entry.serverReturned();
    assertThat(next()).isInstanceOf(Step.Wait.class);
  }

  /** Fails until the back-off is longer than two seconds, and lets two pass. */
  private void failOften(KubeException.Kind kind) {
    for (int i = 0; i < 8; i++) {
      entry.failed(failure(kind, null), now, new Random(1));
    }
    now += Duration.ofSeconds(2).toNanos();
  }

  /** Words with a capital are the next step, or what the entry is; the others are what happens. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a mirror that went before its creation was answered is made anew | wanted Create seen:m1,5 gone:m1 made-in-vain:m1,5 s:1 Create made:m2,5 Idle
          the answer to a creation is older than what the watch has told | wanted Create deleting:m1,6 made:m1,5 Delete:m1
          nothing is shown before the node exists | wanted no-node Idle node Create
          a mirror that is there is taken | seen:m1,5 wanted Idle
          c68 a mirror that is gone is made anew within two seconds | wanted Create made:m1,5 gone:m1 Wait:2 s:1 Create
          c68 a mirror that somebody deletes is removed and made anew, whatever the watch says late of the first | wanted Create made:m1,5 s:9 deleting:m1,6 Delete:m1 removed:m1 Create made:m2,9 deleting:m1,7 gone:m1 Idle
          a mirror of another version is replaced | outdated:m1,5 wanted Delete:m1 removed:m1 Create
          an orphan goes once all sources are seen | outdated:m1,5 unheard Idle heard Delete:m1 removed:m1 Idle Empty
          the mirror stays until the pod has ended | wanted Create made:m1,5 ending Idle unwanted Delete:m1
          a pod that ends is not shown anew | wanted Create made:m1,5 ending gone:m1 Idle
          the next pod of the same UID has a mirror of its own | wanted Create made:m1,5 s:9 ending unwanted wanted seen:m1,8 Delete:m1 removed:m1 Create
          what the watch says late counts not over what is known | wanted Create made:m1,5 deleting:m1,4 Idle
          a failure is tried again later | wanted Create forbidden:5 Wait:20 NotEmpty s:20 Create
          a pod that is tried anew is shown anew, its mirror seen first | failed:m1,Terminated wanted begin Delete:m1 removed:m1 Create
          a pod that is tried anew is shown anew, its mirror seen last | wanted failed:m1,Terminated begin Delete:m1 removed:m1 Create
          a pod that fails under this agent keeps its mirror | wanted Create made:m1,5 failed:m1,OutOfcpu wanted Idle begin Delete:m1
          before its source is heard the mirror of a failed pod is kept | failed:m1,OutOfcpu begin unheard Idle
          a refusal is news once | wanted Create no-news:TRANSPORT s:120 Create news:INVALID s:120 Create no-news:ALREADY_EXISTS s:60 Create made:m1,5 gone:m1 s:60 Create news:INVALID
          """)
  @Tag("C68")
  void showsAPodByOneMirror(String behaviour, String line) {
    Scenario.play(line, this::step);
  }

  private void step(String word, String argument) {
    String uid = argument.replaceFirst(",.*", "");
    String rest = argument.substring(argument.indexOf(',') + 1);
    switch (word) {
      case "wanted" -> entry.wanted(POD);
      case "unwanted" -> entry.unwanted();
      case "begin" -> entry.begin();
      case "ending" -> entry.ending();
      case "seen" -> entry.observed(mirror(uid, "hash-1", rest, false, PodStatusView.EMPTY));
      case "deleting" -> entry.observed(mirror(uid, "hash-1", rest, true, PodStatusView.EMPTY));
      case "outdated" -> entry.observed(mirror(uid, "hash-0", rest, false, PodStatusView.EMPTY));
      case "failed" -> {
        // as a drain or admission leave it
        PodStatusView status = Statuses.in(PodPhase.FAILED).why(rest, "why").build();
        entry.observed(mirror(uid, "hash-1", "5", false, status));
      }
      case "gone" -> entry.gone(uid);
      case "made" -> assertThat(made(uid, rest)).isTrue();
      case "made-in-vain" -> assertThat(made(uid, rest)).isFalse();
      case "removed" -> entry.removed(new PodRef("default", "web-node", uid));
      case "news" -> assertThat(fails(argument, null)).isTrue();
      case "no-news" -> assertThat(fails(argument, null)).isFalse();
      case "forbidden" -> fails("FORBIDDEN", Duration.ofSeconds(Long.parseLong(argument)));
      case "s" -> now += Duration.ofSeconds(Long.parseLong(argument)).toNanos();
      case "unheard" -> heard = false;
      case "heard" -> heard = true;
      case "no-node" -> node = "";
      case "node" -> node = NODE_UID;
      case "Empty" -> assertThat(entry.empty()).isTrue();
      case "NotEmpty" -> assertThat(entry.empty()).isFalse();
      case "Delete" ->
          assertThat(next()).isEqualTo(new Step.Delete(new PodRef("default", "web-node", uid)));
      case "Wait" ->
          assertThat(((Step.Wait) next()).delay())
              .isLessThan(Duration.ofSeconds(Long.parseLong(argument)));
      default -> assertThat(next().getClass().getSimpleName()).isEqualTo(word);
    }
  }

  private boolean made(String uid, String version) {
    return entry.created("hash-1", new ObjectMeta(uid, Long.parseLong(version)));
  }

  private boolean fails(String kind, @Nullable Duration retryAfter) {
    KubeException failure = failure(KubeException.Kind.valueOf(kind), retryAfter);
    return entry.failed(failure, now, new Random(1));
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
