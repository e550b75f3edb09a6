package dev.vertlet.provider.container;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Back end that runs single containers. The kubelet core owns restarts, back-off, phases, order and
 * termination; a runtime performs calls and reports what happens.
 */
public interface ContainerRuntime extends RuntimeImages {
  /**
   * Starts the runtime; called once, before any other method. A failure keeps the agent from
   * starting.
   *
   * @param listener receives every change, including those that a call caused; may be called from
   *     any thread
   */
  Future<Void> start(RuntimeListener listener);

  /** Creates the pod's sandbox with its addresses. Idempotent per pod and attempt. */
  Future<SandboxRecord> runSandbox(PodView pod, int attempt);

  /**
   * Creates the pod's sandbox as {@link #runSandbox(PodView, int)} does, which is the default.
   * Called instead of that method when {@link #usesEnvironment()} is true.
   *
   * @param config the pod's host name and name servers
   */
  default Future<SandboxRecord> runSandbox(PodView pod, int attempt, SandboxConfig config) {
    return runSandbox(pod, attempt);
  }

  /**
   * What the runtime receives of its pods. For anything but {@link PodInput#VIEW} the methods with
   * {@link SandboxStart} and {@link ContainerStart} are called instead of the others.
   *
   * @return must not change over time
   */
  default PodInput input() {
    return PodInput.VIEW;
  }

  /**
   * Creates the pod's sandbox as {@link #runSandbox(PodView, int)} does, which is the default.
   * Called instead of that method when {@link #input} is not {@link PodInput#VIEW}.
   */
  default Future<SandboxRecord> runSandbox(SandboxStart start) {
    SandboxConfig config = start.config();
    return config == null
        ? runSandbox(start.pod(), start.attempt())
        : runSandbox(start.pod(), start.attempt(), config);
  }

