package dev.vertlet.provider.pod;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeStats;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Back end that owns whole pods: virtual-kubelet's contract.
 *
 * <p>vertlet never runs two of create, update and delete for one pod at the same time, may repeat
 * any of them, and a hanging call does not delay other pods. vertlet retries a failed Future with
 * back-off for as long as the pod exists, unless the failure is a {@link ProviderException} or
 * {@link #retries} decides otherwise. A Future may be completed on any thread. Views passed to the
 * provider are immutable and may be kept.
 */
public interface PodProvider {
  /**
   * Starts the provider; called once, before any other method. A failure keeps the agent from
   * starting.
   *
   * @param context receives statuses and events; valid until {@link #stop}
   */
  Future<Void> start(ProviderContext context);

  /**
   * Runs a pod that the provider does not know, or resumes one that survived a restart of the
   * agent. Completes when the pod was accepted, not when it runs; the provider reports progress.
   */
  Future<Void> create(PodView pod);

  /** Applies a change of the pod's definition, labels or annotations. */
  Future<Void> update(PodView pod);

  /**
   * What the provider receives of its pods. For anything but {@link PodInput#VIEW} the methods with
   * {@link PodContent} are called instead of {@link #create(PodView)} and {@link #update(PodView)}.
   * {@link PodInput#FILES} is for container runtimes only.
   *
   * @return must not change over time
   */
  default PodInput input() {
    return PodInput.VIEW;
  }

  /**
   * Runs a pod as {@link #create(PodView)} does, which is the default. While the content of a
   * mandatory volume is missing the pod is not passed on: {@code FailedMount} events name what is
   * missing, and vertlet retries. A pod that {@link #get} has, and that has not ended, is passed on
   * all the same, with the names of these volumes in {@link PodContent#missing}.
   */
  default Future<Void> create(PodView pod, PodContent content) {
    return create(pod);
  }

  /**
   * Applies a change as {@link #update(PodView)} does, which is the default. Content may be missing
   * as for {@link #create(PodView, PodContent)}.
   */
  default Future<Void> update(PodView pod, PodContent content) {
    return update(pod);
  }

  /**
   * Takes new versions of volumes of a pod that was created. Called with {@link PodInput#VALUES}
   * only, within 60 s of a change.
   *
   * @param volumes those that have changed
   * @return a failure is retried with the newest content
   */
  default Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    return Future.succeededFuture();
  }

  /**
   * The API server holds this version of the pod, with the status that was reported last, and no
   * call is due for it. Called repeatedly, also for pods that the provider does not know. When a
   * node begins to be served, this method is called for its ended pods before any other call for
   * the node. A provider may drop state that it can read from {@code pod} again; the default does
   * nothing. Returns immediately.
   */
  default void settled(PodView pod) {}

  /**
   * Ends a pod. Completes when the request was accepted; the provider reports the end with {@link
   * PodReport#finished}. May be repeated with a shorter grace. For an unknown pod the provider
   * fails with NOT_FOUND or reports it as finished.
   *
   * @param grace time that containers have to end by themselves, at least one second
   */
  Future<Void> delete(PodView pod, Duration grace);

  /**
   * Ends a pod that the API server no longer holds: at most one second of grace, and no report.
   * Succeeds when the provider does not know the pod.
   */
  Future<Void> kill(PodRef pod);

  /** Returns the latest report of one pod, empty when the provider does not know it. */
  Future<Optional<PodReport>> get(PodRef pod);

  /** Lists one report for each pod that the provider knows. */
  Future<List<PodReport>> list();

  /**
   * Forgets the node's pods without ending them: another agent may serve the node from now on.
   *
   * @return completes when the provider will report nothing more for the node
   */
  default Future<Void> release(String node) {
    return Future.succeededFuture();
  }

  /**
   * Ends all pods on all nodes, as a kubelet does when its machine shuts down. Called when the
   * agent stops with {@code agent.drainOnShutdown}; reports made meanwhile are still written. The
   * kubelet core implements it; the default keeps the pods.
   *
   * @param limit maximum time a pod has to end
   * @return completes when all pods have ended; the agent does not wait beyond the limit
   */
  default Future<Void> drain(Duration limit) {
    return Future.succeededFuture();
  }

  /**
   * Whether the provider writes the events of its pods itself. If not, vertlet writes
   * virtual-kubelet's events about create, update and delete, and a pod that cannot be created
   * shows the reason {@code ProviderFailed}.
   */
  default boolean writesEvents() {
    return false;
  }

  /**
   * Whether the provider {@linkplain ProviderContext#report reports} by itself. If not, vertlet
   * polls {@link #list} every 5 s as virtual-kubelet does: it reports what the list contains, a pod
   * missing from the list becomes Failed with reason NotFound, and a pod counts as ended as soon as
   * its {@link #delete} has succeeded.
   */
  default boolean reports() {
    return true;
  }

  /**
   * Whether the provider reports every pod in its back end that it was not asked to run, however
   * late that pod appears, with {@link ProviderContext#unclaimed}. If not, vertlet polls {@link
   * #list} every 10 s.
   *
   * @return must not change over time
   */
  default boolean tellsUnclaimed() {
    return false;
  }

  /**
   * Whether the provider receives pods with their environment resolved, as virtual-kubelet's do:
   * references read, {@code $(X)} expanded in variables, commands and arguments, service variables
   * added, so that each container has values only.
   *
   * <p>If true, a pod is not passed on while a mandatory reference is missing; events such as
   * {@code MandatoryConfigMapNotFound} name the reference, and vertlet retries. The same holds for
   * {@code status.podIP}, unless the pod's status has an address or the pod is on the host network.
   * An update has the environment of the create; only new containers get a new one. If false, pods
   * are passed on unchanged and nothing is read for them.
   *
   * @return must not change over time
   */
  default boolean usesEnvironment() {
    return false;
  }

  /** Decides about retries after a create or update that failed as TEMPORARY. */
  default RetryPolicy retries() {
    return RetryPolicy.ENDLESS;
  }

  /** Health and properties of the nodes that the provider serves. */
  default NodeProvider nodes() {
    return NodeProvider.ALWAYS_HEALTHY;
  }

  /**
   * Logs, commands, terminals and ports of the provider's pods. Targets carry no container id.
   *
   * @return must not change over time
   */
  default PodStreams streams() {
    return PodStreams.NONE;
  }

  /**
   * Current usage of a node and its pods, for users and autoscalers: served at {@code
   * /stats/summary}, {@code /metrics/resource} and {@code /metrics/cadvisor}. Called for each
   * request to one of these; metrics-server sends one every 15 s or so. The answer should contain
   * all running containers.
   *
   * @return fails as UNSUPPORTED for a provider that measures nothing; clients get 501
   */
  default Future<NodeUsage> usage(String node) {
    return ProviderException.unsupported("UsageUnsupported", "the provider measures nothing");
  }

  /**
   * Results of the probes of the node's pods so far, served at {@code /metrics/probes}: one element
   * for each probe that was answered. Empty for a provider that performs no probes.
   */
  default Future<List<ProbeStats>> probes(String node) {
    return Future.succeededFuture(List.of());
  }

  /** Frees the provider's own resources; pods keep running. */
  default Future<Void> stop() {
    return Future.succeededFuture();
  }
}
