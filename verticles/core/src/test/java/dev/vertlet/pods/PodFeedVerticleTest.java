package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_DELETION;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.PodDeletion;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.bus.Shards;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.FakeProvider;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The externally fed mode: StorePod, LoadPod, DeletePod, CheckAndUpdatePod and
 * SyncPodsFromKubernetesEnqueue of virtual-kubelet's fork for many nodes.
 */
class PodFeedVerticleTest {
  private static final String NODE = "node";

  private final FakeProvider provider = new FakeProvider();
  private final ManualClock clock = new ManualClock();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private PodFeedVerticle feed;
  private final List<PodsSynced> synced = cluster.hear(PODS_SYNCED);

  /** What the program's own watch answers when a node is listed. */
  private volatile Supplier<Future<List<PodView>>> listing =
      () -> Future.succeededFuture(List.of());

  private final class Source implements PodSource {
    @Override
    public Future<Void> start(PodFeed given) {
      assertThat(given).isSameAs(feed);
      return Future.succeededFuture();
    }

    @Override
    public Future<List<PodView>> list(String node) {
      return listing.get();
    }
  }

  @BeforeEach
  void start() {
    feed = new PodFeedVerticle(new Source(), List.of(NODE), new Shards(1), cluster.bus());
    cluster.deploy(cluster.podSync(NODE, provider, clock, clock::nanos));
    cluster.deploy(feed);
  }

  private void acquire(int term) {
    cluster.publish(LEASE_ACQUIRED, new LeaseAcquired(NODE, term));
  }

  private void serve() {
    acquire(0);
    eventually(() -> assertThat(synced).hasSize(1));
  }

  private void calls(String... expected) {
    eventually(() -> assertThat(provider.calls()).containsExactly(expected));
  }

  @Test
  void aStoredPodIsCreatedUpdatedAndKilledWhenItIsForgotten() {
    serve();
    TestPods pod = TestPods.pod("a").at(1);

    feed.store(pod.view());
    calls("create a");
    feed.store(pod.at(2).withLabels(Map.of("color", "red")).view());
    calls("create a", "update a");
    feed.forget(pod.ref());
    calls("create a", "update a", "kill a");
  }

  @Test
  void nothingIsDoneBeforeTheNodeIsServedAndItsListIsThere() {
    Promise<List<PodView>> list = Promise.promise();
    listing = list::future;
    feed.store(TestPods.pod("a").view());
    assertThat(get(feed.load("default", "a"))).isPresent();
    assertThat(provider.calls()).isEmpty();

    acquire(0);
    assertThat(get(feed.load("default", "a"))).isPresent();
    assertThat(provider.calls()).isEmpty();
    list.complete(List.of(TestPods.pod("a").view(), TestPods.pod("b").view()));

    eventually(
        () -> assertThat(provider.calls()).containsExactlyInAnyOrder("create a", "create b"));
  }

  /** virtual-kubelet 2.3-manager: pods by name. */
  @Test
  @Tag("2.3-manager")
  void whatIsStoredCanBeLoaded() {
    PodView pod = TestPods.pod("a").view();
    feed.store(pod);

    assertThat(get(feed.load("default", "a"))).contains(pod);
    assertThat(get(feed.load("default", "b"))).isEmpty();
    assertThat(get(feed.load("other", "a"))).isEmpty();
    feed.forget(pod.ref());
    assertThat(get(feed.load("default", "a"))).isEmpty();
  }

  @Test
  void anOlderStateAndAPodOfAnotherNodeChangeNothing() {
    TestPods pod = TestPods.pod("a");
    feed.store(pod.at(5).withLabels(Map.of("color", "red")).view());
    feed.store(pod.at(4).view());

    assertThat(get(feed.load("default", "a")))
        .hasValueSatisfying(known -> assertThat(known.resourceVersion()).isEqualTo(5));
    feed.forget(new PodRef("default", "b", "uid-unknown"));
    feed.enqueue(new PodRef("default", "b", "uid-unknown"));
    assertThat(get(feed.load("default", "b"))).isEmpty();
  }

