package dev.vertlet.adopt;

import static dev.vertlet.bus.Addresses.NODES_LISTED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.NodeObserved;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodesListed;
import dev.vertlet.bus.Shards;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.testing.FakeCluster;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AdoptVerticleTest {
  private final Book book = new Book();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<NodeAdopted> adopted = cluster.hear(NODE_ADOPTED);
  private final List<NodeReleased> released = cluster.hear(NODE_RELEASED);
  private final List<NodeObserved> observed = cluster.hear(NODE_OBSERVED.shard(0));
  private final List<NodeConfigured> configured = cluster.hear(NODE_CONFIGURED.shard(0));
  private final List<NodesListed> listed = cluster.hear(NODES_LISTED);

  /** Nodes with their capacity of processors. */
  private static final class Book implements AdoptTarget {
    private final Map<String, String> nodes = new ConcurrentHashMap<>();

    private static String text(int selector, NodeView node) {
      return selector + ":" + node.status().capacity().getOrDefault("cpu", "");
    }

    @Override
    public boolean selfManaged(int selector) {
      return selector == 1;
    }

    @Override
    public void adopted(int selector, NodeView node) {
      nodes.put(node.name(), text(selector, node));
    }

    @Override
    public boolean changed(int selector, NodeView node) {
      String text = text(selector, node);
      return !text.equals(nodes.put(node.name(), text));
    }

    @Override
    public void released(String node) {
      nodes.remove(node);
    }
  }

  private void deploy(String... selectors) {
    cluster.deploy(
        new AdoptVerticle(
            List.of(selectors),
            Set.of("own"),
            book,
            new Shards(1),
            cluster.kube(),
            cluster.bus(),
            new Random(1)));
    eventually(() -> assertThat(listed).isNotEmpty());
  }

  private void create(String name, String labels) {
    String node =
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": %s}}
        """;
    cluster.create("nodes", node.formatted(name, labels));
  }

  private void patch(String node, String patch) {
    cluster.patch("nodes", "", node, patch);
  }

  @Test
  @Tag("K01")
  void adoptsThoseThatAreThereAndThoseThatCome() {
    create("a", "{\"type\": \"kwok\"}");
    create("real", "{}");
    create("own", "{\"type\": \"kwok\"}");
    deploy("type=kwok");
    eventually(() -> assertThat(book.nodes).isEqualTo(Map.of("a", "0:")));

    create("b", "{\"type\": \"kwok\"}");
    eventually(() -> assertThat(book.nodes).containsOnlyKeys("a", "b"));
    eventually(
        () -> assertThat(adopted).containsExactly(new NodeAdopted("a"), new NodeAdopted("b")));
    eventually(
        () -> assertThat(observed).extracting(m -> m.node().name()).containsExactly("a", "b"));
    eventually(() -> assertThat(listed).hasSize(1));
  }

  @Test
  void writesNothing() {
    create("a", "{\"type\": \"kwok\"}");
    deploy("type=kwok");
    eventually(() -> assertThat(adopted).hasSize(1));
    cluster.delete("nodes", "", "a");
    eventually(() -> assertThat(released).hasSize(1));
    cluster.settle();

    assertThat(cluster.writes("nodes")).isZero();
    assertThat(cluster.exists("nodes", "", "a")).isFalse();
  }

  @Test
  void releasesWhatIsDeletedAndAdoptsWhatFollowsUnderItsName() {
    create("a", "{\"type\": \"kwok\"}");
    deploy("type=kwok");
    cluster.delete("nodes", "", "a");
    eventually(() -> assertThat(released).containsExactly(new NodeReleased("a")));
    assertThat(book.nodes).isEmpty();

    create("a", "{\"type\": \"kwok\"}");
    eventually(() -> assertThat(adopted).hasSize(2));
  }

  @Test
  void releasesWhatIsSelectedNoLonger() {
    create("a", "{\"type\": \"kwok\"}");
    deploy("type=kwok");
    patch("a", "{\"metadata\": {\"labels\": {\"type\": null}}}");
    eventually(() -> assertThat(released).containsExactly(new NodeReleased("a")));

    patch("a", "{\"metadata\": {\"labels\": {\"type\": \"kwok\"}}}");
    eventually(() -> assertThat(adopted).hasSize(2));
  }

  @Test
  void tellsWhatMakesANodeAnotherOneAndNoHeartbeats() {
    create("a", "{\"type\": \"kwok\"}");
    deploy("type=kwok");
    cluster.patchStatus("nodes", "", "a", "{\"status\": {\"phase\": \"Running\"}}");
    eventually(() -> assertThat(observed).hasSize(2));
    assertThat(configured).isEmpty();

    cluster.patchStatus("nodes", "", "a", "{\"status\": {\"capacity\": {\"cpu\": \"4\"}}}");
    eventually(() -> assertThat(configured).containsExactly(new NodeConfigured("a")));
  }

  @Test
  void aDeletionAndACreationThatNoWatchSawAreBothTold() {
    create("a", "{\"type\": \"kwok\"}");
    deploy("type=kwok");
    eventually(() -> assertThat(adopted).hasSize(1));

    get(cluster.server().suspend());
    cluster.delete("nodes", "", "a");
    create("a", "{\"type\": \"kwok\"}");
    get(cluster.server().expireWatchWindow());
    get(cluster.server().resume());

    eventually(() -> assertThat(adopted).hasSize(2));
    eventually(() -> assertThat(released).containsExactly(new NodeReleased("a")));
  }

  @Test
  void theFirstSelectorHasWhatSeveralSelect() {
    create("a", "{\"type\": \"kwok\", \"big\": \"yes\"}");
    deploy("big in (yes, very)", "type=kwok");
    eventually(() -> assertThat(book.nodes).isEqualTo(Map.of("a", "0:")));

    patch("a", "{\"metadata\": {\"labels\": {\"big\": \"no\"}}}");
    eventually(() -> assertThat(book.nodes).isEqualTo(Map.of("a", "1:")));
    eventually(() -> assertThat(released).hasSize(1));
  }
}
