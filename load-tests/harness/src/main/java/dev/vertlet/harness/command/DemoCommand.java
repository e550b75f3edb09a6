package dev.vertlet.harness.command;

import dev.vertlet.harness.demo.Demo;
import dev.vertlet.harness.demo.DemoOptions;
import dev.vertlet.harness.demo.DemoProvider;
import dev.vertlet.harness.demo.DemoResult;
import dev.vertlet.harness.run.AgentSettings;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.StoppedException;
import dev.vertlet.logging.Logging;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vertlet demo}: runs a control plane, an agent and pods; needs only Java. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an embedded control plane, an agent and pods in one process, and serves until SIGTERM or SIGINT.",
      "Everything listens on loopback and is gone afterwards."
    })
final class DemoCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  /** Pods of provider process, without {@code --pods} and at most: each is a JVM. */
  private static final int PAGES = 3;

  private static final int MAX_PAGES = 100;

  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--provider",
      paramLabel = "PROVIDER",
      defaultValue = "simulated",
      description =
          "What runs the pods: simulated; or process, whose pods, three without --pods, are small web"
              + " servers on one node, processes of this Linux machine. Default: ${DEFAULT-VALUE}.")
  private DemoProvider provider = DemoProvider.SIMULATED;

  @Option(
      names = "--once",
      description = "Deletes the pods when all are Ready, prints one line of JSON and ends.")
  private boolean once;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of the API server on 127.0.0.1. Default: any free one.")
  private int port;

  DemoCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public Integer call() throws Exception {
    DemoOptions options = options();
    Logging.warnOnStandardError();
    Patience patience = Patience.begin(ended, options.timeout());
    try (Progress progress = Progress.create();
        Demo demo = Demo.start(options, patience, progress)) {
      return once ? once(demo, progress) : serve(demo, progress, patience);
    } catch (StoppedException e) {
      if (once) {
        throw e;
      }
      return 0;
    }
  }

  private DemoOptions options() {
    int nodes = work.nodes();
    int pods;
    if (provider == DemoProvider.PROCESS) {
      if (work.nodesGiven()) {
        throw new ParameterException(
            spec.commandLine(),
            "--nodes does not go with --provider process, whose only node is this machine");
      }
      nodes = 1;
      pods = work.podsGiven() ? work.require("--pods", work.pods(), 0, MAX_PAGES) : PAGES;
    } else {
      pods = work.pods();
    }
    return new DemoOptions(
        provider, nodes, pods, work.require("--port", port, 0, MAX_PORT), work.timeout());
  }

  private int serve(Demo demo, Progress progress, Patience patience) throws InterruptedException {
    demo.up();
    progress.close();
    PrintWriter out = spec.commandLine().getOut();
    out.println(demo.result().summary());
    if (!demo.pages().isEmpty()) {
      out.println("Each pod is a program of this machine, with a page at");
      demo.pages().forEach(url -> out.println("  " + url));
    }
    out.println("In another terminal:");
    out.println("  export KUBECONFIG=" + demo.kubeconfig());
    commands().forEach(command -> out.println("  " + command));
    addresses(demo.agentPort()).forEach(out::println);
    out.println("It ends with Ctrl-C.");
    out.flush();
    patience.untilEnded();
    return 0;
  }

  private List<String> commands() {
    return provider == DemoProvider.PROCESS
        ? List.of(
            "kubectl get pods -o wide",
            "kubectl port-forward service/demo 8080:80          # then: curl localhost:8080",
            "kubectl logs -f -l app=demo --prefix",
            "kubectl run clock --image=host -- sh -c 'while sleep 1; do date; done'")
        : List.of("kubectl get nodes", "kubectl run web --image=nginx", "kubectl get pods --watch");
  }

  /** Addresses of the agent's pages. Says so when the agent does not have its usual port. */
  static List<String> addresses(int port) {
    List<String> lines = new ArrayList<>();
    if (port != AgentSettings.USUAL_PORT) {
      lines.add(
          "Port %d is taken, so the agent's page, health and metrics are on port %d."
              .formatted(AgentSettings.USUAL_PORT, port));
    }
    lines.add("The agent's nodes and pods in a browser: http://127.0.0.1:%d/".formatted(port));
    lines.add("Health and metrics of the agent: http://127.0.0.1:%d/metrics".formatted(port));
    return lines;
  }

  private int once(Demo demo, Progress progress) throws InterruptedException {
    try {
      demo.up();
      demo.down();
    } finally {
      progress.close();
      print(demo.result());
    }
    return demo.result().complete() ? 0 : 1;
  }

  private void print(DemoResult result) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(result.json().encode());
    out.flush();
  }
}
