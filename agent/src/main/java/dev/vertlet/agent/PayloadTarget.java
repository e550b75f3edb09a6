package dev.vertlet.agent;

import static dev.vertlet.bus.Addresses.LEASE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseConfigured;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.Shards;
import dev.vertlet.configsync.ConfigRefusedException;
import dev.vertlet.configsync.ConfigTarget;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.payload.NodeConfig.Part;
import dev.vertlet.payload.NodeConfigs;
import dev.vertlet.payload.Payload;
import dev.vertlet.payload.PayloadException;
import dev.vertlet.payload.PayloadReader;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes nodes run by payloads: keeps the book, and tells those whom a change concerns. */
final class PayloadTarget implements ConfigTarget<NodeBook.Entry> {
  private static final Logger LOG = LoggerFactory.getLogger(PayloadTarget.class);

  /** Nodes that share a ConfigMap ask for the same payload, one after another. */
  private static final int REMEMBERED = 8;

  private final NodeConfigs configs;
  private final String primary;
  private final NodeBook book;
  private final DnsSettings localDns;
  private final Bus bus;
  private final Runnable exit;
  private @Nullable Shards shards;

  /** The port of the primary node's kubelet, 0 before it is known. */
  private volatile int port;

  /** Guarded by itself: payloads are read by several workers. */
  private final Map<Payload, NodeConfigs.Plan> plans =
      new LinkedHashMap<>(REMEMBERED, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Payload, NodeConfigs.Plan> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * @param primary whose config is the process', too
   * @param exit ends the process with 0; nothing else waits for it
   */
  PayloadTarget(
      NodeConfigs configs,
      String primary,
      NodeBook book,
      DnsSettings localDns,
      Bus bus,
      Runnable exit) {
    this.configs = configs;
    this.primary = primary;
    this.book = book;
    this.localDns = localDns;
    this.bus = bus;
    this.exit = exit;
  }

  /** From now on there is somebody to tell. On the context of {@link #apply}. */
  void running(Shards all) {
    shards = all;
  }

  /** Where the primary node's kubelet is reached. On any thread. */
  void reachedAt(int reached) {
    port = reached;
  }

  @Override
  public NodeBook.Entry load(String node, String source, byte[] payload, Path directory) {
    try {
      Payload read = PayloadReader.read(new String(payload, UTF_8), directory);
      NodeConfig config;
      synchronized (plans) {
        config = plans.computeIfAbsent(read, configs::plan).node(node);
      }
      warn(node, source, read);
      return new NodeBook.Entry(config, new AgentOptions(config.config()).dns());
    } catch (PayloadException e) {
      String problems = String.valueOf(e.getMessage());
      throw e.reason() == PayloadException.Reason.LOAD
          ? ConfigRefusedException.load(problems)
          : ConfigRefusedException.validate(problems);
    }
  }

  private static void warn(String node, String source, Payload payload) {
    if (!payload.warnings().isEmpty()) {
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("source", source)
          .addKeyValue("dropped", String.join("; ", payload.warnings()))
          .log("a config is not heeded as a whole");
    }
  }

  @Override
  public Future<Change> apply(String node, NodeBook.@Nullable Entry loaded) {
    NodeBook.Entry now =
        loaded != null ? loaded : new NodeBook.Entry(configs.local(node), localDns);
    NodeConfig config = now.config();
    Shards told = shards;
    if (told == null) {
      book.put(node, now);
      return Future.succeededFuture(new Change(List.of(), config.ignored()));
    }
    NodeConfig before = book.config(node);
    Set<Part> parts = config.changed(before);
    if (node.equals(primary) && (parts.contains(Part.PROCESS) || moves(config))) {
      LOG.atInfo().addKeyValue("node", node).log("the process ends to run by the node's config");
      exit.run();
      return Future.succeededFuture(new Change(List.of(), config.ignored()));
    }
    book.put(node, now);
    if (parts.contains(Part.LIVE) || parts.contains(Part.SOURCES)) {
      bus.publish(NODE_CONFIGURED.shard(told.of(node)), new NodeConfigured(node));
    }
    if (!lease(config).equals(lease(before))) {
      tellLease(node, config);
    }
    LOG.atInfo()
        .addKeyValue("node", node)
        .addKeyValue("changed", words(parts))
        .log("node configured");
    return Future.succeededFuture(new Change(restarted(parts), config.ignored()));
  }

  /** Its lease has the times that its config says. */
  void tellLease(String node, NodeConfig config) {
    LeaseOptions lease = lease(config);
    bus.send(
        LEASE_CONFIGURED,
        new LeaseConfigured(node, lease.duration(), lease.renewInterval(), lease.pingValidity()));
  }

  /** Whether its kubelet is to be reached elsewhere. */
  private boolean moves(NodeConfig config) {
    int now = port;
    return config.port() != 0 && now != 0 && config.port() != now;
  }

  private static LeaseOptions lease(NodeConfig config) {
    return new AgentOptions(config.config()).lease();
  }

  /** What was made anew, under the names of the verticles. */
  private static List<String> restarted(Set<Part> parts) {
    return parts.stream()
        .filter(part -> part == Part.LEASE || part == Part.SOURCES)
        .map(PayloadTarget::word)
        .toList();
  }

  private static String words(Set<Part> parts) {
    return parts.isEmpty()
        ? "nothing"
        : String.join(", ", parts.stream().map(PayloadTarget::word).toList());
  }

  private static String word(Part part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void exit() {
    exit.run();
  }
}
