package dev.vertlet.harness.load;

import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Actions of a load on its pods. Each is recorded before its request is sent, because the watch may
 * be faster than the response. Confined to the load's event loop.
 */
final class Actions {
  private final LoadPlan plan;
  private final Population population;
  private final Requests requests;
  private final PodStartups startups;
  private final LongSupplier nanos;

  /** Counters that number pods, Deployments and updates over all phases. */
  private int pods;

  private int deployments;
  private int updates;

  private final NodeConfigs configs = new NodeConfigs();

  /**
   * @param nanos monotonic clock of all latencies
   */
  Actions(
      LoadPlan plan,
      Population population,
      Requests requests,
      PodStartups startups,
      LongSupplier nanos) {
    this.startups = startups;
    this.plan = plan;
    this.population = population;
    this.requests = requests;
    this.nanos = nanos;
  }

  Future<?> create(long latencyFrom) {
    int number = pods++;
    population.create(plan.namespaceOf(number), plan.pod(number), latencyFrom);
    startups.created(plan.pod(number), nanos.getAsLong());
    return requests.createPod(number);
  }

  /** Fails with {@link dev.vertlet.cli.FailedException} when the cluster has no Deployments. */
  Future<?> requireDeployments(String phase) {
    return requests.requireDeployments(phase);
  }

  Future<?> deploy(int replicas, long latencyFrom) {
    int number = deployments++;
    population.deploy(plan.namespaceOf(number), plan.deployment(number), replicas, latencyFrom);
    return requests.createDeployment(number, replicas);
  }

  Future<?> undeploy(TrackedDeployment deployment, long latencyFrom) {
    population.undeploy(deployment, latencyFrom);
    return requests.deleteDeployment(deployment);
  }

  /** Deletes a pod; does nothing when it is gone or being deleted. */
  Future<?> delete(TrackedPod pod, long latencyFrom) {
    return population.delete(pod, latencyFrom) ? requests.deletePod(pod) : Future.succeededFuture();
  }

  /**
   * Rolls out kubelet configuration fields to all nodes.
   *
   * @return names of the nodes that still have to be assigned the config: all of them the first
   *     time, none later
   */
  Future<List<String>> rollout(JsonObject kubelet, long latencyFrom) {
    boolean first = configs.isEmpty();
    return requests
        .config(kubelet, first)
        .map(
            version -> {
              population.meter().roll(plan.nodes(), latencyFrom);
              for (int there = configs.expect(version); there > 0; there--) {
                population.meter().rolled(nanos.getAsLong());
              }
              return first ? plan.nodeNames() : List.of();
            });
  }

  Future<?> assign(String node) {
    return requests.assignConfig(node);
  }

  /** Records the config that a node runs; returns whether it is newly the expected one. */
  boolean shows(NodeView node) {
    boolean arrived = configs.observe(node);
    if (arrived) {
      population.meter().rolled(nanos.getAsLong());
    }
    return arrived;
  }

  Future<?> update(TrackedPod pod, long latencyFrom) {
    return requests
        .updatePod(pod, updates++)
        .onSuccess(
            updated -> {
              if (updated) {
                population.meter().updated(latencyFrom, nanos.getAsLong());
              }
            });
  }
}
