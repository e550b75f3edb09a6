package dev.vertlet.provider;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RuntimeFeatures;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A back end that runs single containers. Restart, back-off, phases, order and termination are the
 * kubelet core's business; a runtime does what it is told and says what happened.
 */
public interface ContainerRuntime {
  /**
   * Called once before anything else. A failure keeps the agent from starting.
   *
   * @param listener told of every change, also of those that a call caused; may be called from any
   *     thread
   */
  Future<Void> start(RuntimeListener listener);

  /** Makes the pod's sandbox with its addresses. Idempotent per pod and attempt. */
  Future<SandboxRecord> runSandbox(PodView pod, int attempt);

  /**
   * As {@link #runSandbox(PodView, int)}, which this does where it is not overridden. Called
   * instead of that one when {@link #usesEnvironment()}.
   *
   * @param config the pod's name and its name servers
   */
  default Future<SandboxRecord> runSandbox(PodView pod, int attempt, SandboxConfig config) {
    return runSandbox(pod, attempt);
  }

  /** Frees the sandbox with all its containers and addresses. Succeeds when there is none. */
  Future<Void> removeSandbox(PodRef pod);

  /** The image's identity when the node has it, else empty. */
  Future<Optional<String>> imageId(String node, String image);

  /**
   * Fetches an image.
   *
   * @return its identity
   */
  Future<String> pull(PodView pod, ContainerView container);

  /**
   * What an image that was pulled takes of the node's disk, for the event that tells of the pull.
   * The container is started once this is answered.
   *
   * @param imageId as {@link #pull} answered it
   * @return bytes; 0 where nobody knows, as in a failure, and the event says nothing of it
   */
  default Future<Long> imageSize(String node, String imageId) {
    return Future.succeededFuture(0L);
  }

  /**
   * All images that the node has. Asked every 5 min, 10 s after a pull, and when the node runs out
   * of disk, so that the node's status shows them and the kubelet core can remove what nothing
   * uses.
   *
   * @return fails as UNSUPPORTED for a runtime that takes care of its images itself: it is not
   *     asked again
   */
  default Future<List<ImageRecord>> images(String node) {
    return ProviderException.unsupported("ImagesUnsupported", "the runtime lists no images");
  }

  /** Removes an image that {@link #images} told of. Succeeds when the node does not have it. */
  default Future<Void> removeImage(String node, String imageId) {
    return ProviderException.unsupported("ImagesUnsupported", "the runtime removes no images");
  }

