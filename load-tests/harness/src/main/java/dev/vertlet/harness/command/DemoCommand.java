package dev.vertlet.harness.command;

import dev.vertlet.harness.demo.Demo;
import dev.vertlet.harness.demo.DemoOptions;
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

  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private WorkOptions work = new WorkOptions();

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
    DemoOptions options =
        new DemoOptions(
            work.nodes(), work.pods(), work.require("--port", port, 0, MAX_PORT), work.timeout());
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

  private int serve(Demo demo, Progress progress, Patience patience) throws InterruptedException {
    demo.up();
    progress.close();
    PrintWriter out = spec.commandLine().getOut();
    out.println(demo.result().summary());
    out.println("In another terminal:");
    out.println("  export KUBECONFIG=" + demo.kubeconfig());
    out.println("  kubectl get nodes");
    out.println("  kubectl run web --image=nginx");
    out.println("  kubectl get pods --watch");
    addresses(demo.agentPort()).forEach(out::println);
    out.println("It ends with Ctrl-C.");
    out.flush();
    patience.untilEnded();
    return 0;
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
