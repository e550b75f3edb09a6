package dev.vertlet.trace.tool;

import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeChanged;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadChanged;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a trace of a larger cluster: replicas, parallelism and completions are multiplied, and
 * nodes, bare pods and lives of pods get copies that do the same at the same times.
 *
 * <p>With a factor that is not whole, copies go to the first of every few nodes and pods, so that
 * their number is right after each of them.
 */
final class TraceScale {
  private static final String HOST_NAME = "kubernetes.io/hostname";

  private final double factor;
  private final Consumer<TraceEvent> out;
  private final Copies nodes = new Copies();
  private final Copies pods = new Copies();

  /** How many there are in all of each object, itself included. */
  private final class Copies {
    private final Map<String, Integer> counts = new HashMap<>();
    private long seen;

    int of(String key) {
      return counts.computeIfAbsent(
          key,
          absent -> {
            seen++;
            return (int)
                (Math.floor(seen * factor + 1e-9) - Math.floor((seen - 1) * factor + 1e-9));
          });
    }
  }

  /**
   * @param factor 1 to 100
   * @param out receives the events in order
   */
  TraceScale(double factor, Consumer<TraceEvent> out) {
    this.factor = factor;
    this.out = out;
  }

  void add(TraceEvent event) {
    if (event instanceof NodeAdded added) {
      forEach(nodes.of(added.node().name()), k -> new NodeAdded(event.at(), node(added.node(), k)));
    } else if (event instanceof NodeChanged changed) {
      forEach(
          nodes.of(changed.node().name()),
          k -> new NodeChanged(event.at(), node(changed.node(), k)));
    } else if (event instanceof NodeLeft left) {
      forEach(nodes.of(left.name()), k -> new NodeLeft(event.at(), name(left.name(), k)));
    } else if (event instanceof WorkloadAdded added) {
      forEach(
          copies(added.workload()),
          k -> {
            WorkloadRef ref = ref(added.workload(), k);
            return new WorkloadAdded(event.at(), ref, object(added.object(), ref));
          });
    } else if (event instanceof WorkloadChanged changed) {
      forEach(
          copies(changed.workload()),
          k -> {
            WorkloadRef ref = ref(changed.workload(), k);
            return new WorkloadChanged(event.at(), ref, object(changed.object(), ref));
          });
    } else if (event instanceof WorkloadScaled scaled) {
      out.accept(
          new WorkloadScaled(
              event.at(), scaled.workload(), Replicas.scaled(scaled.replicas(), factor)));
    } else if (event instanceof WorkloadDeleted deleted) {
      forEach(
          copies(deleted.workload()),
          k -> new WorkloadDeleted(event.at(), ref(deleted.workload(), k)));
    } else if (event instanceof PodLived lived) {
      forEach(pods.of(podKey(lived.life())), k -> new PodLived(event.at(), life(lived.life(), k)));
    } else {
      out.accept(event);
    }
  }

  private interface Copy {
    TraceEvent make(int k);
  }

  private void forEach(int count, Copy copy) {
    for (int k = 0; k < count; k++) {
      out.accept(copy.make(k));
    }
  }

  /** A bare pod as a workload and its life have one number of copies. */
  private int copies(WorkloadRef ref) {
    return ref.isBarePod() ? pods.of(ref.toString()) : 1;
  }

  private static String podKey(PodLife life) {
    WorkloadRef owner = life.identity().owner();
    return owner.isBarePod() ? owner.toString() : life.identity().id();
  }

  private static String name(String name, int k) {
    return k == 0 ? name : name + "-x" + k;
  }

  private static WorkloadRef ref(WorkloadRef ref, int k) {
    return k == 0
        ? ref
        : new WorkloadRef(ref.apiVersion(), ref.kind(), ref.namespace(), name(ref.name(), k));
  }

  private JsonObject object(JsonObject object, WorkloadRef ref) {
    if (!ref.isBarePod()) {
      return Replicas.scaled(object, factor);
    }
    JsonObject copy = object.copy();
    copy.getJsonObject("metadata", new JsonObject()).put("name", ref.name());
    return copy;
  }

  private static RecordedNode node(RecordedNode node, int k) {
    if (k == 0) {
      return node;
    }
    Map<String, String> labels = new HashMap<>(node.labels());
    labels.computeIfPresent(HOST_NAME, (key, value) -> name(value, k));
    return new RecordedNode(
        name(node.name(), k),
        labels,
        node.taints(),
        node.capacity(),
        node.allocatable(),
        node.unschedulable());
  }

  private PodLife life(PodLife life, int k) {
    if (k == 0) {
      return life;
    }
    PodIdentity of = life.identity();
    PodIdentity identity =
        new PodIdentity(
            of.id() + "-x" + k,
            of.namespace(),
            name(of.name(), k),
            of.owner().isBarePod() ? ref(of.owner(), k) : of.owner(),
            of.template(),
            null);
    return LifeEdit.as(life, identity, node(life.node(), k));
  }

  /** The k-th copy is on the k-th copy of the node, if there is one. */
  private @Nullable String node(@Nullable String node, int k) {
    return node == null ? null : name(node, k % Math.max(1, nodes.of(node)));
  }
}
