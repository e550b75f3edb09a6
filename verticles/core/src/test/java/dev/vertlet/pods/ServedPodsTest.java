package dev.vertlet.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.Shards;
import dev.vertlet.kube.watch.ReflectorListener.Tombstone;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.WantedNodes;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ServedPodsTest {
  @AutoClose private static final Vertx VERTX = Vertx.vertx();
  private static final Bus BUS = Bus.install(VERTX);

  private final List<String> told = new ArrayList<>();
  private final WantedNodes wanted = new WantedNodes();
  private final ServedPods pods = new ServedPods(wanted, new Told(), this::relist);
  private Promise<Void> relist = Promise.promise();

  private final class Told extends PodMessages {
    Told() {
      super(BUS, new Shards(1), pod -> true);
    }

    @Override
    void upserted(PodView pod) {
      told.add("pod " + pod.name());
    }

    @Override
    void gone(PodView pod, boolean elsewhere) {
      told.add((elsewhere ? "elsewhere " : "gone ") + pod.name());
    }

    @Override
    void synced(Set<String> nodes, int term) {
      told.add("synced " + nodes + " in " + term);
    }
  }

  private Future<Void> relist() {
    relist = Promise.promise();
    return relist.future();
  }

  /** Brought by the watch, if it is decoded at all. */
  private void brought(String name, String node) {
    if (wanted.test(node)) {
      seen(name, node);
    }
  }

  private void seen(String name, String node) {
    PodRef pod = new PodRef("default", name, "uid-" + name);
    pods.upserted(Pods.pod().ref(pod).node(node).build());
  }

  private static Tombstone tombstone(String name) {
    return new Tombstone("default", name, "uid-" + name);
  }

  @Test
  void podsAreToldOfNodesThatAreServedWhetherTheyCameBeforeOrAfter() {
    seen("early", "a");
    seen("foreign", "b");
    pods.synced();
    pods.acquired("a", 0);
    seen("late", "a");
    pods.deleted(tombstone("early"));
    pods.deleted(tombstone("foreign"));

    assertThat(told).containsExactly("pod early", "synced [a] in 0", "pod late", "gone early");
    assertThat(pods.size()).isEqualTo(1);
  }

  @Test
  void aNodeThatIsServedBeforeTheListIsReadWaitsForIt() {
    pods.acquired("a", 0);
    seen("p", "a");
    assertThat(told).containsExactly("pod p");

    pods.synced();
    assertThat(told).endsWith("synced [a] in 0");
  }

  @Test
  void whatIsServedNoLongerIsElsewhereAndMayComeBack() {
    pods.synced();
    pods.acquired("a", 0);
    seen("p", "a");
    pods.lost("a");
    pods.lost("a");
    told.clear();
    seen("p", "a");
    assertThat(told).isEmpty();

    pods.acquired("a", 0);
    assertThat(told).containsExactly("pod p", "synced [a] in 0");
  }

  @Test
  void whomSomebodyElseMayHaveServedWaitsForANewList() {
    pods.synced();
    pods.acquired("a", 2);
    assertThat(told).isEmpty();

    relist.complete();
    assertThat(told).containsExactly("synced [a] in 2");
  }

  @Test
  void aListThatCameTooLateSaysNothing() {
    pods.synced();
    pods.acquired("a", 2);
    Promise<Void> first = relist;
    pods.lost("a");
    pods.acquired("a", 3);
    first.complete();
    assertThat(told).isEmpty();

    relist.complete();
    assertThat(told).containsExactly("synced [a] in 3");
  }

  @Test
  void podsOfNodesThatNobodyWantsArePassedOverAndListedWhenSomebodyDoes() {
    pods.synced();
    brought("p", "a");
    assertThat(pods.size()).isZero();

    pods.acquired("a", 0);
    brought("q", "a");
    assertThat(told).as("not one pod without the other").isEmpty();
    brought("p", "a");
    relist.complete();
    assertThat(told)
        .containsExactlyInAnyOrder("pod p", "pod q", "synced [a] in 0")
        .endsWith("synced [a] in 0");

    pods.lost("a");
    told.clear();
    brought("q", "a");
    pods.acquired("a", 1);
    relist.complete();
    assertThat(told).endsWith("synced [a] in 1").contains("pod p", "pod q");
  }

  @Test
  void podsOfNodesThatAreExpectedAreKept() {
    pods.synced();
    pods.expected("a");
    brought("p", "a");
    pods.acquired("a", 0);
    assertThat(told).containsExactly("pod p", "synced [a] in 0");

    pods.released("a");
    assertThat(wanted.test("a")).as("while it is served").isTrue();
    pods.lost("a");
    assertThat(wanted.test("a")).isFalse();
  }

  @Test
  void aNodeThatIsExpectedTooLateIsListed() {
    pods.synced();
    brought("p", "a");
    pods.expected("a");
    pods.acquired("a", 0);
    assertThat(told).isEmpty();
    brought("p", "a");
    relist.complete();
    assertThat(told).containsExactly("pod p", "synced [a] in 0");
  }

  @Test
  void aNodeThatIsLostBeforeItsListIsReadIsListedNextTime() {
    pods.synced();
    pods.expected("b");
    brought("p", "a");
    pods.acquired("a", 0);
    Promise<Void> first = relist;
    pods.lost("a");
    assertThat(wanted.test("a")).isFalse();
    pods.acquired("a", 1);
    first.complete();
    assertThat(told).isEmpty();
    brought("p", "a");
    relist.complete();
    assertThat(told).containsExactly("pod p", "synced [a] in 1");
  }
}
