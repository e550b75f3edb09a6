package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.fault.FaultScript;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.PodObserved;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.bus.Shards;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.pods.PodWatchOptions.Mode;
import dev.vertlet.testing.FakeCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PodWatchVerticleTest {
  private static final List<String> NODES = List.of("one", "two", "three");
  private static final int MAX_EVENT = 64 << 10;

  private final Shards shards = new Shards(2);
  private final List<List<PodObserved>> observed = new ArrayList<>();
  private final List<List<PodGone>> gone = new ArrayList<>();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<PodsSynced> synced = cluster.hear(PODS_SYNCED);

  @BeforeEach
  void start() {
    for (int shard = 0; shard < shards.count(); shard++) {
      observed.add(cluster.hear(POD_OBSERVED.shard(shard)));
      gone.add(cluster.hear(POD_GONE.shard(shard)));
    }
  }

  /** virtual-kubelet 2.3-filter. */
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SHARED", "PER_NODE"})
  @Tag("2.3-filter")
  void eachPodOfAnOwnNodeGoesToTheShardOfItsNode(Mode mode) {
    for (String node : NODES) {
      cluster.createPod("on-" + node, node);
    }
    cluster.createPod("on-foreign", "foreign");
    watch(mode);
    for (String node : NODES) {
      eventually(() -> assertThat(names(node)).contains("on-" + node));
      assertThat(names(node)).doesNotContain("on-foreign");
    }
    assertThat(observed.get(0).size() + observed.get(1).size()).isEqualTo(NODES.size());
  }

  @Test
  @Tag("2.3-filter")
  @Tag("PodEventFilter")
  void aFilterIsAskedAboutEveryStateOfEveryPodOfAnOwnNode() {
    List<String> asked = new CopyOnWriteArrayList<>();
    Predicate<PodView> filter =
        pod -> {
          asked.add(pod.name() + " " + pod.labels().getOrDefault("to", "nobody"));
          return !"others".equals(pod.labels().get("to"));
        };
    cluster.createPod("on-foreign", "foreign");
    watch(Mode.SHARED, filter);
    cluster.createPod("a", "one");
    eventually(() -> assertThat(names("one")).containsExactly("a"));
    cluster.label("a", "to", "others");
    eventually(() -> assertThat(gone.get(shards.of("one"))).hasSize(1));
    cluster.label("a", "to", "us");
    eventually(() -> assertThat(names("one")).containsExactly("a", "a"));
    cluster.delete("pods", "default", "a");
    eventually(() -> assertThat(names("one")).hasSize(3));
    assertThat(asked).containsExactly("a nobody", "a others", "a us", "a us");
  }

  @Test
  void aFilterThatFailsAcceptsThePod() {
    watch(
        Mode.SHARED,
        pod -> {
          throw new IllegalStateException("broken");
        });
    cluster.createPod("a", "one");
    eventually(() -> assertThat(names("one")).containsExactly("a"));
  }

  @Test
  @Tag("2.4-15")
  void oneSharedWatchServesAllNodes() {
    watch(Mode.SHARED);
    eventually(() -> assertThat(synced).containsExactly(new PodsSynced(Set.copyOf(NODES), 0)));
    assertThat(get(cluster.server().openWatches())).isEqualTo(1);
  }

  @Test
  void aWatchPerNodeAsksForNothingElse() {
    watch(Mode.PER_NODE);
    eventually(() -> assertThat(synced).hasSize(3));
    assertThat(synced)
        .containsExactlyInAnyOrderElementsOf(
            NODES.stream().map(node -> new PodsSynced(Set.of(node), 0)).toList());
    assertThat(get(cluster.server().openWatches())).isEqualTo(3);
    assertThat(cluster.server().requests())
        .allMatch(request -> request.parameter("fieldSelector").startsWith("spec.nodeName="));
  }

  @Test
  @Tag("2.4-1")
  @Tag("C64")
  void aRelistFindsMissedDeletionsAndRepeatsNothing() {
    cluster.createPod("a", "one");
    cluster.createPod("b", "one");
    watch(Mode.SHARED);
    eventually(() -> assertThat(names("one")).containsExactlyInAnyOrder("a", "b"));
    String uid = cluster.pod("a").at("/metadata/uid").asText();
    cluster.faults().on("watch", "pods").once().swallowEvent();
    cluster.deleteNow("pods", "default", "a");
    get(cluster.server().expireWatchWindow());
    get(cluster.server().cutWatches());
    for (List<PodGone> shard : gone) {
      eventually(() -> assertThat(shard).extracting(m -> m.pod().uid()).containsExactly(uid));
    }
    assertThat(names("one")).containsExactlyInAnyOrder("a", "b");
    assertThat(synced).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void aWatchThatBreaksGoesOnWithoutRepeating(Trouble trouble) {
    watch(Mode.SHARED);
    eventually(() -> assertThat(synced).hasSize(1));
    trouble.script.accept(cluster.faults().on("watch", "pods").once());
    cluster.createPod("a", "one");
    eventually(() -> assertThat(names("one")).contains("a"));
    cluster.createPod("b", "one");
    eventually(() -> assertThat(names("one")).contains("b"));
    assertThat(names("one")).containsExactly("a", "b");
  }

  enum Trouble {
    CUT_IN_AN_EVENT(FaultScript::cutMidEvent),
    NOT_JSON(FaultScript::malformedEvent),
    TOO_BIG(script -> script.oversizedEvent(2 * MAX_EVENT)),
    EXPIRED(FaultScript::expireEvent);

    final Consumer<FaultScript> script;

    Trouble(Consumer<FaultScript> script) {
      this.script = script;
    }
  }

  @Test
  void whereAgentsDivideTheNodesOneIsWatchedWhileItIsServed() {
    cluster.createPod("a", "one");
    cluster.createPod("b", "two");
    watch(Mode.AUTO, true, pod -> true);
    cluster.settle();
    assertThat(get(cluster.server().openWatches())).isZero();

    acquire("one", 3);
    eventually(() -> assertThat(synced).containsExactly(new PodsSynced(Set.of("one"), 3)));
    assertThat(names("one")).containsExactly("a");
    assertThat(names("two")).isEmpty();
    assertThat(get(cluster.server().openWatches())).isEqualTo(1);

    cluster.publish(LEASE_LOST, new LeaseLost("one", "handed over"));
    List<PodGone> taken = gone.get(shards.of("one"));
    eventually(() -> assertThat(taken).extracting(m -> m.pod().name()).containsExactly("a"));
    assertThat(taken).as("it runs on, elsewhere").allMatch(PodGone::elsewhere);
    eventually(() -> assertThat(get(cluster.server().openWatches())).isZero());

    acquire("one", 4);
    eventually(() -> assertThat(synced).contains(new PodsSynced(Set.of("one"), 4)));
    assertThat(names("one")).as("whoever forgot it hears of it anew").containsExactly("a", "a");
  }

  /** What is taken back must not follow upon what is told anew. */
  @Test
  void aNodeThatComesBackAtOnceKeepsItsPods() {
    cluster.createPod("a", "one");
    watch(Mode.AUTO, true, pod -> true);
    List<String> order = new CopyOnWriteArrayList<>();
    int shard = shards.of("one");
    cluster.bus().consume(POD_OBSERVED.shard(shard), m -> order.add("here"));
    cluster.bus().consume(POD_GONE.shard(shard), m -> order.add("gone"));
    for (int term = 0; term < 20; term++) {
      int current = term;
      acquire("one", current);
      eventually(() -> assertThat(synced).contains(new PodsSynced(Set.of("one"), current)));
      cluster.publish(LEASE_LOST, new LeaseLost("one", "handed over"));
    }
    acquire("one", 20);
    eventually(() -> assertThat(synced).contains(new PodsSynced(Set.of("one"), 20)));
    assertThat(order).hasSize(41).endsWith("gone", "here");
    assertThat(get(cluster.server().openWatches())).isEqualTo(1);
  }

  /** A watch for all brings what others serve as well: no more of it is read than where it is. */
  @Test
  void aSharedWatchOfAgentsThatDivideTheNodesTellsOfThoseThatAreServed() {
    cluster.createPod("a", "one");
    cluster.createPod("b", "two");
    watch(Mode.SHARED, true, pod -> true);
    eventually(() -> assertThat(get(cluster.server().openWatches())).isEqualTo(1));
    cluster.settle();
    assertThat(names("one")).isEmpty();

    acquire("one", 0);
    eventually(() -> assertThat(synced).containsExactly(new PodsSynced(Set.of("one"), 0)));
    cluster.createPod("c", "one");
    eventually(() -> assertThat(names("one")).containsExactly("a", "c"));
    assertThat(names("two")).isEmpty();

    cluster.publish(LEASE_LOST, new LeaseLost("one", "handed over"));
    List<PodGone> taken = gone.get(shards.of("one"));
    eventually(
        () ->
            assertThat(taken).extracting(m -> m.pod().name()).containsExactlyInAnyOrder("a", "c"));
    assertThat(taken).as("they run on, elsewhere").allMatch(PodGone::elsewhere);
    cluster.label("a", "by", "another");
    cluster.settle();

    acquire("one", 1);
    eventually(() -> assertThat(synced).contains(new PodsSynced(Set.of("one"), 1)));
    List<PodObserved> last = observed.get(shards.of("one"));
    assertThat(last.stream().filter(m -> m.pod().name().equals("a")).toList())
        .last()
        .satisfies(m -> assertThat(m.pod().labels()).containsEntry("by", "another"));
  }

  private void acquire(String node, int term) {
    cluster.publish(LEASE_ACQUIRED, new LeaseAcquired(node, term));
  }

  @Test
  void undeployingEndsTheWatches() {
    String deployment = watch(Mode.PER_NODE);
    eventually(() -> assertThat(synced).hasSize(3));
    cluster.undeploy(deployment);
    eventually(() -> assertThat(get(cluster.server().openWatches())).isZero());
  }

  private String watch(Mode mode) {
    return watch(mode, pod -> true);
  }

  private String watch(Mode mode, Predicate<PodView> filter) {
    return watch(mode, false, filter);
  }

  private String watch(Mode mode, boolean divided, Predicate<PodView> filter) {
    return cluster.deploy(
        new PodWatchVerticle(
            new PodWatchOptions(mode, 500, MAX_EVENT, divided),
            NODES,
            shards,
            cluster.kube(),
            cluster.bus(),
            new Random(1),
            filter));
  }

  private List<String> names(String node) {
    return observed.get(shards.of(node)).stream()
        .map(PodObserved::pod)
        .filter(pod -> pod.nodeName().equals(node))
        .map(pod -> pod.name())
        .toList();
  }
}