  /** virtual-kubelet §1.6: an enqueue during back-off brings the retry to now. */
  @Test
  void aRetryThatWaitsIsMadeAtOnceWhenThePodIsEnqueued() {
    serve();
    PodView pod = TestPods.pod("a").view();
    provider.answer("create a", () -> Future.failedFuture("busy"));
    feed.store(pod);
    calls("create a");
    provider.answer("create a", Future::succeededFuture);

    feed.enqueue(pod.ref());

    calls("create a", "create a");
  }

  @Test
  void anEnqueuedPodThatIsAsItShouldBeIsLeftAlone() {
    serve();
    PodView pod = TestPods.pod("a").view();
    feed.store(pod);
    calls("create a");

    feed.enqueue(pod.ref());
    feed.store(TestPods.pod("b").view());

    calls("create a", "create b");
  }

  /** virtual-kubelet's DeletePodsFromKubernetesEnqueue and DeletePodsFromKubernetesForget. */
  @Test
  void deletionsAreEnqueuedAndForgottenByHand() {
    List<PodDeletion> deletions = cluster.hear(POD_DELETION.shard(0));
    serve();
    PodView pod = TestPods.pod("a").view();
    feed.store(pod);
    feed.enqueueDeletion(pod.ref());
    feed.forgetDeletion(pod.ref());
    feed.enqueueDeletion(new PodRef("default", "b", "uid-unknown"));

    eventually(
        () ->
            assertThat(deletions)
                .containsExactly(
                    new PodDeletion(pod.ref(), true), new PodDeletion(pod.ref(), false)));
  }

  @Test
  void aNewTermBeginsWithAFreshList() {
    listing = () -> Future.succeededFuture(List.of(TestPods.pod("a").view()));
    serve();
    calls("create a");
    cluster.publish(LEASE_LOST, new LeaseLost(NODE, "test"));
    eventually(() -> assertThat(provider.calls()).contains("release " + NODE));
    listing = () -> Future.succeededFuture(List.of(TestPods.pod("b").view()));

    acquire(1);

    eventually(() -> assertThat(provider.calls()).contains("create b", "kill a"));
    assertThat(provider.calls("create a")).hasSize(1);
    // heard on a context of its own, maybe after what the provider was told
    eventually(() -> assertThat(synced).extracting(PodsSynced::term).containsExactly(0, 1));
  }

  @Test
  void whatHappensWhileAListIsOnTheWayIsNewerThanTheList() {
    Promise<List<PodView>> list = Promise.promise();
    listing = list::future;
    acquire(0);
    TestPods young = TestPods.pod("young");
    TestPods gone = TestPods.pod("gone");
    feed.store(young.view());
    feed.store(gone.view());
    feed.forget(gone.ref());
    assertThat(get(feed.load("default", "young"))).isPresent();

    list.complete(List.of(gone.view()));

    calls("create young");
    assertThat(get(feed.load("default", "gone"))).isEmpty();
  }

  @Test
  void aListThatFailsOrIsNullIsAskedForAgain() {
    List<Supplier<Future<List<PodView>>>> answers =
        new CopyOnWriteArrayList<>(
            List.of(
                () -> Future.failedFuture("down"),
                () -> {
                  throw new IllegalStateException("broken");
                },
                Future::succeededFuture));
    listing =
        () ->
            answers.isEmpty()
                ? Future.succeededFuture(List.of(TestPods.pod("a").view()))
                : answers.remove(0).get();

    acquire(0);

    calls("create a");
  }

  @Test
  void aPodIsReadFromTheServersJson() {
    cluster.createPod("a", NODE);

    PodView pod = PodFeed.decode(Buffer.buffer(cluster.pod("a").toString()));

    assertThat(pod.name()).isEqualTo("a");
    assertThat(pod.status().phase()).isEqualTo(PodPhase.PENDING);
    assertThatThrownBy(() -> PodFeed.decode(Buffer.buffer("[]")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a pod: ");
  }
}
