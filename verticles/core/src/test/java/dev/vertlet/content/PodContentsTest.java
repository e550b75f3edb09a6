package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.FakeReferences;
import dev.vertlet.env.VolumePreparer.Outcome;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.ReferredKind;
import dev.vertlet.provider.PodInput;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ServiceAccountToken;
import dev.vertlet.provider.TokenRequest;
import dev.vertlet.provider.VolumeContent;
import dev.vertlet.testing.EmptyContext;
import dev.vertlet.testing.EnvPods;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contents of pods over time, with a loop and a clock that the test moves. */
class PodContentsTest {
  private static final ReferredKey MAP = new ReferredKey(ReferredKind.CONFIG_MAP, "ns", "m");
  private static final String MAP_VOLUME = "{\"name\": \"v\", \"configMap\": {\"name\": \"m\"}}";
  private static final String TOKEN_VOLUME =
      "{\"name\": \"t\", \"projected\": {\"sources\": [{\"serviceAccountToken\":"
          + " {\"expirationSeconds\": 600, \"path\": \"token\"}}]}}";

  @TempDir private Path dir;
  private final FakeLoop loop = new FakeLoop();
  private final FakeReferences references = new FakeReferences();
  private final Cluster cluster = new Cluster();
  private final List<List<VolumeContent>> delivered = new ArrayList<>();
  private final PodView pod = Pods.pod("p").ref(new PodRef("ns", "p", "uid-p")).build();
  private int progress;

  /** Completes when file tasks may run; null if they may. */
  private @Nullable Promise<Void> held;

  /** Whether file tasks fail. */
  private boolean full;

  /** What the agent has of the API server. */
  private final class Cluster implements EmptyContext {
    private String volumes = "";
    private final List<ObjectEvent> events = new ArrayList<>();
    private final List<TokenRequest> tokens = new ArrayList<>();
    private @Nullable Throwable refusal;
    private int reads;
    private @Nullable Promise<Buffer> pending;

    @Override
    public Clock clock() {
      return loop;
    }

    @Override
    public void event(ObjectEvent event) {
      events.add(event);
    }

    @Override
    public Future<Buffer> fullPod(PodRef ref) {
      reads++;
      Promise<Buffer> hanging = pending;
      return hanging == null ? Future.succeededFuture(json()) : hanging.future();
    }

    private Buffer json() {
      return Buffer.buffer(
          "{\"spec\": {\"volumes\": [%s], \"containers\": [{\"name\": \"c\"}]}}"
              .formatted(volumes));
    }

    @Override
    public Future<ServiceAccountToken> requestToken(TokenRequest request) {
      tokens.add(request);
      Throwable failure = refusal;
      Instant until = loop.instant().plusSeconds(request.expirationSeconds());
      return failure == null
          ? Future.succeededFuture(
              new ServiceAccountToken("token" + tokens.size(), until, request.expirationSeconds()))
          : Future.failedFuture(failure);
    }

    private List<String> messages() {
      return events.stream().map(ObjectEvent::message).toList();
    }
  }

  private PodContents start(PodInput input) {
    PodContents contents =
        new PodContents(
            input,
            new ContentOptions(dir, List.of(), Path.of("/etc/hosts"), MemoryVolumes.NONE),
            references,
            node -> Map.of("memory", "1Gi"),
            node -> DnsSettings.DEFAULTS);
    contents.start(
        cluster,
        loop,
        new FileTasks.Workers() {
          @Override
          public <T> Future<T> run(Callable<T> task) {
            Promise<Void> waits = held;
            return waits == null ? call(task) : waits.future().compose(done -> call(task));
          }
        },
        (ref, news) -> {
          delivered.add(news);
          return Future.succeededFuture();
        });
    return contents;
  }

  private <T> Future<T> call(Callable<T> task) {
    if (full) {
      return Future.failedFuture(new IOException("No space left on device"));
    }
    try {
      return Future.succeededFuture(task.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  private Outcome prepare(PodContents contents) {
    return contents.prepare(pod, () -> progress++);
  }

  private void tellMap(String value) {
    references.tell(MAP, EnvPods.data("m", Map.of("k", value)));
    loop.settle();
  }

  private Path map() {
    return dir.resolve("uid-p/volumes/kubernetes.io~configmap/v/k");
  }

  private Path token() {
    return dir.resolve("uid-p/volumes/kubernetes.io~projected/t/token");
  }

  @Test
  void filesAreWrittenOnceTheirObjectsWereRead() {
    cluster.volumes = MAP_VOLUME;
    PodContents contents = start(PodInput.FILES);

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
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);
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
  void anObjectThatIsGoneLeavesItsContentAndIsToldOnce() {
    cluster.volumes = MAP_VOLUME;
    PodContents contents = start(PodInput.FILES);
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
  void aTokenIsBoundToThePodAndReplacedAfterMostOfItsLife() {
    cluster.volumes = TOKEN_VOLUME;
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);

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
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.VALUES);
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
    PodContents before = start(PodInput.FILES);
    prepare(before);
    tellMap("1");
    before.stop();
    PodContents after = start(PodInput.FILES);

    after.updated(pod);
    tellMap("2");
    loop.advance(Duration.ofSeconds(2));

    assertThat(map()).hasContent("2");
    assertThat(after.orphans().result()).isEmpty();
  }

  @Test
  void theDirectoryGoesWithThePodAndOrphansAreFound() throws Exception {
    cluster.volumes = MAP_VOLUME;
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);
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
    PodContents contents = start(PodInput.FILES);

    assertThat(prepare(contents))
        .isEqualTo(new Outcome.Failed(List.of(), List.of("Unable to read the pod: no"), ""));
  }

  @Test
  void aDefinitionIsDroppedAfterTheStart() {
    PodContents contents = start(PodInput.FILES);
    prepare(contents);
    ContentPod kept = Objects.requireNonNull(contents.find("uid-p"));
    assertThat(kept.definition()).isNotNull();

    loop.advance(Duration.ofSeconds(11));

    assertThat(kept.definition()).isNull();
    assertThat(contents.definition(kept).succeeded()).isTrue();
    assertThat(cluster.reads).isEqualTo(2);
  }

  @Test
  void aVolumeInMemoryIsOnDiskWithAWarningWhereTheAgentMayNotMount() {
    cluster.volumes = "{\"name\": \"e\", \"emptyDir\": {\"medium\": \"Memory\"}}";
    PodContents contents = start(PodInput.FILES);

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
    PodContents contents = start(PodInput.FILES);

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
    PodContents contents = start(PodInput.DEFINITION);

    assertThat(prepare(contents)).isEqualTo(new Outcome.Mounted());
    contents.updated(pod);

    assertThat(cluster.reads).isZero();
    assertThat(references.calls).isEmpty();
    assertThat(new ContentStarts(contents).sandbox(pod, 0, null).result().definition().volumes())
        .hasSize(1);
    assertThat(contents.find("uid-p")).isNull();
  }
}
