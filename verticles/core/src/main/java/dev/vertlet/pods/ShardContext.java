package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.provider.pod.ServiceAccountToken;
import dev.vertlet.provider.pod.TokenRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Provider's context of one shard. Reports, from whatever thread, are moved to the shard's loop.
 *
 * @param reported receives each report on the loop: immediately, also during a call of the
 *     provider, if the provider reports there
 * @param unclaimed receives unclaimed pods in a turn of the loop of its own, since it calls the
 *     provider, which may be in a call
 * @param manifests static pods as JSON, null for other pods; called on the loop
 */
record ShardContext(
    Vertx vertx,
    CoreLoop loop,
    Env env,
    KubeClient kube,
    Bus bus,
    Consumer<PodReport> reported,
    Consumer<PodReport> unclaimed,
    Function<PodRef, @Nullable Buffer> manifests)
    implements ProviderContext {
  @Override
  public Clock clock() {
    return env.clock();
  }

  @Override
  public RandomGenerator random() {
    return env.random();
  }

  @Override
  public void report(PodReport report) {
    Objects.requireNonNull(report, "report");
    loop.run(() -> reported.accept(report));
  }

  @Override
  public void unclaimed(PodReport pod) {
    Objects.requireNonNull(pod, "pod");
    loop.later(() -> unclaimed.accept(pod));
  }

  @Override
  public void event(ObjectEvent event) {
    bus.send(OBJECT_EVENT, Objects.requireNonNull(event, "event"));
  }

  @Override
  public Future<Buffer> fullPod(PodRef pod) {
    Context caller = vertx.getOrCreateContext();
    Promise<Buffer> answer = Promise.promise();
    loop.run(
        () -> {
          Buffer manifest = manifests.apply(pod);
          Future<Buffer> whole = manifest == null ? read(pod) : Future.succeededFuture(manifest);
          whole.onComplete(
              read -> caller.runOnContext(w -> answer.complete(read.result(), read.cause())));
        });
    return answer.future();
  }

  @Override
  public Future<ServiceAccountToken> requestToken(TokenRequest request) {
    PodRef pod = request.pod();
    KubePath path = KubePath.serviceAccountToken(pod.namespace(), request.serviceAccount());
    return kube.send(KubeRequest.create(Lane.REST, path, TokenRequestJson.body(request)))
        .map(answer -> TokenRequestJson.token(answer.body()))
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.failedFuture(TokenRequestJson.notFound(request))
                    : Future.failedFuture(failure));
  }

  private Future<Buffer> read(PodRef pod) {
    return kube.send(KubeRequest.get(Lane.REST, KubePath.pod(pod.namespace(), pod.name())))
        .map(KubeResponse::body);
  }

  @Override
  public Future<NodeView> node(String name) {
    return kube.send(KubeRequest.get(Lane.NODE, KubePath.node(name)))
        .map(KubeResponse::body)
        .map(NodeDecoder::decode);
  }

  @Override
  public Future<Void> askForDeletion(PodRef pod, Duration grace) {
    KubePath path = KubePath.pod(pod.namespace(), pod.name());
    long seconds = Math.max(0, grace.toSeconds());
    return kube.send(KubeRequest.delete(Lane.REST, path, pod.uid(), seconds))
        .<Void>mapEmpty()
        .recover(ShardContext::goneIsFine);
  }

  /** Succeeds if the pod is gone or its name belongs to another pod, as virtual-kubelet does. */
  private static Future<Void> goneIsFine(Throwable failure) {
    boolean gone =
        failure instanceof KubeException e
            && (e.kind() == KubeException.Kind.NOT_FOUND
                || e.kind() == KubeException.Kind.CONFLICT);
    return gone ? Future.succeededFuture() : Future.failedFuture(failure);
  }
}
