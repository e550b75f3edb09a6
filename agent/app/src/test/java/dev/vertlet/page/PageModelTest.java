package dev.vertlet.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.NodePodCounts;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import dev.vertlet.model.PodRef;
import dev.vertlet.page.NodeLine.State;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageModelTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final long NANOS = 5_000_000_000_000L;

  private final PageModel model = new PageModel(List.of("b", "a", "c"), "me");

  private void serve(String node) {
    model.on(new NodeRegistered(node, "uid"));
    model.on(new LeaseAcquired(node, 0), NOW);
    model.on(new NodeStatusChanged(node, true, ""));
  }

  private NodeLine node(String name) {
    return Objects.requireNonNull(model.node(name));
  }

  private static PodTimeline start(String name, long tookMillis) {
    return new PodTimeline(
        new PodRef("default", name, "uid-" + name),
        "a",
        false,
        NANOS - tookMillis * 1_000_000,
        List.of(new PodTimeline.Mark(PodTimeline.Step.WRITTEN, tookMillis * 1_000_000)));
  }

  private void tell(
      int shard, List<NodePodCounts> nodes, List<PodTimeline> over, List<PodTimeline> underWay) {
    model.on(
        new PodStats(shard, nodes, over, underWay, over.size(), 2, underWay.size(), 0, 1),
        NOW,
        NANOS);
  }

  private static NodeQuery query(Map<String, String> parameters) {
    return NodeQuery.of(name -> parameters.get(name));
  }

  private List<String> names(Map<String, String> parameters) {
    return model.rows(query(parameters)).nodes().stream().map(NodeLine::name).toList();
  }

  @Test
  void aNodeIsWhatItsMessagesAmountTo() {
    assertThat(node("a").state()).isEqualTo(State.WAITING);
    assertThat(node("a").reason()).isEqualTo("its object is not registered yet");
    model.on(new NodeRegistered("a", "uid"));
    assertThat(node("a").reason()).isEqualTo("lease: not acquired yet");
    model.on(new LeaseLost("a", "held by you"), NOW);
    assertThat(node("a").state()).isEqualTo(State.WAITING);
    assertThat(node("a").reason()).isEqualTo("lease: held by you");

    serve("a");
    assertThat(node("a").state()).isEqualTo(State.READY);
    assertThat(node("a").reason()).isEmpty();
    model.on(new NodeStatusChanged("a", false, ""));
    assertThat(node("a").state()).isEqualTo(State.UNWELL);
    assertThat(node("a").reason()).isEqualTo("its condition Ready is not True");
    model.on(new NodeStatusChanged("a", false, "the back end cannot be reached"));
    assertThat(node("a").reason()).isEqualTo("the back end cannot be reached");
    model.on(new NodePinged("a", false, "the provider hangs"));
    assertThat(node("a").reason()).isEqualTo("the provider hangs");
    model.on(new NodePinged("a", true, ""));
    model.on(new NodeStatusChanged("a", true, ""));
    model.on(new LeaseLost("a", "no renewal for 30s"), NOW + 1_000);
    assertThat(node("a").state()).isEqualTo(State.LOST);
    assertThat(node("a").reason()).isEqualTo("no renewal for 30s");
    assertThat(model.lost(5)).extracting(NodeLine::name).containsExactly("a");
    assertThat(model.states())
        .isEqualTo(
            Map.of(
                State.LOST,
                1,
                State.UNWELL,
                0,
                State.WAITING,
                2,
                State.READY,
                0,
                State.ELSEWHERE,
                0));
  }

  @Test
  void aNodeThatAnotherAgentServesIsNoTrouble() {
    model.on(new NodesAssigned(Map.of("a", "you", "b", "me")));

    assertThat(node("a").state()).isEqualTo(State.ELSEWHERE);
    assertThat(node("a").reason()).isEqualTo("agent you");
    assertThat(node("b").state()).isEqualTo(State.WAITING);
    assertThat(node("c").reason()).isEqualTo("no agent has it");
    assertThat(names(Map.of("which", "problems"))).containsExactly("b");
  }

  @Test
  void podsAreThoseOfTheNewestCountOfEachNode() {
    tell(0, List.of(new NodePodCounts("a", 1, 2, 3, 4, 5, 6, 7)), List.of(), List.of());
    tell(1, List.of(new NodePodCounts("b", 1, 0, 0, 0, 0, 0, 0)), List.of(), List.of());
    tell(1, List.of(), List.of(), List.of());

    assertThat(model.pods()).isEqualTo(new NodePodCounts("", 2, 2, 3, 4, 5, 6, 7));
    assertThat(model.pods().total()).isEqualTo(16);
    assertThat(model.writes()).isEqualTo(2);
    assertThat(model.gone().last(NOW / 1_000 + 1, 1)).containsExactly(6);
    tell(1, List.of(new NodePodCounts("b", 0, 0, 0, 0, 0, 0, 0)), List.of(), List.of());
    assertThat(model.pods().total()).isEqualTo(15);
  }

  @Test
  void theSlowestOfLateAreKeptAndTheirTimesMeasured() {
    tell(
        0,
        List.of(),
        IntStream.rangeClosed(1, 1_000).mapToObj(i -> start("p" + i, i)).toList(),
        List.of(start("stuck", 60_000), start("new", 100)));

    assertThat(model.starts().ever().count()).isEqualTo(1_000);
    assertThat(model.starts().minute(NOW / 1_000).percentile(50)).isBetween(500_000L, 516_000L);
    assertThat(model.started().last(NOW / 1_000 + 1, 1)).containsExactly(1_000);
    List<SlowPod> slow = model.slow(false, NOW);
    assertThat(slow).hasSize(SlowPods.MOST);
    assertThat(slow.get(0).way().pod().name()).isEqualTo("stuck");
    assertThat(slow.get(0).seen()).isEqualTo(NOW - 60_000);
    assertThat(slow.get(1).way().pod().name()).isEqualTo("p1000");
    assertThat(slow.get(1).ended()).isEqualTo(NOW);
    assertThat(model.slow(true, NOW)).isEmpty();

    tell(0, List.of(), List.of(), List.of());
    assertThat(model.slow(false, NOW + SlowPods.KEPT_MILLIS + 1)).isEmpty();
  }

  @Test
  void whatANodeWasConfiguredByIsKeptForSomeChanges() {
    for (int i = 0; i < 15; i++) {
      model.on(new NodeConfigStatusChanged("a", "ns/c, version " + i, "", "", ""), NOW + i);
    }
    model.on(new NodeConfigStatusChanged("b", "ns/c, version 1", "", "", "failed to load"), NOW);

    assertThat(node("a").configs()).hasSize(NodeLine.HISTORY);
    assertThat(node("a").configs().get(0).config().assigned()).isEqualTo("ns/c, version 14");
    assertThat(model.configured()).isEqualTo(2);
    assertThat(model.configErrors()).isEqualTo(1);
    assertThat(names(Map.of("which", "configured"))).containsExactly("a", "b");
    assertThat(names(Map.of("sort", "config", "order", "desc"))).containsExactly("b", "a", "c");
  }

  @Test
  void rowsComeByPageInTheOrderAskedFor() {
    PageModel many =
        new PageModel(IntStream.range(0, 1_000).mapToObj("node-%03d"::formatted).toList(), "me");
    List<NodePodCounts> counts =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new NodePodCounts("node-%03d".formatted(i), i, 0, 0, 0, 0, 0, 0))
            .toList();
    many.on(new PodStats(0, counts, List.of(), List.of(), 0, 0, 0, 0, 0), NOW, NANOS);

    PageModel.Rows last =
        many.rows(query(Map.of("sort", "pods", "order", "desc", "page", "99999")));
    assertThat(last.page()).isEqualTo(39);
    assertThat(last.nodes().get(24).name()).isEqualTo("node-000");
    assertThat(many.rows(query(Map.of("sort", "pods", "order", "desc"))).nodes().get(0).name())
        .isEqualTo("node-999");
    PageModel.Rows found = many.rows(query(Map.of("q", " NODE-99 ")));
    assertThat(found.matches()).isEqualTo(10);
    assertThat(many.rows(query(Map.of("q", "nobody"))).nodes()).isEmpty();
  }

  @Test
  void namesAreCountedAsPeopleDo() {
    List<String> names =
        Stream.of("node-10", "node-2", "a9z", "a10", "node-02", "node", "a9", "b", "node-2-b")
            .sorted(NaturalOrder.INSTANCE)
            .toList();

    assertThat(names)
        .containsExactly(
            "a9", "a9z", "a10", "b", "node", "node-02", "node-2", "node-2-b", "node-10");
  }

  @Test
  void whatCannotBeAskedForIsNotRefused() {
    NodeQuery query =
        query(Map.of("q", "x".repeat(5_000), "which", "<b>", "sort", "NAME", "page", "-7"));

    assertThat(query)
        .isEqualTo(
            new NodeQuery("x".repeat(253), NodeQuery.ALL.which(), NodeQuery.ALL.sort(), false, 0));
    assertThat(query(Map.of("page", "1e9")).page()).isZero();
    assertThat(NodeQuery.of(name -> none())).isEqualTo(NodeQuery.ALL);
  }

  private static @Nullable String none() {
    return null;
  }
}
