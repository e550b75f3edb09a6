package dev.vertlet.kubelet.pod;

import dev.vertlet.provider.failure.ProviderCall;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Measures what a {@code KubeletCore} does, for metrics. Called on the core's loop; an instance
 * shared by several cores is called on all their loops.
 */
public interface CoreMeters {
  /** For a core without metrics. */
  CoreMeters NONE = new CoreMeters() {};

  /**
   * Calls the runtime and measures the call.
   *
   * @return result of the call, failed if the call throws; see {@link ProviderCall#ask}
   */
  default <T> Future<T> measure(RuntimeOperation operation, Supplier<Future<T>> call) {
    return ProviderCall.ask(call);
  }

  /**
   * Adds to the numbers of sandboxes and containers; a negative number subtracts.
   *
   * @param sandboxes pods with a sandbox
   * @param running containers whose newest instance runs, in pods with a sandbox
   * @param exited containers whose newest instance has ended, in pods with a sandbox
   */
  default void changed(int sandboxes, int running, int exited) {}

  /**
   * Counts an admitted pod.
   *
   * @param since time since the core first saw the pod
   */
  default void letIn(Duration since) {}

  /**
   * Counts a pod that began to run.
   *
   * @param since time since the core first saw the pod
   */
  default void started(Duration since) {}

  /**
   * Counts a request for another amount of a resource.
   *
   * @param resource {@code cpu} or {@code memory}
   * @param requirement {@code requests} or {@code limits}
   * @param operation {@code add}, {@code remove}, {@code increase} or {@code decrease}
   */
  default void resizeRequested(String resource, String requirement, String operation) {}

  /**
   * Adds to the numbers of resizes; a negative number subtracts.
   *
   * @param deferred resizes that wait for resources
   * @param infeasible resizes that their nodes can never grant
   * @param inProgress resizes that were granted and are not done
   */
  default void resizing(int deferred, int infeasible, int inProgress) {}

  /**
   * Counts a resize that the pod's node can never grant.
   *
   * @param detail why: {@code node_capacity} or {@code runtime_unsupported}
   */
  default void resizeInfeasible(String detail) {}

  /**
   * Counts a deferred resize that was granted.
   *
   * @param trigger cause of the new attempt, as a kubelet names it
   */
  default void deferredResizeAccepted(String trigger) {}

  /**
   * Counts a granted resize that was done or failed.
   *
   * @param took time since the grant, or since the last failure
   */
  default void resized(boolean success, Duration took) {}

  /**
   * Counts the start of a relist.
   *
   * @param sinceLast time since the start of the last relist
   */
  default void relisting(Duration sinceLast) {}

  /**
   * Counts a finished relist, comparison included.
   *
   * @param took time since its start
   */
  default void relisted(Duration took) {}
}
