package dev.vertlet.provider.pod;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** vertlet's services for a provider. All methods may be called from any thread and never block. */
public interface ProviderContext {
  Vertx vertx();

  Clock clock();

  RandomGenerator random();

  /**
   * Reports a pod's new status. Reports of one pod are processed in order; only the newest is kept.
   * Reports made before the first list of the node's pods wait for that list; reports made after
   * {@link PodProvider#release} are dropped.
   */
  void report(PodReport report);

  /**
   * Reports a pod in the back end that this provider was not asked to run. vertlet ends it with
   * {@link PodProvider#kill} unless it should run or another agent serves its node. May be repeated
   * while the pod exists.
   */
  default void unclaimed(PodReport pod) {}

  /** Writes a Kubernetes Event, best effort. */
  void event(ObjectEvent event);

  /**
   * Reads the whole pod as JSON, for providers that need more than the view keeps: from the API
   * server, or from the pod's manifest if the API server does not hold it.
   *
   * @return fails with a {@code KubeException}
   */
  Future<Buffer> fullPod(PodRef pod);

  /**
   * Requests a token of a pod's service account from the API server. Needs a permission of its own.
   *
   * @return fails with a {@code KubeException}, or as NOT_FOUND without the account
   */
  default Future<ServiceAccountToken> requestToken(TokenRequest request) {
    return ProviderException.unsupported(
        "Unsupported", "cannot use TokenManager when kubelet is in standalone mode");
  }

  /**
   * Reads the object of one of this shard's nodes from the API server.
   *
   * @return fails with a {@code KubeException}
   */
  Future<NodeView> node(String name);

  /**
   * Asks the API server to delete a pod that the back end must get rid of: a host is drained, a
   * budget is used up. The provider gets the deletion like any other.
   *
   * @param grace whole seconds; zero removes the object immediately
   * @return completes when the API server has accepted the deletion, also when the pod was gone;
   *     fails with a {@code KubeException}
   */
  default Future<Void> askForDeletion(PodRef pod, Duration grace) {
    return Future.failedFuture(
        new ProviderException(
            ProviderException.Kind.UNSUPPORTED, "Unsupported", "there is no API server to ask"));
  }
}