  /**
   * Takes new versions of volumes of a pod that has a sandbox. Called with {@link PodInput#VALUES}
   * only, within 60 s of a change, and once for all volumes after the pod was restored.
   *
   * @param volumes those that have changed; may equal what the runtime has already
   * @return a failure is retried with the newest content
   */
  default Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    return Future.succeededFuture();
  }

  /**
   * Frees the sandbox with all its containers and addresses. Succeeds when the pod has no sandbox.
   */
  Future<Void> removeSandbox(PodRef pod);

  /**
   * Starts one instance of a container. Idempotent per container and attempt; fails when the pod
   * has no sandbox.
   *
   * @param attempt 0 for the first instance, then increased by one for each restart
   * @return the record of the started instance
   */
  Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId);

  /**
   * Whether this runtime's containers can see their environment variables and host name.
   *
   * <p>If true, the runtime receives both. The agent then watches the Services of each namespace in
   * which the runtime has a pod, and the claims of the pods' volumes with the volumes that the
   * claims are bound to. A runtime whose containers cannot look returns false and saves that cost:
   * the agent then reads only the ConfigMaps and Secrets that its containers name, since a missing
   * one keeps a container from starting on any runtime, while a missing Service never does.
   *
   * @return must not change over time
   */
  default boolean usesEnvironment() {
    return false;
  }

  /**
   * Whether the runtime mounts volumes of a kind. A pod with a volume of an unsupported kind stays
   * Pending with the event {@code FailedMount}. The agent checks that ConfigMaps and Secrets in
   * volumes exist before the pod's sandbox is created, whether or not the runtime mounts them.
   *
   * @param volumeKind name of the field of {@code core/v1.Volume} that names the volume's source,
   *     for example {@code persistentVolumeClaim}; never {@code emptyDir} or {@code downwardAPI}
   * @return must not change over time for one kind. By default true for all kinds, but for {@link
   *     PodInput#FILES} only for those that vertlet writes or finds on the node. A runtime that
   *     returns true for others mounts them itself: they are missing in {@link
   *     ContainerStart#mounts}
   */
  default boolean mounts(String volumeKind) {
    return input() != PodInput.FILES || PodInput.WRITTEN.contains(volumeKind);
  }

  /**
   * Starts a container as {@link #startContainer(PodView, ContainerView, int, String)} does, which
   * is the default. Called instead of that method when {@link #usesEnvironment()} is true.
   *
   * @param container with {@code $(X)} expanded in its command and arguments
   * @param environment name to value, complete and in a fixed order: references read, {@code $(X)}
   *     expanded, service variables added. May hold secrets: do not log
   */
  default Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    return startContainer(pod, container, attempt, imageId);
  }

  /**
   * Starts a container as {@link #startContainer(PodView, ContainerView, int, String)} does, which
   * is the default. Called instead of that method when {@link #input} is not {@link PodInput#VIEW}.
   */
  default Future<ContainerRecord> startContainer(ContainerStart start) {
    return usesEnvironment()
        ? startContainer(
            start.view(), start.container(), start.attempt(), start.imageId(), start.environment())
        : startContainer(start.view(), start.container(), start.attempt(), start.imageId());
  }

  /**
   * Features of security contexts and mounts that the runtime supports. Its nodes show them and
   * reject pods that need others.
   *
   * @return must not change over time
   */
  default RuntimeFeatures features() {
    return RuntimeFeatures.NONE;
  }

  /**
   * Asks a container to end, and kills it when {@code grace} is over.
   *
   * @return completes when the container has ended and the listener has been called with its end.
   *     Succeeds when there is no such container
   */
  Future<Void> stopContainer(PodRef pod, String containerId, Duration grace);

  /**
   * Whether the runtime can change CPU and memory of a running container. On a runtime that cannot,
   * a pod is resized only where its containers restart for it; any other resize stays pending as
   * Infeasible.
   *
   * @return must not change over time
   */
  default boolean resizesContainers() {
    return false;
  }

  /**
   * Changes the requests and limits of a running container without a restart. Idempotent. If CPU
   * and memory both change, the method is called once for each, and decreases come before
   * increases. Called only if {@link #resizesContainers()} is true.
   *
   * @param container with its new resources
   * @return completes when the container has the new resources. Fails when it cannot have them now,
   *     for example because it uses more memory than the new limit: the container keeps its old
   *     resources, the pod's condition shows the failure, and the call is repeated 10 to 15 s
   *     later. A call that has not completed within two minutes counts as failed: the newest call
   *     for a container then wins, and the runtime must not apply an earlier one after it
   */
  default Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    return ProviderException.unsupported(
        "ResizeUnsupported", "the runtime does not resize running containers");
  }

  /**
   * Removes an ended instance with everything the runtime keeps of it. Called after each {@link
   * #list}, at most a minute apart, for every ended instance except the newest one of each
   * container, and repeated while the instance is still listed. {@link #removeSandbox} removes the
   * instances of a pod that is over.
   *
   * <p>The default does nothing, for a runtime that keeps no dead containers beyond those that
   * {@link RuntimePod#containers()} requires.
   *
   * @return succeeds when there is no such instance; fails for a running instance, which continues
   *     to run
   */
  default Future<Void> removeContainer(PodRef pod, String containerId) {
    return Future.succeededFuture();
  }

  /**
   * Path of an instance's log file on the agent's machine. If there is one, {@code
   * agent.containerLogsDir} gets a link to it. Called once, after the instance has started; returns
   * immediately.
   *
   * @return absolute path; null, the default, if the log is not in a file
   */
  default @Nullable Path logFile(PodRef pod, String containerId) {
    return null;
  }

  /**
   * Probes a running container once. The kubelet core decides when and how often to probe and how
   * to interpret results, and enforces the probe's timeout.
   *
   * @return fails when the probe could not be performed: the container's state stays unknown.
   *     UNSUPPORTED for a kind of probe that the runtime never performs: liveness and startup then
   *     count as succeeding, readiness as failing
   */
  default Future<ProbeResult> probe(ProbeRequest request) {
    return ProviderException.unsupported("ProbeUnsupported", "the runtime makes no probes");
  }

  /**
   * Runs a lifecycle hook in a running container. The kubelet core performs sleep hooks itself.
   *
   * @return completes when the hook is done; fails when it failed or the runtime does not run hooks
   */
  default Future<Void> runHook(HookRequest request) {
    return ProviderException.unsupported("HookUnsupported", "the runtime runs no hooks");
  }

  /**
   * Logs, commands, terminals and ports of the runtime's containers. The kubelet core asks only for
   * instances that the runtime has reported, with their ids and their {@linkplain
   * dev.vertlet.provider.stream.ContainerTarget#facts known facts}. Logs may also be requested for
   * containers whose sandbox was removed: a runtime that has them no longer fails with NOT_FOUND.
   *
   * @return must not change over time
   */
  default PodStreams streams() {
    return PodStreams.NONE;
  }

  /**
   * Current usage of the node and its pods. Called every 10 s, so that the kubelet core can evict a
   * pod before the node runs out of a resource. Calls for one node never overlap.
   *
   * @return fails as UNSUPPORTED for a runtime that measures nothing: it is not called again
   */
  default Future<NodeUsage> usage(String node) {
    return ProviderException.unsupported("UsageUnsupported", "the runtime measures nothing");
  }

  /**
   * Current usage as {@link #usage} returns it, plus everything that users and autoscalers read:
   * CPU times, start times, and containers that use nothing. Called on request only, so it may cost
   * more; {@link #usage} may then omit what evictions do not use.
   *
   * @return fails as UNSUPPORTED for a runtime that measures nothing
   */
  default Future<NodeUsage> stats(String node) {
    return usage(node);
  }

  /**
   * Completes the node's configuration as {@link dev.vertlet.provider.node.NodeProvider#configure}
   * does, for example with properties of its machine. Called again after {@link
   * RuntimeListener#nodeChanged}.
   */
  default NodeSpec configure(NodeSpec spec) {
    return spec;
  }

  /**
   * Further conditions of a node, beside those of resource pressure. Asked again after {@link
   * RuntimeListener#nodeChanged}; returns immediately, from known state.
   *
   * @return a condition that is left out later stays on the node: return it as False instead. A
   *     condition Ready that is not True makes this node alone NotReady, with its message, or its
   *     reason if it has none; {@link #status} is about all nodes
   */
  default List<NodeConditionView> conditions(String node) {
    return List.of();
  }

  /** Lists every pod the runtime has, to repair missed events. */
  Future<List<RuntimePod>> list();

  /**
   * Returns one pod's state. A runtime that does not persist its state rebuilds it from the status
   * in the API server. Called once for each pod after a restart of the agent, before any other call
   * for that pod.
   */
  Future<Optional<RuntimePod>> restore(PodView pod);

  /**
   * Reports a pod that was already over when its node began to be served, and whose object still
   * exists. Called before anything is started on the node, so that a runtime that allocates
   * addresses can keep used ones out of circulation. The default does nothing.
   */
  default void ended(PodView pod) {}

  /**
   * Offers the runtime to drop the state of an idle pod. The kubelet core calls this when no call
   * is in progress for the pod, none is due, and the API server shows its latest status.
   *
   * <p>A runtime may drop the pod's state and return true if it can rebuild that state at any time
   * from {@code pod} alone, if no passage of time changes anything about the pod, and if it reports
   * every event of the pod. The resting pod is missing from {@link #list}; otherwise nothing
   * changes: it keeps its addresses, its usage is measured, and any other call for it wakes it.
   * Called again for a resting pod when its object has a newer version.
   *
   * @return whether the pod rests; false if {@code pod} differs from the runtime's state, because
   *     an event was missed, and for a runtime that gains nothing
   */
  default boolean rest(PodView pod) {
    return false;
  }

  /**
   * Returns the state of a pod that the core had let {@link #rest} and now needs again.
   *
   * @param pod the version passed to {@link #rest}
   * @return what the runtime had of the pod then, even if it has lost it since and is about to
   *     report so
   */
  default RuntimePod wake(PodView pod) {
    throw new IllegalStateException("no pod of this runtime rests");
  }

  /** Forgets the node's pods without ending them: another agent may serve the node from now on. */
  default Future<Void> release(String node) {
    return Future.succeededFuture();
  }

  /**
   * Whether the runtime can run containers. The message of a failure appears in the node's Ready
   * condition.
   */
  Future<Void> status();

  /**
   * Whether pods can get a network. Called with {@link #status}, every 5 s. While it fails the
   * nodes are NotReady, and pods outside the host network are not started: they get a {@code
   * NetworkNotReady} event. Running pods continue.
   *
   * @return fails with what is missing; the reason of a {@link ProviderException} is shown with it.
   *     While there is no answer the previous one counts
   */
  default Future<Void> networkStatus() {
    return Future.succeededFuture();
  }

  default Future<Void> stop() {
    return Future.succeededFuture();
  }

  /** Receives events of the runtime. */
  interface RuntimeListener {
    /** A container started, ended, or changed its health. */
    void containerChanged(PodRef pod, ContainerRecord container);

    /** The sandbox died with all its containers. */
    void sandboxLost(PodRef pod);

    /** {@link #configure} or {@link #conditions} returns a different result for this node. */
    default void nodeChanged(String node) {}

    /**
     * The node itself ran out of memory and killed a process that belongs to no container: produces
     * a {@code SystemOOM} event on the node. {@link #containerChanged} reports a container's end.
     *
     * @param process name of the killed process, empty if unknown
     * @param pid of the killed process, 0 if unknown
     */
    default void systemOutOfMemory(String node, String process, int pid) {}
  }
}
