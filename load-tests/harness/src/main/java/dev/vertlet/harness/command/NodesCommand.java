package dev.vertlet.harness.command;

import dev.vertlet.cli.FailedException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.harness.nodes.FoundNode;
import dev.vertlet.harness.nodes.NodeOutcome;
import dev.vertlet.harness.nodes.NodePattern;
import dev.vertlet.harness.nodes.NodePlan;
import dev.vertlet.harness.nodes.NodeSet;
import dev.vertlet.harness.nodes.NodesSession;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.logging.Logging;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code vertlet nodes}: manages plain Node objects on any cluster. */
@Command(
    name = "nodes",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "create|scale|delete|template",
    description = {
      "Makes, scales and removes Node objects on a cluster that runs.",
      "They carry the label " + NodeSet.SELECTOR + "; other nodes are never touched.",
      "Nobody serves them until an agent takes them over."
    })
final class NodesCommand {
  /** Time limit without nodes. */
  private static final Duration BASE_TIMEOUT = Duration.ofMinutes(2);

  /** Additional time limit per node: 50 nodes/s, a tenth of what two slow cores reach. */
  private static final Duration TIMEOUT_PER_NODE = Duration.ofMillis(20);

  private static final int MOST_AT_ONCE = 1000;

  /** Number of names shown before the confirmation. */
  private static final int SHOWN = 5;

  /** Without this hint, nothing on the cluster explains why the nodes stay NotReady. */
  private static final String ADOPTION =
      "they are not Ready until an agent adopts them: ./vertlet agent --set"
          + " 'nodes=[{\"adopt\": {\"labelSelector\": \"%s\"}}]' (docs/adopt.md)"
              .formatted(NodeSet.SELECTOR);

