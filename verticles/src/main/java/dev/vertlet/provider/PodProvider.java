package dev.vertlet.provider;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A back end that owns whole pods: virtual-kubelet's contract.
 *
 * <p>vertlet never calls two of create, update and delete for one pod at the same time, may repeat
 * any of them, and lets a call that hangs hold up no other pod. A failed Future is retried with
 * back-off for as long as the pod exists, unless it carries a {@link ProviderException} or {@link
 * #retries} says otherwise. A Future may be completed on any thread. Views handed over are
 * immutable and may be kept.
 */
public interface PodProvider {
  /**
   * Called once before anything else. A failure keeps the agent from starting.
   *
   * @param context where statuses and events go; valid until {@link #stop}
   */
  Future<Void> start(ProviderContext context);

  /**
   * Runs a pod the provider does not know, or takes over one that survived a restart of the agent.
   * Completes when the pod was accepted, not when it runs; progress is reported.
   */
  Future<Void> create(PodView pod);

  /** The pod's definition, labels or annotations changed. */
  Future<Void> update(PodView pod);

  /**
   * The API server holds the pod like this, with what was reported last, and nothing is wanted of
   * it. Told again and again, also of pods that the provider does not know; of those that are over
   * when their node begins to be served, before anything is asked for the node. A provider may let
   * go of what it can read from this state; one that does not care does nothing. Returns at once.
   */
  default void settled(PodView pod) {}

  /**
   * Ends a pod. Completes when the request was accepted; the end is reported with {@link
   * PodReport#finished}. May be repeated with a shorter grace. A pod the provider does not know:
   * fails with NOT_FOUND, or is reported as finished.
   *
   * @param grace time containers have to end by themselves, at least one second
   */
  Future<Void> delete(PodView pod, Duration grace);

  /**
   * Ends a pod that the API server holds no longer: at most one second of grace, and nothing is
   * reported. Succeeds when the provider does not know it.
   */
  Future<Void> kill(PodRef pod);

  /** The latest report of one pod, empty when the provider does not know it. */
  Future<Optional<PodReport>> get(PodRef pod);

  /** One report for each pod the provider knows. */
  Future<List<PodReport>> list();

  /**
   * Another agent may serve this node from now on: forget its pods without ending them.
   *
   * @return completes when nothing more will be reported for the node
   */
  default Future<Void> release(String node) {
    return Future.succeededFuture();
  }

  /**
   * The agent stops and is told to take its pods along ({@code agent.drainOnShutdown}): ends all
   * pods on all nodes as a kubelet does whose machine goes down. What is reported meanwhile is
   * still written. The kubelet core does it; a provider that does not keeps its pods.
   *
   * @param limit the most time a pod has to end
   * @return completes when all have ended; not waited for beyond the limit
   */
  default Future<Void> drain(Duration limit) {
    return Future.succeededFuture();
  }

  /**
   * Whether the provider writes the events of its pods itself. For one that does not, vertlet
   * writes virtual-kubelet's events about create, update and delete, and a pod that cannot be
   * created shows reason {@code ProviderFailed}.
   */
  default boolean writesEvents() {
    return false;
  }

  /**
   * Whether the provider {@linkplain ProviderContext#report reports} by itself. One that does not
   * is asked for its {@link #list} every 5 s, virtual-kubelet's polling: what the list says is
   * reported, a pod that is missing from it becomes Failed with reason NotFound, and a pod is taken
   * for ended as soon as its {@link #delete} has succeeded.
   */
  default boolean reports() {
    return true;
  }

  /**
   * Whether the provider tells of each pod that its back end holds and nobody asked for by {@link
   * ProviderContext#unclaimed}, however late it turns up. One that does not is asked for its {@link
   * #list} every 10 s.
   *
   * @return always the same
   */
  default boolean tellsUnclaimed() {
    return false;
  }

  /**
   * Whether pods are handed over with their environment made, as virtual-kubelet does: references
   * read, {@code $(X)} expanded in variables, commands and arguments, variables of services added,
   * so that each container has values only. A pod that needs something which is not there is not
   * handed over; events such as {@code MandatoryConfigMapNotFound} say so, and it is tried again.
   * That goes for {@code status.podIP}, too, unless the pod's status has an address or it is on the
   * host's network. An update has what the create had, and only new containers get a new
   * environment. One that says no gets pods as they are, and nothing is read for it.
   *
   * @return always the same
   */
  default boolean usesEnvironment() {
    return false;
  }

  /** What is done after a create or update that failed as TEMPORARY. */
  default RetryPolicy retries() {
    return RetryPolicy.ENDLESS;
  }

  /** What the provider says of the nodes it backs. */
  default NodeProvider nodes() {
    return NodeProvider.ALWAYS_HEALTHY;
  }

  /**
   * Logs, commands, terminals and ports of its pods. Targets carry no container id.
   *
   * @return always the same
   */
  default PodStreams streams() {
    return PodStreams.NONE;
  }

  /**
   * What a node and its pods use now, for people and autoscalers: behind {@code /stats/summary},
   * {@code /metrics/resource} and {@code /metrics/cadvisor}. Asked whenever one of these is, which
   * metrics-server does every 15 s or so. All running containers are to be among the answer.
   *
   * @return fails as UNSUPPORTED for a provider that measures nothing; users see 501
   */
  default Future<NodeUsage> usage(String node) {
    return ProviderException.unsupported("UsageUnsupported", "the provider measures nothing");
  }

  /**
   * What came of the probes of the node's pods so far, behind {@code /metrics/probes}: one for each
   * probe that was answered. Empty for a provider that makes none.
   */
  default Future<List<ProbeStats>> probes(String node) {
    return Future.succeededFuture(List.of());
  }

  /** Leaves pods running and frees what the provider itself holds. */
  default Future<Void> stop() {
    return Future.succeededFuture();
  }
}
