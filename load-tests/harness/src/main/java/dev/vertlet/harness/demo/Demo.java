package dev.vertlet.harness.demo;

import dev.vertlet.agent.AgentSession;
import dev.vertlet.apiserver.ControllerOptions;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.run.AgentSettings;
import dev.vertlet.harness.run.CloseStack;
import dev.vertlet.harness.run.ClusterFiles;
import dev.vertlet.harness.run.EmbeddedCluster;
import dev.vertlet.harness.run.LoadSession;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Embedded control plane, agent and pods in this process. For use by one thread. */
public final class Demo implements AutoCloseable {
  private static final String PROFILE = "kubelet";
  private static final String NAME = "demo";
  private static final String NAMESPACE = "default";

  private final DemoOptions options;
  private final Patience patience;
  private final Progress progress;
  private final AgentSettings settings;
  private final LoadSession session;
  private final PodLoad load;
  private final PagePods pages;
  private final CloseStack resources;

  private Demo(
      DemoOptions options,
      Patience patience,
      Progress progress,
      AgentSettings settings,
      LoadSession session,
      PagePods pages,
      CloseStack resources) {
    this.options = options;
    this.patience = patience;
    this.progress = progress;
    this.settings = settings;
    this.session = session;
    this.load = session.load();
    this.pages = pages;
    this.resources = resources;
  }

  /** Starts all parts and waits until all nodes are Ready. */
  public static Demo start(DemoOptions options, Patience patience, Progress progress)
      throws Exception {
    CloseStack resources = new CloseStack();
    try {
      boolean process = options.provider() == DemoProvider.PROCESS;
      RunDir dir = resources.add(RunDir.create("vertlet-demo-"));
      if (process) {
        dir.requirePrograms();
      }
      EmbeddedCluster cluster =
          resources.add(
              EmbeddedCluster.start(
                  options.port(), ControllerOptions.all(), ClusterFiles.in(dir), patience));
      PagePods pages = PagePods.create(process ? options.pods() : 0);
      LoadPlan plan = plan(options, cluster.kubeconfig());
      LoadSession session =
          resources.add(
              LoadSession.open(process ? plan.withContainers(pages::containers) : plan, patience));
      AgentSettings settings =
          new AgentSettings(
              plan, cluster.kubeconfig(), PROFILE, dir.file("agent"), AgentSettings.freePort());
      String[] more = process ? PagePods.settings(dir.ownedByRoot()) : new String[0];
      AgentSession agent = resources.add(AgentSession.open(settings.config(more)));
      resources.add(agent::stop);
      patience.await(agent.started(), () -> "the agent does not start");
      Demo demo = new Demo(options, patience, progress, settings, session, pages, resources);
      if (process) {
        demo.service();
      }
      demo.nodes();
      return demo;
    } catch (Exception e) {
      resources.close();
      throw e;
    }
  }

  private static LoadPlan plan(DemoOptions options, Path kubeconfig) {
    return new LoadPlan(
        kubeconfig,
        NAME,
        NAMESPACE,
        "default",
        Scenarios.simple(options.nodes(), options.pods(), Optional.empty())
            .withPlacement(Placement.SCHEDULED));
  }

  private void service() throws InterruptedException {
    patience.await(
        load.send(
                KubeRequest.create(
                    Lane.REST, KubePath.services(NAMESPACE), PagePods.service(NAME).toBuffer()))
            .toCompletionStage(),
        () -> "the Service cannot be created");
  }

  private void nodes() throws InterruptedException {
    progress.begin("nodes Ready", options.nodes());
    patience.await(
        load.nodesReady().toCompletionStage(),
        () -> "%d of %d nodes are Ready".formatted(load.counts().nodesReady(), options.nodes()),
        () -> progress.at(load.counts().nodesReady()));
    progress.at(options.nodes());
  }

  /** Creates the pods and waits until all are Ready. */
  public void up() throws InterruptedException {
    run(0, "pods Ready", () -> load.counts().ready());
  }

  /** Deletes the pods and waits until all are gone. */
  public void down() throws InterruptedException {
    run(1, "pods gone", () -> load.counts().gone());
  }

  private void run(int index, String what, IntSupplier done) throws InterruptedException {
    Phase phase = settings.plan().scenario().phases().get(index);
    progress.begin(what, options.pods());
    patience.await(
        load.run(phase).toCompletionStage(),
        () -> "%s: %d of %d".formatted(what, done.getAsInt(), options.pods()),
        () -> progress.at(done.getAsInt()));
    progress.at(options.pods());
  }

  /** Measurements so far; available also after a timeout or an interrupt. */
  public DemoResult result() {
    Measurements measured = session.measurements();
    ProcessUsage usage = ProcessUsage.of(ProcessHandle.current());
    return new DemoResult(options, measured, usage.residentMiB());
  }

  /** Kubeconfig for the API server; deleted on close. */
  public Path kubeconfig() {
    return settings.plan().kubeconfig();
  }

  /** Addresses of the pods' pages, in the order of the pods; none of simulated pods. */
  public List<String> pages() {
    return pages.urls();
  }

  /** Port of the agent's health and metrics. */
  public int agentPort() {
    return settings.port();
  }

  @Override
  public void close() throws Exception {
    resources.close();
  }
}