  /**
   * Starts one instance of a container. Idempotent per container and attempt; fails when the pod
   * has no sandbox.
   *
   * @param attempt 0 for the first instance, then one more for each restart
   * @return the record of the started instance
   */
  Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId);

  /**
   * Whether containers of this runtime see their environment, and what their host is called. A
   * runtime that says yes is called with it, and for its pods the services of their namespaces are
   * followed as long as there is such a pod, and the claims of their volumes with what these are
   * bound to. One that says no, because nothing in its containers could look, costs none of that:
   * for its containers only the ConfigMaps and Secrets that they name are read, since their absence
   * keeps a container from starting whatever runs it, and no service can.
   *
   * @return always the same
   */
  default boolean usesEnvironment() {
    return false;
  }

  /**
   * Whether the runtime mounts volumes of a kind. A pod with one that it does not mount stays
   * Pending with the event {@code FailedMount}. ConfigMaps and Secrets in volumes are looked for
   * before the pod's sandbox is made, whatever the runtime does with them.
   *
   * @param volumeKind name of the field of {@code core/v1.Volume} that says what the volume is made
   *     of, for example {@code persistentVolumeClaim}; never {@code emptyDir} or {@code
   *     downwardAPI}
   * @return always the same for one kind
   */
  default boolean mounts(String volumeKind) {
    return true;
  }

  /**
   * As {@link #startContainer(PodView, ContainerView, int, String)}, which this does where it is
   * not overridden. Called instead of that one when {@link #usesEnvironment()}.
   *
   * @param container with {@code $(X)} expanded in its command and arguments
   * @param environment name to value, complete and in a fixed order: references read, {@code $(X)}
   *     expanded, variables of services added. May hold secrets: not for logs
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
   * What the runtime can do of that which pods ask for in their security contexts and mounts. Its
   * nodes show it, and refuse pods that need what it cannot do.
   *
   * @return always the same
   */
  default RuntimeFeatures features() {
    return RuntimeFeatures.NONE;
  }

  /**
   * Asks a container to end, and makes it end when {@code grace} is over.
   *
   * @return completes when it has ended; its end is told to the listener first. Succeeds when there
   *     is no such container
   */
  Future<Void> stopContainer(PodRef pod, String containerId, Duration grace);

  /**
   * Whether the runtime can give a running container other amounts of CPU and memory. On one that
   * cannot, pods are resized where their containers start anew for it; what would need more than
   * that stays pending as Infeasible.
   *
   * @return always the same
   */
  default boolean resizesContainers() {
    return false;
  }

  /**
   * Gives a running container other requests and limits, while it runs on. Idempotent. Where both
   * CPU and memory change it is called for each, and for what gets less before what gets more.
   * Called only where {@link #resizesContainers()}.
   *
   * @param container with the resources that it is to have from now on
   * @return completes when it has them. Fails, with what the pod's condition then tells, where it
   *     cannot have them now, for example because it uses more memory than it would be left with:
   *     it keeps what it had, and this is asked again 10 to 15 s later. So is one that has not
   *     completed within two minutes, as if it had failed: then the newest call for a container
   *     counts, and the earlier one must not come after it
   */
  default Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    return ProviderException.unsupported(
        "ResizeUnsupported", "the runtime does not resize running containers");
  }

  /**
   * Removes an instance that has ended, with all that the runtime keeps of it. Called with each
   * {@link #list}, at most a minute apart, for the instances that it had beyond the newest ended
   * one of each container; asked again for one that is still listed then. Those of a pod that is
   * over go with {@link #removeSandbox}.
   *
   * <p>What is here does nothing, for a runtime that keeps no dead containers: no more of them than
   * {@link RuntimePod#containers()} has at least.
   *
   * @return succeeds when there is no such instance; fails for one that runs, which goes on
   */
  default Future<Void> removeContainer(PodRef pod, String containerId) {
    return Future.succeededFuture();
  }

  /**
   * Where on the agent's machine the log of an instance is, if it is kept in a file there: then it
   * has a link in {@code agent.containerLogsDir}. Asked once, when the instance was started;
   * answers at once.
   *
   * @return absolute; null, the default, for a log that is in no file
   */
  default @Nullable Path logFile(PodRef pod, String containerId) {
    return null;
  }

  /**
   * Probes a running container once. The kubelet core decides when, how often, what a result means,
   * and stops waiting after the probe's time-out.
   *
   * @return fails when the probe could not be made, which says nothing of the container.
   *     UNSUPPORTED for a kind of probe that the runtime never makes: liveness and start-up then
   *     count as succeeding, readiness as failing
   */
  default Future<ProbeResult> probe(ProbeRequest request) {
    return ProviderException.unsupported("ProbeUnsupported", "the runtime makes no probes");
  }

  /**
   * Runs a hook in a running container. Pauses are the kubelet core's business.
   *
   * @return completes when the hook is done; fails when it failed or the runtime runs none
   */
  default Future<Void> runHook(HookRequest request) {
    return ProviderException.unsupported("HookUnsupported", "the runtime runs no hooks");
  }

  /**
   * Logs, commands, terminals and ports of its containers. The kubelet core asks only for instances
   * that the runtime has told of, with their ids and {@linkplain ContainerTarget#facts what it
   * knows} of them. Logs are also asked for of containers whose sandbox was removed: a runtime that
   * has them no longer fails with NOT_FOUND.
   *
   * @return always the same
   */
  default PodStreams streams() {
    return PodStreams.NONE;
  }

  /**
   * What the node and its pods use now. Asked every 10 s, so that the kubelet core can end a pod
   * before the node runs out of something. Not called for a node again while an answer is due.
   *
   * @return fails as UNSUPPORTED for a runtime that never measures anything: it is not asked again
   */
  default Future<NodeUsage> usage(String node) {
    return ProviderException.unsupported("UsageUnsupported", "the runtime measures nothing");
  }

  /**
   * As {@link #usage}, with all that people and autoscalers want to see: processor times, start
   * times, and the containers that take nothing, too. Asked when somebody looks, so it may cost
   * more; {@link #usage} may then leave out what no eviction goes by.
   *
   * @return fails as UNSUPPORTED for a runtime that never measures anything
   */
  default Future<NodeUsage> stats(String node) {
    return usage(node);
  }

  /**
   * As {@link NodeProvider#configure}: completes what the configuration says of a node, for example
   * by what its machine has. Called again when {@link RuntimeListener#nodeChanged} told of it.
   */
  default NodeSpec configure(NodeSpec spec) {
    return spec;
  }

  /** Everything the runtime has, for the repair of missed events. */
  Future<List<RuntimePod>> list();

  /**
   * What the runtime has of one pod. A runtime without a memory of its own rebuilds it from the
   * status that the API server holds; called once for each pod after a restart of the agent, before
   * any other call for it.
   */
  Future<Optional<RuntimePod>> restore(PodView pod);

  /**
   * A pod of a node that begins to be served was over before, and its object is still there. Called
   * before anything is started on the node, for a runtime that hands out addresses and lets those
   * rest that were used. Does nothing by default.
   */
  default void ended(PodView pod) {}

  /**
   * Nothing is under way for a pod, nothing is about to happen to it as far as the kubelet core
   * knows, and the API server shows all that is known of it. A runtime that can work out the pod
   * anew, of this state alone and at once, for which no time will change anything about the pod
   * either, and which tells of all that happens to it, may let go of the rest of it and say yes. It
   * leaves such a pod out of {@link #list}; all else is as before: its addresses stay its own, it
   * is measured, and any other call about it wakes it. Asked again for a pod that rests, with a
   * newer state of it.
   *
   * @return whether the pod rests; no where the state is not what the runtime has, as an event was
   *     missed, and for a runtime that gains nothing by it
   */
  default boolean rest(PodView pod) {
    return false;
  }

  /**
   * The core remembers a pod again that it let {@link #rest}.
   *
   * @param pod as it was let rest
   * @return what the runtime had of it then, even if it has lost that meanwhile and is about to say
   *     so
   */
  default RuntimePod wake(PodView pod) {
    throw new IllegalStateException("no pod of this runtime rests");
  }

  /** Another agent may serve this node from now on: forget its pods without ending them. */
  default Future<Void> release(String node) {
    return Future.succeededFuture();
  }

  /**
   * Is the runtime able to run containers? A failure's message is shown in the node's Ready
   * condition.
   */
  Future<Void> status();

  /**
   * Can pods be given a network? Asked with {@link #status}, every 5 s. While it fails the nodes
   * are NotReady, and of the pods that are not on the network of their node nothing is started: a
   * {@code NetworkNotReady} event tells them why. What runs goes on.
   *
   * @return fails with what is missing; the reason of a {@link ProviderException} is shown with it.
   *     No answer: as before
   */
  default Future<Void> networkStatus() {
    return Future.succeededFuture();
  }

  default Future<Void> stop() {
    return Future.succeededFuture();
  }

  /** Receives what happens in the runtime. */
  interface RuntimeListener {
    /** A container started, ended, or changed its health. */
    void containerChanged(PodRef pod, ContainerRecord container);

    /** The sandbox died with everything in it. */
    void sandboxLost(PodRef pod);

    /** {@link #configure} answers differently for this node now. */
    default void nodeChanged(String node) {}

    /**
     * The node itself ran out of memory, and something that belongs to no container was killed for
     * it: a {@code SystemOOM} event on the node. The end of a container is told by {@link
     * #containerChanged}.
     *
     * @param process name of the victim, empty where nobody knows
     * @param pid of the victim, 0 where nobody knows
     */
    default void systemOutOfMemory(String node, String process, int pid) {}
  }
}
