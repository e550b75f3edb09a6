package dev.vertlet.harness.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Every Ready that a watch told of one node. The watch's thread writes, the test's reads. */
final class NodeReadiness implements AutoCloseable {
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Watch watch;

  private NodeReadiness(KubernetesClient client, String node) {
    this.watch = client.nodes().withName(node).watch(new Listener());
  }

  static NodeReadiness watch(KubernetesClient client, String node) {
    return new NodeReadiness(client, node);
  }

  /** The condition's statuses, in order, and why the watch ended if it did. */
  List<String> told() {
    return told;
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
          .forEach(condition -> told.add(condition.getStatus()));
    }

    @Override
    public void onClose(WatcherException cause) {
      told.add("the watch ended: " + cause.getMessage());
    }
  }
}
