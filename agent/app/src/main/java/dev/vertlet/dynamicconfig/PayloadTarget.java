package dev.vertlet.dynamicconfig;

import static dev.vertlet.bus.Addresses.LEASE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.auth.tls.ServerFiles;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseConfigured;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.Shards;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.LogConfig;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.configsync.ConfigRefusedException;
import dev.vertlet.configsync.ConfigTarget;
import dev.vertlet.lease.LeaseSettings;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.payload.NodeConfig.Part;
import dev.vertlet.payload.NodeConfigs;
import dev.vertlet.payload.Payload;
import dev.vertlet.payload.PayloadException;
import dev.vertlet.payload.PayloadReader;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies payloads to nodes: updates the active configurations, notifies the parts concerned. */
final class PayloadTarget implements ConfigTarget<ActiveConfigs.Entry> {
  private static final Logger LOG = LoggerFactory.getLogger(PayloadTarget.class);

  /** Number of remembered payloads: nodes that share a ConfigMap load the same one in turn. */
  private static final int REMEMBERED = 8;

  private final String primary;
  private final ActiveConfigs book;
  private final Bus bus;
  private final Consumer<LogConfig> log;
  private final Runnable exit;
  private @Nullable Shards shards;
  private KubeletEndpoints endpoints = KubeletEndpoints.NONE;
  private RequestLimits limits = (node, perSecond, burst) -> {};

  /** Ports that kubelets are moving to, by node: no other node may take them. */
  private final Map<String, Integer> moving = new HashMap<>();

