package dev.vertlet.harness.loadtest;

import dev.vertlet.agent.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.load.ProcessUsage;
import dev.vertlet.harness.loopback.LoopbackPorts;
import dev.vertlet.harness.run.AgentSettings;
import dev.vertlet.harness.run.ForkedAgent;
import dev.vertlet.harness.run.LoadSession;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.Resources;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** One load test, with names of its own in the cluster. For one thread. */
public final class LoadTest {
  private static final int ID_BYTES = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LoadTestOptions options;
  private final String name;

  public LoadTest(LoadTestOptions options) {
    this.options = options;
    byte[] id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    this.name = "load-" + HexFormat.of().formatHex(id);
  }

  /** What it will do to a cluster, for whoever has to agree. */
  public String announcement() {
    return ("creates %d nodes and, in a new namespace %s, %d pods on them; removes all of it at the"
            + " end. Should it be killed: kubectl delete namespaces,nodes -l %s=%s")
        .formatted(options.nodes(), name, options.pods(), LoadPlan.LABEL, name);
  }

  /**
   * Runs it. Whatever happens, the agent is ended and what was created is removed again.
   *
   * @param reporter told the result before anything is removed, which may fail
   * @throws FailedException when time is up or the agent dies
   */
  public void run(Patience patience, Progress progress, Consumer<LoadReport> reporter)
      throws Exception {
    try (Resources resources = new Resources()) {
      RunDir dir = resources.add(RunDir.create("vertlet-load-test-"));
      TargetCluster cluster = resources.add(TargetCluster.open(options.target(), dir, patience));
      LoadPlan plan = plan(cluster.kubeconfig());
      LoadSession session = resources.add(LoadSession.open(plan, patience));
      Footprint footprint = new Footprint(plan, session.load());
      if (!cluster.ours()) {
        resources.add(footprint::clear);
      }
      patience.await(
          footprint.create().toCompletionStage(), () -> "the namespace cannot be created");
      AgentSettings settings =
          new AgentSettings(
              plan,
              options.agentKubeconfig().orElse(cluster.kubeconfig()),
              options.profile().toString(),
              dir.file("agent"),
              LoopbackPorts.next());
      long start = System.nanoTime();
      ForkedAgent agent = resources.add(ForkedAgent.start(settings, dir));
      // closed first: pods that are created while others are removed would stay
      resources.add(session.load()::cancel);
      reporter.accept(new Run(plan, session, agent, patience, progress).measure(start));
    }
  }

  private LoadPlan plan(Path kubeconfig) {
    return new LoadPlan(
        kubeconfig,
        name,
        name,
        "load",
        Scenarios.simple(options.nodes(), options.pods(), options.rate()));
  }

  /** From the start of the agent to the report. */
  private final class Run {
    private final List<Phase> phases;
    private final LoadSession session;
    private final PodLoad load;
    private final ForkedAgent agent;
    private final Patience patience;
    private final Progress progress;

    Run(
        LoadPlan plan,
        LoadSession session,
        ForkedAgent agent,
        Patience patience,
        Progress progress) {
      this.phases = plan.scenario().phases();
      this.session = session;
      this.load = session.load();
      this.agent = agent;
      this.patience = patience;
      this.progress = progress;
    }

    LoadReport measure(long start) throws InterruptedException {
      step("nodes Ready", options.nodes(), load.nodesReady(), () -> load.counts().nodesReady());
      double startSeconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      ProcessUsage before = agent.usage();
      step("pods Ready", options.pods(), load.run(phases.get(0)), () -> load.counts().ready());
      ProcessUsage up = agent.usage();
      step("pods gone", options.pods(), load.run(phases.get(1)), () -> load.counts().gone());
      ProcessUsage down = agent.usage();
      return new LoadReport(
          options,
          kubernetes(),
          startSeconds,
          session.measurements(),
          new AgentCost(before, up, down));
    }

    private void step(String what, int total, Future<?> work, IntSupplier done)
        throws InterruptedException {
      progress.begin(what, total);
      patience.await(
          work.toCompletionStage(),
          () -> "%s: %d of %d".formatted(what, done.getAsInt(), total),
          () -> {
            agent.requireAlive();
            progress.at(done.getAsInt());
          });
      progress.at(total);
    }

    private String kubernetes() throws InterruptedException {
      KubeRequest request = KubeRequest.get(Lane.REST, new KubePath("/version", "version", ""));
      return patience.await(
          load.fetch(request)
              .map(answer -> answer.body().toJsonObject().getString("gitVersion", "unknown"))
              .toCompletionStage(),
          () -> "the API server does not tell its version");
    }
  }
}