  private final CompletionStage<Void> ended;

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

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "32",
      scope = ScopeType.INHERIT,
      description = "Requests in flight at most, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int atOnce;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      scope = ScopeType.INHERIT,
      description = "For all of it. Default: 2m, and 20ms for each node.")
  private @Nullable String timeout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "json|name",
      scope = ScopeType.INHERIT,
      description =
          "What was done as one JSON object, or the names of the nodes made and removed. Default: a"
              + " line for people.")
  private @Nullable Output output;

  /** Format of the result. */
  private enum Output {
    json,
    name
  }

  NodesCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes the nodes that a set of that number lacks, and removes none.")
  int create(@Mixin NodeSetOptions set) throws Exception {
    return reach(set, NodePlan::create, true);
  }

  @Command(
      name = "scale",
      mixinStandardHelpOptions = true,
      description = {
        "Brings a set to a number of nodes: makes those that are missing, or removes the"
            + " highest-numbered.",
        "Pods of a node that is removed end with it."
      })
  int scale(
      @Mixin NodeSetOptions set,
      @Option(names = "--yes", description = "Does not ask before nodes are removed.") boolean yes)
      throws Exception {
    return reach(set, NodePlan::scale, yes);
  }

  /** Plans how to reach a number of nodes. */
  private interface Reaching {
    NodePlan plan(NodePattern pattern, List<FoundNode> found, int count);
  }

  private int reach(NodeSetOptions set, Reaching reaching, boolean yes) throws Exception {
    NodePattern pattern = set.pattern(Environment.ofProcess());
    int count = set.count();
    try (NodesSession session = open(count)) {
      List<FoundNode> found = session.list(NodeSet.SELECTOR);
      NodePlan plan = reaching.plan(pattern, found, count);
      if (!agreed(plan, yes)) {
        return 1;
      }
      NodesSession.Result result = session.run(pattern, plan);
      if (!result.outcome().invalid().isEmpty()) {
        tell(result);
        throw set.refused(result.outcome().invalid());
      }
      return tell(result);
    }
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = {
        "Removes nodes that this command has made: those named, those chosen, or all of them.",
        "Pods of a node that is removed end with it."
      })
  int delete(
      @Parameters(
              arity = "0..*",
              paramLabel = "NAME",
              description = "Names of nodes. Default: all that are chosen.")
          @Nullable List<String> names,
      @Option(
              names = {"-l", "--selector"},
              paramLabel = "LABELS",
              description = "Only nodes with these labels besides.")
          @Nullable String selector,
      @Option(
              names = "--name-prefix",
              paramLabel = "PREFIX",
              description = "Only nodes named PREFIX0, PREFIX1 and so on.")
          @Nullable String namePrefix,
      @Option(names = "--yes", description = "Does not ask.") boolean yes)
      throws Exception {
    if (namePrefix != null) {
      NodeSetOptions.requirePrefix(namePrefix, spec);
    }
    List<String> wanted = names == null ? List.of() : names;
    if (!wanted.isEmpty() && (selector != null || namePrefix != null)) {
      throw misused("NAME does not go with --selector and --name-prefix");
    }
    try (NodesSession session = open(wanted.size())) {
      List<FoundNode> found = list(session, selector);
      List<FoundNode> chosen =
          wanted.isEmpty()
              ? found.stream().filter(node -> named(node, namePrefix)).toList()
              : chosen(found, wanted);
      NodePlan plan = NodePlan.delete(chosen);
      if (!agreed(plan, yes)) {
        return 1;
      }
      return tell(session.delete(plan));
    }
  }

  @Command(
      name = "template",
      mixinStandardHelpOptions = true,
      description = "Prints the built-in template, to begin one of your own with.")
  int template() {
    print(NodeSetOptions.builtIn().stripTrailing());
    return 0;
  }

  private static boolean named(FoundNode node, @Nullable String prefix) {
    return prefix == null
        || (node.name().startsWith(prefix)
            && node.name().substring(prefix.length()).matches("[0-9]+"));
  }

  private List<FoundNode> chosen(List<FoundNode> found, List<String> names) {
    Map<String, FoundNode> byName = new HashMap<>();
    found.forEach(node -> byName.put(node.name(), node));
    for (String name : names) {
      if (!byName.containsKey(name)) {
        warn("node %s: there is none with the label %s".formatted(name, NodeSet.SELECTOR));
      }
    }
    return names.stream().distinct().flatMap(name -> Stream.ofNullable(byName.get(name))).toList();
  }

  private List<FoundNode> list(NodesSession session, @Nullable String selector)
      throws InterruptedException {
    if (selector == null) {
      return session.list(NodeSet.SELECTOR);
    }
    try {
      return session.list(NodeSet.SELECTOR + "," + selector);
    } catch (FailedException e) {
      if (e.getCause() instanceof KubeException cause && cause.kind() == Kind.INVALID) {
        throw new ParameterException(
            spec.commandLine(), "--selector: \"%s\": %s".formatted(selector, e.getMessage()), e);
      }
      throw e;
    }
  }

  private NodesSession open(int nodes) throws InterruptedException {
    Duration usual = BASE_TIMEOUT.plus(TIMEOUT_PER_NODE.multipliedBy(nodes));
    Duration limit = timeout == null ? usual : WorkOptions.timeout(timeout, spec.commandLine());
    int window = WorkOptions.require("--concurrency", atOnce, 1, MOST_AT_ONCE, spec.commandLine());
    Logging.warnOnStandardError();
    return NodesSession.open(
        ApiAccess.discover(kubeconfig, context), window, Patience.begin(ended, limit));
  }

  private boolean agreed(NodePlan plan, boolean yes) throws InterruptedException {
    int nodes = plan.delete().size();
    if (nodes == 0) {
      return true;
    }
    String some =
        plan.delete().stream().limit(SHOWN).map(FoundNode::name).collect(Collectors.joining(", "));
    return Confirmation.to(
        "On the cluster of %s this deletes %d nodes, and with them the pods that are bound to them: %s%s"
            .formatted(
                kubeconfig == null ? "kubectl's kubeconfig" : kubeconfig,
                nodes,
                some,
                nodes > SHOWN ? ", …" : ""),
        yes,
        spec.commandLine(),
        Patience.begin(ended, BASE_TIMEOUT));
  }

  private int tell(NodesSession.Result result) {
    NodeOutcome outcome = result.outcome();
    outcome.failures().forEach((name, why) -> warn("node %s: %s".formatted(name, why)));
    if (output == Output.json) {
      print(outcome.json().encode());
    } else if (output == Output.name) {
      Stream.concat(outcome.created().stream(), outcome.deleted().stream())
          .forEach(name -> print("node/" + name));
    } else {
      print(outcome.summary());
      if (!outcome.created().isEmpty()) {
        warn(ADOPTION);
      }
    }
    if (result.stopped()) {
      throw new FailedException(
          "stopped before the end: %s, %d not done".formatted(outcome.summary(), result.left()));
    }
    if (!result.trouble().isEmpty()) {
      throw new FailedException(result.trouble());
    }
    return outcome.complete() ? 0 : 1;
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void warn(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("vertlet: " + line);
    err.flush();
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