  /** Guarded by itself: several workers read payloads. */
  private final Map<Payload, NodeConfigs.Plan> plans =
      new LinkedHashMap<>(REMEMBERED, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Payload, NodeConfigs.Plan> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * @param primary the node whose config also sets the process
   * @param exit ends the process with 0; nothing else waits for it
   */
  PayloadTarget(
      String primary, ActiveConfigs book, Bus bus, Consumer<LogConfig> log, Runnable exit) {
    this.primary = primary;
    this.book = book;
    this.bus = bus;
    this.log = log;
    this.exit = exit;
  }

  /** Sets the receivers of changes. Call it on the context of {@link #apply}. */
  void running(Shards all, KubeletEndpoints serving, RequestLimits toHeed) {
    shards = all;
    endpoints = serving;
    limits = toHeed;
  }

  @Override
  public ActiveConfigs.Entry load(String node, String source, byte[] payload, Path directory) {
    try {
      Payload read = PayloadReader.read(new String(payload, UTF_8), directory);
      NodeConfig config;
      synchronized (plans) {
        config = plans.computeIfAbsent(read, book::plan).node(node);
      }
      checkFiles(config.config().server());
      warn(node, source, read);
      return new ActiveConfigs.Entry(
          config, new FeatureOptions(config.config()).dns(), read.port());
    } catch (PayloadException e) {
      String problems = String.valueOf(e.getMessage());
      throw e.reason() == PayloadException.Reason.LOAD
          ? ConfigRefusedException.load(problems)
          : ConfigRefusedException.validate(problems);
    }
  }

  /** Checks the server's files: a server that cannot start would end the next process. */
  private void checkFiles(ServerConfig server) {
    if (!server.ofNode().equals(book.local(primary).config().config().server().ofNode())) {
      try {
        ServerFiles.check(server.tls(), server.authentication());
      } catch (VertxException e) {
        throw ConfigRefusedException.validate(String.valueOf(e.getMessage()));
      }
    }
  }

  private static void warn(String node, String source, Payload payload) {
    if (!payload.warnings().isEmpty()) {
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("source", source)
          .addKeyValue("dropped", String.join("; ", payload.warnings()))
          .log("parts of a config are ignored");
    }
  }

  @Override
  public Future<Change> apply(String node, ActiveConfigs.@Nullable Entry loaded) {
    ActiveConfigs.Entry asked = loaded != null ? loaded : book.local(node);
    ActiveConfigs.Entry now = taken(node, asked.config().port()) ? asked.elsewhere() : asked;
    NodeConfig config = now.config();
    Shards deployed = shards;
    if (deployed == null) {
      String refused = unreachable(node, DynamicConfig.server(config));
      if (!refused.isEmpty()) {
        return Future.failedFuture(ConfigRefusedException.internal(refused));
      }
      book.put(node, now);
      log(node, config);
      return Future.succeededFuture(new Change(List.of(), config.ignored()));
    }
    NodeConfig before = book.config(node);
    Set<Part> parts = config.changed(before);
    if (node.equals(primary) && parts.contains(Part.PROCESS)) {
      LOG.atInfo()
          .addKeyValue("node", node)
          .log("the process exits to start with the node's config");
      exit.run();
      return Future.succeededFuture(new Change(List.of(), config.ignored()));
    }
    if (DynamicConfig.server(config).equals(DynamicConfig.server(before))) {
      return Future.succeededFuture(change(deployed, node, before, now, parts));
    }
    moving.put(node, config.port());
    return endpoints
        .configure(node, DynamicConfig.server(config))
        .onComplete(moved -> moving.remove(node))
        .recover(
            failure -> Future.failedFuture(ConfigRefusedException.internal(Failures.line(failure))))
        .map(
            served -> {
              // a config that names the node's current port changes nothing
              if (!served) {
                parts.remove(Part.SERVER);
              } else {
                parts.add(Part.SERVER);
              }
              return change(deployed, node, before, now, parts);
            });
  }

  /** Whether another node has the port: nodes of one payload cannot share its port. */
  private boolean taken(String node, int port) {
    if (port == 0) {
      return false;
    }
    Map<String, KubeletEndpoint> reached = endpoints.reached();
    KubeletEndpoint own = reached.get(node);
    boolean shared = own != null && own.port() == port;
    return book.names(port, node)
        || moving.entrySet().stream()
            .anyMatch(e -> !e.getKey().equals(node) && e.getValue() == port)
        || (!shared && reached.values().stream().anyMatch(other -> other.port() == port));
  }

  /**
   * Returns why the address cannot be used; empty if it can. The server that starts later can only
   * fail as a whole.
   */
  private String unreachable(String node, NodeServer how) {
    String address = how.config().kubeletAddress();
    if (!how.config().enableServer()
        || how.equals(DynamicConfig.server(book.local(node).config()))) {
      return "";
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, how.port()));
      return "";
    } catch (IOException e) {
      return "cannot listen on address %s, port %d: %s"
          .formatted(address, how.port(), e.getMessage());
    }
  }

  private Change change(
      Shards deployed, String node, NodeConfig before, ActiveConfigs.Entry now, Set<Part> parts) {
    NodeConfig config = now.config();
    book.put(node, now);
    if (parts.contains(Part.LOG)) {
      log(node, config);
    }
    limits.limit(node, config.node().api().perSecond(), config.node().api().burst());
    if (!Collections.disjoint(parts, Set.of(Part.LIVE, Part.SOURCES, Part.SERVER))) {
      bus.publish(NODE_CONFIGURED.shard(deployed.of(node)), new NodeConfigured(node));
    }
    if (!lease(config).equals(lease(before))) {
      tellLease(node, config);
    }
    LOG.atInfo()
        .addKeyValue("node", node)
        .addKeyValue("changed", words(parts))
        .log("node configured");
    return new Change(restarted(parts), config.ignored());
  }

  private void log(String node, NodeConfig config) {
    if (node.equals(primary)) {
      log.accept(config.config().log());
    }
  }

  /** Sends the lease settings of the node's config. */
  void tellLease(String node, NodeConfig config) {
    LeaseSettings lease = lease(config);
    bus.send(
        LEASE_CONFIGURED,
        new LeaseConfigured(
            node,
            lease.options().duration(),
            lease.options().renewInterval(),
            lease.pingValidity()));
  }

  private static LeaseSettings lease(NodeConfig config) {
    return new FeatureOptions(config.config()).lease();
  }

  /** Names the restarted parts, as their verticles are named. */
  private static List<String> restarted(Set<Part> parts) {
    return parts.stream()
        .filter(part -> part != Part.LIVE && part != Part.LOG && part != Part.PROCESS)
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
