package dev.vertlet.harness.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Statuses of the condition Ready of one node, as a watch receives them. The watch's thread writes,
 * the test's reads.
 */
final class NodeReadiness implements AutoCloseable {
  private final List<String> statuses = new CopyOnWriteArrayList<>();
  private final Watch watch;

  private NodeReadiness(KubernetesClient client, String node) {
    this.watch = client.nodes().withName(node).watch(new Listener());
  }

  static NodeReadiness watch(KubernetesClient client, String node) {
    return new NodeReadiness(client, node);
  }

  /** The condition's statuses, in order, and why the watch ended if it did. */
  List<String> statuses() {
    return statuses;
  }

  @Override
  public void close() {
    watch.close();
  }

  private final class Listener implements Watcher<Node> {
    @Override
    public void eventReceived(Action action, Node node) {
      node.getStatus().getConditions().stream()
          .filter(condition -> condition.getType().equals("Ready"))
          .forEach(condition -> statuses.add(condition.getStatus()));
    }

    @Override
    public void onClose(WatcherException cause) {
      statuses.add("the watch ended: " + cause.getMessage());
    }
  }
}
