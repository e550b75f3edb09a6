package dev.vertlet.provider.node;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** virtual-kubelet §1.3: NaiveNodeProvider and NaiveNodeProviderV2. */
@ExtendWith(VertxExtension.class)
class NodeHealthReportsTest {
  private static final NodeHealth SICK = new NodeHealth(false, "on fire", List.of());

  private static void listen(Context context, NodeHealthReports nodes, Consumer<String> listener) {
    Promise<Void> listening = Promise.promise();
    context.runOnContext(
        v -> {
          nodes.onChange(listener);
          listening.complete();
        });
    get(listening.future());
  }

  @Test
  void theNaiveFormIsAlwaysWell() {
    NodeProvider naive = NodeProvider.ALWAYS_HEALTHY;

    naive.onChange(node -> {});

    assertThat(naive.ping("n").succeeded()).isTrue();
    assertThat(naive.health("n")).isEqualTo(NodeHealth.HEALTHY);
  }

  @Test
  void anUpdateWaitsForTheControllerAndIsForwardedOnItsContext(Vertx vertx) {
    NodeHealthReports nodes = new NodeHealthReports();
    Future<Void> early = nodes.update("a", SICK);
    assertThat(early.isComplete()).isFalse();

    Context context = vertx.getOrCreateContext();
    List<String> heard = new CopyOnWriteArrayList<>();
    listen(
        context,
        nodes,
        node ->
            heard.add(
                node
                    + " "
                    + nodes.health(node).message()
                    + (Vertx.currentContext() == context ? " on its context" : "")));
    get(early);
    get(nodes.update("a", NodeHealth.HEALTHY));

    assertThat(heard).containsExactly("a on fire on its context", "a  on its context");
    assertThat(nodes.health("b")).isEqualTo(NodeHealth.HEALTHY);
    assertThat(nodes.ping("a").succeeded()).isTrue();
  }

  /** virtual-kubelet 2.3-lock-monitor: who watches a value hears of each change and reads it. */
  @Test
  @Tag("2.3-lock-monitor")
  void everyChangeIsToldInTheOrderItWasMade(Vertx vertx) {
    NodeHealthReports nodes = new NodeHealthReports();
    Context context = vertx.getOrCreateContext();
    List<String> heard = new CopyOnWriteArrayList<>();
    listen(context, nodes, node -> heard.add(nodes.health(node).message()));
    List<String> told = IntStream.range(0, 100).mapToObj(Integer::toString).toList();

    List<Future<Void>> updates =
        told.stream()
            .map(message -> nodes.update("a", new NodeHealth(false, message, List.of())))
            .toList();

    updates.forEach(update -> get(update));
    assertThat(heard).isEqualTo(told);
  }

  private static NodeSpec spec(String name, String mark) {
    return new NodeSpec(
        name,
        Map.of("label", mark),
        Map.of("annotation", mark),
        List.of(new TaintView(mark, "", "NoSchedule")),
        Map.of("cpu", mark),
        Map.of("cpu", mark + "m"),
        List.of(new NodeAddressView("InternalIP", mark)),
        Map.of("kubeletVersion", mark),
        mark + ".0.0.0/8");
  }

  /** Status, labels and annotations are taken over, the node's spec is not. */
  @Test
  void whatANodeHasIsTakenOverButForItsSpec(Vertx vertx) {
    NodeHealthReports nodes = new NodeHealthReports();
    NodeSpec configured = spec("a", "1");
    List<NodeSpec> heard = new CopyOnWriteArrayList<>();
    listen(vertx.getOrCreateContext(), nodes, node -> heard.add(nodes.configure(configured)));

    get(nodes.update("a", SICK));
    get(nodes.update(spec("a", "2"), NodeHealth.HEALTHY));
    get(nodes.update("a", SICK));

    NodeSpec told = spec("a", "2");
    NodeSpec both =
        new NodeSpec(
            "a",
            told.labels(),
            told.annotations(),
            configured.taints(),
            told.capacity(),
            told.allocatable(),
            told.addresses(),
            told.nodeInfo(),
            configured.podCidr());
    assertThat(heard).containsExactly(configured, both, both);
    assertThat(nodes.health("a")).isEqualTo(SICK);
    assertThat(nodes.configure(spec("b", "1"))).isEqualTo(spec("b", "1"));
  }

  @Test
  void aListenerOutsideOfAnEventLoopIsRefused() {
    assertThatThrownBy(() -> new NodeHealthReports().onChange(node -> {}))
        .hasMessageContaining("on an event loop");
  }
}
