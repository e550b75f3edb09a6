package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.env.VolumePreparer.Outcome;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.TokenRequest;
import io.vertx.core.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Contents of pods over time, with a loop and a clock that the test moves. */
class VolumeManagerTest extends ContentFixture {
  private Path map() {
    return dir.resolve("uid-p/volumes/kubernetes.io~configmap/v/k");
  }

  private Path token() {
    return dir.resolve("uid-p/volumes/kubernetes.io~projected/t/token");
  }

  @Test
  void filesAreWrittenOnceTheirObjectsWereRead() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);

    assertThat(prepare(contents)).isInstanceOf(Outcome.Waiting.class);
    assertThat(map()).doesNotExist();
    tellMap("1");

    assertThat(progress).isEqualTo(1);
    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
    assertThat(map()).hasContent("1");
    assertThat(cluster.reads).isEqualTo(1);
  }

  @Test
  void aMissingObjectFailsAndTheNextAttemptTriesAgain() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    references.tell(MAP);
    loop.settle();

    Outcome failed = prepare(contents);

    assertThat(failed)
        .isEqualTo(
            new Outcome.Failed(
                List.of("v"),
                List.of("MountVolume.SetUp failed for volume \"v\" : configmap \"m\" not found"),
                ""));
    tellMap("1");
    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
    assertThat(map()).hasContent("1");
  }

  @Test
  void aChangeIsWrittenSoonAndOnce() throws Exception {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    tellMap("1");
    Path first = map().toRealPath();

    tellMap("2");
    tellMap("3");
    loop.advance(Duration.ofSeconds(2));

    assertThat(map()).hasContent("3");
    assertThat(map().toRealPath()).isNotEqualTo(first);
    assertThat(first).doesNotExist();
  }

  @Test
  void aChangeThatCannotBeWrittenIsToldAndTriedAgain() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    tellMap("1");
    full = true;

    tellMap("2");
    loop.advance(Duration.ofSeconds(2));

    assertThat(cluster.messages())
        .containsExactly(
            "MountVolume.SetUp failed for volume \"v\" : java.io.IOException: No space left on"
                + " device");
    full = false;
    loop.advance(Duration.ofSeconds(46));
    assertThat(map()).hasContent("2");
  }

  @Test
  void pausesBetweenFailedDeliveriesGrow() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.VALUES);
    prepare(contents);
    tellMap("1");
    assertThat(new ContentStarts(contents).sandbox(pod, 0, null).succeeded()).isTrue();
    refused = true;
    tellMap("2");
    List<Duration> pauses = new ArrayList<>();

    for (int tries = 1; tries < 12; tries++) {
      Duration pause = Duration.ZERO;
      while (delivered.size() < tries) {
        loop.advance(Duration.ofMillis(100));
        pause = pause.plusMillis(100);
      }
      pauses.add(pause);
    }

    assertThat(pauses.subList(1, 9)).isSorted();
    assertThat(pauses.get(1)).isLessThan(Duration.ofSeconds(1));
    assertThat(pauses.subList(9, 11))
        .allSatisfy(
            pause -> assertThat(pause).isBetween(Duration.ofSeconds(122), Duration.ofSeconds(184)));
    refused = false;
    loop.advance(Duration.ofSeconds(184));
    assertThat(delivered).hasSize(12);
    refused = true;
    tellMap("3");
    loop.advance(Duration.ofSeconds(3));
    assertThat(delivered).as("the first pauses are short again").hasSizeGreaterThan(13);
  }

  @Test
  void anObjectThatIsGoneLeavesItsContentAndIsToldOnce() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    tellMap("1");

    for (int i = 0; i < 3; i++) {
      references.tell(MAP);
      loop.advance(Duration.ofSeconds(2));
    }

    assertThat(map()).hasContent("1");
    assertThat(cluster.messages())
        .containsExactly("MountVolume.SetUp failed for volume \"v\" : configmap \"m\" not found");
    tellMap("2");
    loop.advance(Duration.ofSeconds(2));
    assertThat(map()).hasContent("2");
  }

  @Test
  @Tag("P10")
  void aTokenIsBoundToThePodAndReplacedAfterMostOfItsLife() {
    cluster.volumes = TOKEN_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
    assertThat(token()).hasContent("token1");
    assertThat(cluster.tokens)
        .containsExactly(new TokenRequest(pod.spec().serviceAccountName(), pod.ref(), "", 600));

    loop.advance(Duration.ofSeconds(469));
    assertThat(token()).hasContent("token1");
    loop.advance(Duration.ofSeconds(12));

    assertThat(token()).hasContent("token2");
    assertThat(cluster.tokens).hasSize(2);
    loop.advance(Duration.ofSeconds(481));
    assertThat(token()).hasContent("token3");
  }

  @Test
  void aTokenThatIsRefusedKeepsThePodWaiting() {
    cluster.volumes = TOKEN_VOLUME;
    cluster.refusal =
        new ProviderException(
            ProviderException.Kind.NOT_FOUND, "NotFound", "serviceaccounts \"a\" not found");
    VolumeManager contents = start(PodInput.FILES);

    assertThat(prepare(contents))
        .isEqualTo(
            new Outcome.Failed(
                List.of("t"),
                List.of(
                    "MountVolume.SetUp failed for volume \"t\" : failed to fetch token:"
                        + " serviceaccounts \"a\" not found"),
                ""));
    cluster.refusal = null;
    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
  }

  @Test
  void aRefreshThatFailsKeepsTheTokenAndIsRepeated() {
    cluster.volumes = TOKEN_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    cluster.refusal = new IllegalStateException("no");
    loop.advance(Duration.ofSeconds(481));
    assertThat(token()).hasContent("token1");
    int tries = cluster.tokens.size();

    cluster.refusal = null;
    loop.advance(Duration.ofSeconds(91));

    assertThat(cluster.tokens).hasSize(tries + 1);
    assertThat(token()).hasContent("token" + (tries + 1));
  }

  @Test
  void valuesAreDeliveredWhenTheyChangeAndOnlyThose() {
    cluster.volumes = MAP_VOLUME + "," + TOKEN_VOLUME;
    VolumeManager contents = start(PodInput.VALUES);
    prepare(contents);
    tellMap("1");
    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
    ContentStarts starts = new ContentStarts(contents);
    assertThat(starts.sandbox(pod, 0, null).result().volumes())
        .extracting(VolumeContent::volume)
        .containsExactly("v", "t");
    assertThat(delivered).isEmpty();

    tellMap("2");
    loop.advance(Duration.ofSeconds(2));
    assertThat(delivered).hasSize(1);
    assertThat(delivered.get(0)).extracting(VolumeContent::volume).containsExactly("v");
    loop.advance(Duration.ofSeconds(481));

    assertThat(delivered).hasSize(2);
    assertThat(delivered.get(1)).extracting(VolumeContent::volume).containsExactly("t");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aPodOfAnEarlierAgentIsBroughtUpToDate() throws Exception {
    cluster.volumes = MAP_VOLUME;
    VolumeManager before = start(PodInput.FILES);
    prepare(before);
    tellMap("1");
    before.stop();
    VolumeManager after = start(PodInput.FILES);

    after.updated(pod);
    tellMap("2");
    loop.advance(Duration.ofSeconds(2));

    assertThat(map()).hasContent("2");
    assertThat(after.orphans().result()).isEmpty();
  }

  @Test
  void theDirectoryGoesWithThePodAndOrphansAreFound() throws Exception {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    tellMap("1");
    Files.writeString(dir.resolve("uid-p/own"), "of the runtime");

    contents.ended("uid-p");
    assertThat(dir.resolve("uid-p/own")).exists();
    assertThat(map()).doesNotExist();
    assertThat(contents.orphans().result()).hasSize(1);
    contents.gone(pod.ref());

    assertThat(dir.resolve("uid-p")).doesNotExist();
    assertThat(references.followed).isEmpty();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void thePodsDirectoryStaysUntilItsSandboxIsRemoved() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    tellMap("1");

    contents.gone(pod.ref());
    assertThat(map()).exists();
    contents.ended("uid-p");

    assertThat(dir.resolve("uid-p")).doesNotExist();
  }

  @Test
  void aPodWhoseFilesAreBeingRemovedIsNotResumed() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    tellMap("1");
    contents.gone(pod.ref());
    Promise<Void> removal = Promise.promise();
    held = removal;

    contents.ended("uid-p");
    contents.updated(pod);
    removal.complete();
    loop.settle();

    assertThat(references.followed).isEmpty();
    assertThat(dir).isEmptyDirectory();
    contents.updated(pod);
    assertThat(contents.find("uid-p")).isNotNull();
  }

  @Test
  void anAnswerAfterThePodIsForgottenDoesNothing() {
    cluster.volumes = MAP_VOLUME;
    cluster.pending = Promise.promise();
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    contents.forget("uid-p");

    cluster.pending.complete(cluster.json());
    loop.settle();

    assertThat(references.followed).isEmpty();
    assertThat(dir).isEmptyDirectory();
    loop.advance(Duration.ofMinutes(1));
    assertThat(loop.timers()).isZero();
  }

  @Test
  void aPodThatCannotBeReadFails() {
    cluster.pending = Promise.promise();
    cluster.pending.fail("no");
    VolumeManager contents = start(PodInput.FILES);

    assertThat(prepare(contents))
        .isEqualTo(new Outcome.Failed(List.of(), List.of("Unable to read the pod: no"), ""));
  }

  @Test
  void aDefinitionIsDroppedAfterTheStart() {
    VolumeManager contents = start(PodInput.FILES);
    prepare(contents);
    PodVolumeState kept = Objects.requireNonNull(contents.find("uid-p"));
    assertThat(kept.definition()).isNotNull();

    loop.advance(Duration.ofSeconds(11));

    assertThat(kept.definition()).isNull();
    assertThat(contents.definitions().of(kept).succeeded()).isTrue();
    assertThat(cluster.reads).isEqualTo(2);
  }

  @Test
  void aVolumeInMemoryIsOnDiskWithAWarningWhereTheAgentMayNotMount() {
    cluster.volumes = "{\"name\": \"e\", \"emptyDir\": {\"medium\": \"Memory\"}}";
    VolumeManager contents = start(PodInput.FILES);

    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());

    assertThat(dir.resolve("uid-p/volumes/kubernetes.io~empty-dir/e")).isDirectory();
    assertThat(cluster.events)
        .extracting(ObjectEvent::reason)
        .containsExactly("EmptyDirNotInMemory");
  }

  @Test
  void hostPathsAndUnknownMediaAreRefusedInWords() {
    cluster.volumes =
        "{\"name\": \"h\", \"hostPath\": {\"path\": \"/etc\"}},"
            + "{\"name\": \"e\", \"emptyDir\": {\"medium\": \"HugePages\"}}";
    VolumeManager contents = start(PodInput.FILES);

    assertThat(prepare(contents))
        .isEqualTo(
            new Outcome.Failed(
                List.of("h", "e"),
                List.of(
                    "MountVolume.SetUp failed for volume \"h\" : hostPath /etc is not allowed on"
                        + " this node: pods.hostPaths has no prefix of it",
                    "MountVolume.SetUp failed for volume \"e\" : unknown storage medium"
                        + " \"HugePages\""),
                ""));
  }

  @Test
  void aBackEndThatAsksForDefinitionsAloneReadsNothingElse() {
    cluster.volumes = MAP_VOLUME;
    VolumeManager contents = start(PodInput.DEFINITION);

    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
    contents.updated(pod);

    assertThat(cluster.reads).isZero();
    assertThat(references.calls).isEmpty();
    assertThat(new ContentStarts(contents).sandbox(pod, 0, null).result().definition().volumes())
        .hasSize(1);
    assertThat(contents.find("uid-p")).isNull();
  }
}
