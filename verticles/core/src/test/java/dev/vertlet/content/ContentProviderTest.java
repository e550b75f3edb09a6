package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.Statuses;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of a provider of whole pods that run while their content is missing, or while they end. */
class ContentProviderTest extends ContentFixture {
  private final Backend backend = new Backend();

  @SuppressWarnings("NullAway.Init") // set by startProvider
  private VolumeManager contents;

  @SuppressWarnings("NullAway.Init") // set by startProvider
  private ContentProvider provider;

  /** Accepts everything, and reports nothing. */
  private static final class Backend extends ForwardingProvider {
    private final List<PodContent> received = new ArrayList<>();
    private @Nullable PodReport held;
    private @Nullable ProviderException refusal;

    Backend() {
      super(new QuietProvider(true));
    }

    @Override
    public PodInput input() {
      return PodInput.VALUES;
    }

    @Override
    public boolean reports() {
      return true;
    }

    @Override
    public boolean usesEnvironment() {
      return false;
    }

    @Override
    public Future<Void> create(PodView pod, PodContent content) {
      received.add(content);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> update(PodView pod, PodContent content) {
      return create(pod, content);
    }

    @Override
    public Future<Void> delete(PodView pod, Duration grace) {
      ProviderException failure = refusal;
      return failure == null ? Future.succeededFuture() : Future.failedFuture(failure);
    }

    @Override
    public Future<Optional<PodReport>> get(PodRef pod) {
      return Future.succeededFuture(Optional.ofNullable(held));
    }
  }

  @BeforeEach
  void startProvider() {
    contents = start(PodInput.VALUES);
    provider = new ContentProvider(backend, contents);
  }

  private void backendHolds(PodPhase phase) {
    PodStatusView status = Statuses.in(phase).build();
    backend.held = new PodReport(pod.ref(), pod.nodeName(), status, phase.terminal());
  }

  private void noMap() {
    references.tell(MAP);
    loop.settle();
  }

  private List<String> volumes(int call) {
    return backend.received.get(call).volumes().stream().map(VolumeContent::volume).toList();
  }

  @Test
  void aPodThatRunsIsPassedOnWithoutTheVolumeWhoseObjectIsGone() {
    cluster.volumes = MAP_VOLUME + "," + TOKEN_VOLUME;
    backendHolds(PodPhase.RUNNING);

    Future<Void> created = provider.create(pod);
    noMap();

    assertThat(created.succeeded()).isTrue();
    assertThat(volumes(0)).containsExactly("t");
    assertThat(backend.received.get(0).missing()).containsExactly("v");
    assertThat(cluster.messages())
        .containsExactly("MountVolume.SetUp failed for volume \"v\" : configmap \"m\" not found");
  }

  @Test
  void theMissingVolumeFollowsWhenItsObjectIsThereAgain() {
    cluster.volumes = MAP_VOLUME;
    backendHolds(PodPhase.RUNNING);
    provider.create(pod);
    noMap();

    tellMap("1");
    loop.advance(Duration.ofSeconds(2));

    assertThat(delivered).hasSize(1);
    assertThat(delivered.get(0)).extracting(VolumeContent::volume).containsExactly("v");
  }

  @Test
  void anUpdateReachesARunningPodWithoutItsObject() {
    cluster.volumes = MAP_VOLUME;
    provider.create(pod);
    tellMap("1");
    backendHolds(PodPhase.RUNNING);
    noMap();

    Future<Void> updated = provider.update(pod);

    assertThat(updated.succeeded()).isTrue();
    assertThat(backend.received.get(1).missing()).containsExactly("v");
  }

  @Test
  void aPodThatTheProviderDoesNotHoldWaitsForItsObject() {
    cluster.volumes = MAP_VOLUME;

    Future<Void> created = provider.create(pod);
    noMap();

    assertThat(created.failed()).isTrue();
    backendHolds(PodPhase.SUCCEEDED);
    assertThat(provider.create(pod).failed()).isTrue();
    assertThat(backend.received).isEmpty();
  }

  @Test
  void tokensOfAPodThatIsBeingDeletedAreReplaced() {
    cluster.volumes = TOKEN_VOLUME;
    provider.create(pod);
    assertThat(cluster.tokens).hasSize(1);

    provider.delete(pod, Duration.ofHours(1));
    loop.advance(Duration.ofSeconds(481));

    assertThat(cluster.tokens).hasSize(2);
    assertThat(delivered).hasSize(1);
  }

  @Test
  void tokensOfADeletionThatAnEarlierAgentBeganAreReplaced() {
    cluster.volumes = TOKEN_VOLUME;

    provider.delete(pod, Duration.ofHours(1));

    assertThat(cluster.tokens).hasSize(1);
    assertThat(delivered).hasSize(1);
    loop.advance(Duration.ofSeconds(481));
    assertThat(cluster.tokens).hasSize(2);
  }

  @Test
  void nothingIsKeptOfADeletedPodThatTheProviderDoesNotKnow() {
    cluster.volumes = MAP_VOLUME;
    provider.create(pod);
    tellMap("1");
    backend.refusal = new ProviderException(Kind.NOT_FOUND, "NotFound", "no such pod");

    assertThat(provider.delete(pod, Duration.ofHours(1)).failed()).isTrue();

    assertThat(contents.find("uid-p")).isNull();
    assertThat(references.followed).isEmpty();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void nothingIsReadForTheDeletionOfAnEndedPod() {
    cluster.volumes = MAP_VOLUME;
    PodStatusView status = Statuses.in(PodPhase.SUCCEEDED).build();
    PodView ended = pod.withStatus(status);

    provider.delete(ended, Duration.ofSeconds(30));

    assertThat(cluster.reads).isZero();
    assertThat(contents.find("uid-p")).isNull();
  }

  @Test
  void theEndOfAPodsDeletionEndsItsUpdates() {
    cluster.volumes = TOKEN_VOLUME;
    provider.create(pod);
    provider.delete(pod, Duration.ofHours(1));

    provider.kill(pod.ref());

    assertThat(contents.find("uid-p")).isNull();
    assertThat(loop.timers()).isZero();
  }
}
