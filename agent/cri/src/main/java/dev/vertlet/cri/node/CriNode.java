package dev.vertlet.cri.node;

import dev.vertlet.cri.wire.StatusMessages.VersionResponse;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.node.HostNode;
import dev.vertlet.host.node.Machine;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What nodes say of this machine and of the container runtime on it. Confined to the shard's loop.
 */
public final class CriNode {
  private static final String RUNTIME_VERSION = "containerRuntimeVersion";

  private final Workers workers;
  private final Supplier<Future<VersionResponse>> version;
  private HostNode host = new HostNode(Map.of());
  private Map<String, String> hugepages = Map.of();
  private String runtime = "";

  /**
   * @param version asks the runtime for its name and version
   */
  public CriNode(Workers workers, Supplier<Future<VersionResponse>> version) {
    this.workers = workers;
    this.version = version;
  }

  private record Read(HostNode host, Map<String, String> hugepages) {}

  /** Reads what the machine is. Fails with an {@link java.io.IOException}. */
  public Future<Void> read() {
    return workers
        .call(
            () -> {
              Map<String, String> info = new HashMap<>(Machine.system());
              info.putAll(Machine.info());
              return new Read(new HostNode(info), Machine.hugepages());
            })
        .onSuccess(
            read -> {
              host = read.host();
              hugepages = Map.copyOf(read.hugepages());
            })
        .mapEmpty();
  }

  /**
   * Asks the runtime for its version, which changes when it is replaced.
   *
   * @return whether nodes say something else than before
   */
  public Future<Boolean> refresh() {
    return version
        .get()
        .map(
            answer -> {
              String before = runtime;
              // a kubelet shows the number alone
              runtime =
                  answer.runtimeName() + "://" + answer.runtimeVersion().replaceFirst("^v", "");
              return !runtime.equals(before);
            });
  }

  /** Completes a node's configuration. */
  public NodeSpec over(NodeSpec spec) {
    NodeSpec node = host.over(spec);
    Map<String, String> info = new HashMap<>(node.nodeInfo());
    if (!runtime.isEmpty()) {
      info.put(RUNTIME_VERSION, runtime);
    }
    return new NodeSpec(
        node.name(),
        node.labels(),
        node.annotations(),
        node.taints(),
        with(node.capacity()),
        with(node.allocatable()),
        node.addresses(),
        info,
        node.podCidr(),
        node.features(),
        node.images());
  }

  private Map<String, String> with(Map<String, String> amounts) {
    Map<String, String> all = new HashMap<>(hugepages);
    all.putAll(amounts);
    return all;
  }
}
