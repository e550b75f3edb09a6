package dev.vertlet.rollout;

import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.model.GoDuration;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code vertlet config}. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "show|history|diff|set|reset",
    description = {
      "Shows what nodes run by, and assigns them a ConfigMap, over the API server.",
      "Their agents must run with configSync.enabled."
    })
public final class ConfigCommand {
  private static final Pattern CANARY = Pattern.compile("([1-9][0-9]{0,5})(%?)");

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "Kubeconfig file. Default: as kubectl's.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "Context of the kubeconfig.")
  private @Nullable String context;

  private RolloutApi open() throws InterruptedException {
    return new RolloutApi(ApiAccess.discover(kubeconfig, context));
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Duration timeout(String text) {
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException e) {
      throw misused("--timeout: \"" + text + "\" must be a duration such as 60s");
    }
  }

  /** Selected nodes and the time limit of a rollout. */
  private static final class Chosen {
    @Parameters(arity = "0..1", paramLabel = "NODE", description = "Name of the node.")
    @Nullable String node;

    @Option(
        names = {"-l", "--selector"},
        paramLabel = "LABELS",
        description = "Instead of NODE: all nodes with these labels.")
    @Nullable String selector;

    @Option(
        names = "--timeout",
        paramLabel = "DURATION",
        defaultValue = "60s",
        description = "For each stage. Default: ${DEFAULT-VALUE}.")
    String timeout = "";
  }

  private List<ConfigNode> nodes(RolloutApi api, Chosen chosen) throws InterruptedException {
    String node = chosen.node;
    String selector = chosen.selector;
    List<ConfigNode> nodes;
    if (node != null && selector == null) {
      nodes = List.of(api.get(node));
    } else if (node == null && selector != null) {
      nodes = api.list(selector);
    } else {
      throw misused("either NODE or --selector is needed");
    }
    if (nodes.isEmpty()) {
      throw new IllegalStateException("no node has the labels " + selector);
    }
    for (ConfigNode each : nodes) {
      if (!each.reports()) {
        throw new IllegalStateException(
            "no agent with configSync.enabled serves node " + each.name());
      }
    }
    return nodes;
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows a node's assigned and running config, and the reason.")
  int show(@Parameters(paramLabel = "NODE", description = "Name of the node.") String node)
      throws InterruptedException {
    try (RolloutApi api = open()) {
      api.get(node).lines().forEach(this::print);
      return 0;
    }
  }

  @Command(
      name = "history",
      mixinStandardHelpOptions = true,
      description = "Shows what a node was assigned, as long as its events are kept.")
  int history(@Parameters(paramLabel = "NODE", description = "Name of the node.") String node)
      throws InterruptedException {
    try (RolloutApi api = open()) {
      api.get(node);
      api.history(node).forEach(this::print);
      return 0;
    }
  }

  @Command(
      name = "diff",
      mixinStandardHelpOptions = true,
      description = {
        "Shows what a ConfigMap sets to something else than what a node runs by.",
        "1 when there is something. What it does not set would take its default, and is not shown."
      })
  int diff(
      @Parameters(paramLabel = "NODE", description = "Name of the node.") String node,
      @Option(
              names = "--config-map",
              paramLabel = "NAMESPACE/NAME",
              description = "Default: what the node is assigned.")
          @Nullable String configMap,
      @Option(
              names = "--key",
              defaultValue = "kubelet",
              description = "Key of the ConfigMap. Default: ${DEFAULT-VALUE}.")
          String key)
      throws InterruptedException {
    ConfigSource given = configMap == null ? null : source(configMap, key);
    try (RolloutApi api = open()) {
      ConfigSource source = given == null ? api.get(node).source() : given;
      if (source == null) {
        throw new IllegalStateException(
            "node " + node + " is assigned no ConfigMap; --config-map names one");
      }
      List<String> lines = PayloadDiff.lines(api.shown(node), api.payload(source));
      lines.forEach(this::print);
      return lines.isEmpty() ? 0 : 1;
    }
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
      description = {
        "Assigns a ConfigMap to nodes, and waits until they run by it.",
        "With --canary some come first, and the others only when these run by it."
      })
  int set(
      @Mixin Chosen chosen,
      @Option(
              names = "--config-map",
              paramLabel = "NAMESPACE/NAME",
              description = "What to run by.")
          @Nullable String configMap,
      @Option(
              names = "--key",
              defaultValue = "kubelet",
              description = "Key of the ConfigMap. Default: ${DEFAULT-VALUE}.")
          String key,
      @Option(
              names = "--canary",
              paramLabel = "N|P%",
              defaultValue = "100%",
              description = "How many nodes come first. Default: all.")
          String canary,
      @Option(names = "--abort", description = "Restores the previous configs of the nodes.")
          boolean abort)
      throws InterruptedException {
    if (abort == (configMap != null)) {
      throw misused("either --config-map or --abort is needed");
    }
    ConfigSource source = configMap == null ? null : source(configMap, key);
    Duration patience = timeout(chosen.timeout);
    Matcher share = CANARY.matcher(canary);
    if (!share.matches()) {
      throw misused(
          "--canary: \"" + canary + "\" must be a number of nodes, or a percentage as 10%");
    }
    try (RolloutApi api = open()) {
      List<ConfigNode> nodes = nodes(api, chosen);
      if (source == null) {
        print("%d nodes have their previous configs".formatted(Rollout.abort(api, nodes)));
        return 0;
      }
      int count = Integer.parseInt(share.group(1));
      int first =
          share.group(2).isEmpty() ? count : Math.max(1, (int) (nodes.size() * (long) count / 100));
      return new Rollout(api, source, patience, this::print).run(nodes, first) ? 0 : 1;
    }
  }

  private ConfigSource source(String configMap, String key) {
    try {
      return ConfigSource.parse(configMap, key);
    } catch (IllegalArgumentException e) {
      throw misused("--config-map: " + e.getMessage());
    }
  }

  @Command(
      name = "reset",
      mixinStandardHelpOptions = true,
      description = "Lets nodes run by their agent's local configuration again.")
  int reset(@Mixin Chosen chosen) throws InterruptedException {
    Duration patience = timeout(chosen.timeout);
    try (RolloutApi api = open()) {
      List<ConfigNode> nodes = nodes(api, chosen);
      return new Rollout(api, null, patience, this::print).run(nodes, nodes.size()) ? 0 : 1;
    }
  }
}
