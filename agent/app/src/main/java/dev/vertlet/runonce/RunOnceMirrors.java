package dev.vertlet.runonce;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates mirror pods for {@code --runonce}, best effort: the pods run without them. */
final class RunOnceMirrors {
  private static final Logger LOG = LoggerFactory.getLogger(RunOnceMirrors.class);

  private static final long PATIENCE_SECONDS = 10;

  private final KubeClient kube;
  private final PodDecoder decoder = new PodDecoder();

  RunOnceMirrors(KubeClient kube) {
    this.kube = kube;
  }

  /**
   * Creates the mirror of a pod whose node exists, with its status. Replaces one of an earlier run.
   *
   * @return completes in any case
   */
  Future<Void> show(StaticPod pod, PodStatusView status) {
    return kube.send(
            KubeRequest.get(Lane.NODE, KubePath.node(pod.view().nodeName())).metadataOnly())
        .compose(
            node ->
                replaceable(pod).compose(v -> create(pod, ObjectMeta.decode(node.body()).uid())))
        .compose(mirror -> write(pod, mirror, status))
        .timeout(PATIENCE_SECONDS, SECONDS)
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("pod", pod.ref().display())
                    .addKeyValue("error", Failures.line(failure))
                    .log("no mirror pod written"))
        .otherwiseEmpty();
  }

  /** Removes an existing mirror; fails if the pod of this name is not a mirror. */
  private Future<Void> replaceable(StaticPod pod) {
    KubePath path = KubePath.pod(pod.view().namespace(), pod.view().name());
    return kube.send(KubeRequest.get(Lane.REST, path))
        .compose(
            answer -> {
              PodView there = decoder.decode(answer.body());
              return there.mirrorOf() == null
                  ? Future.<Void>failedFuture("there is a pod of this name that is no mirror")
                  : kube.send(KubeRequest.deleteNow(Lane.REST, path, there.uid())).<Void>mapEmpty();
            })
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private Future<ObjectMeta> create(StaticPod pod, String nodeUid) {
    KubePath path = KubePath.pods(pod.view().namespace());
    return kube.send(KubeRequest.create(Lane.REST, path, pod.mirror(nodeUid)).metadataOnly())
        .map(answer -> ObjectMeta.decode(answer.body()));
  }

  private Future<Void> write(StaticPod pod, ObjectMeta mirror, PodStatusView status) {
    PodRef ref = new PodRef(pod.view().namespace(), pod.view().name(), mirror.uid());
    return kube.send(
            KubeRequest.patch(
                    Lane.POD_STATUS,
                    KubePath.podStatus(ref.namespace(), ref.name()),
                    MediaType.STRATEGIC_MERGE_PATCH,
                    StatusPatch.encode(ref, PodStatusView.EMPTY, status))
                .metadataOnly())
        .mapEmpty();
  }
}
