package dev.vertlet.runonce;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Context of a provider in {@code --runonce}: without an API server, nodes are as configured, and
 * events go to the log. Statuses are polled, not reported.
 *
 * @param nodes by name
 * @param manifests of the pods, by UID
 */
record RunOnceContext(
    Vertx vertx,
    Clock clock,
    RandomGenerator random,
    Map<String, NodeSpec> nodes,
    Map<String, Buffer> manifests)
    implements ProviderContext {
  private static final Logger LOG = LoggerFactory.getLogger(RunOnceContext.class);

  @Override
  public void report(PodReport report) {
    LOG.atDebug()
        .addKeyValue("pod", report.pod().display())
        .addKeyValue("phase", report.status().phase())
        .log("pod reported");
  }

  @Override
  public void event(ObjectEvent event) {
    LOG.atInfo()
        .addKeyValue("pod", event.namespace() + "/" + event.name())
        .addKeyValue("reason", event.reason())
        .log(event.message());
  }

  @Override
  public Future<Buffer> fullPod(PodRef pod) {
    Buffer manifest = manifests.get(pod.uid());
    return manifest == null ? Future.failedFuture(noApiServer()) : Future.succeededFuture(manifest);
  }

  @Override
  public Future<NodeView> node(String name) {
    NodeSpec spec = nodes.get(name);
    return spec == null ? Future.failedFuture(noApiServer()) : Future.succeededFuture(view(spec));
  }

  private static NodeView view(NodeSpec spec) {
    NodeStatusView status =
        new NodeStatusView(
            spec.capacity(), spec.allocatable(), List.of(), spec.addresses(), spec.nodeInfo(), 0);
    return new NodeView(
        spec.name(), "", 0, spec.labels(), spec.annotations(), spec.taints(), false, status);
  }

  private static ProviderException noApiServer() {
    return new ProviderException(
        ProviderException.Kind.UNSUPPORTED, "Unsupported", "there is no API server to ask");
  }
}
