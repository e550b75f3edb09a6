package dev.vertlet.harness.cluster;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Control plane of local processes. {@link #stop} ends them; otherwise the JVM's shutdown hook
 * kills them, or the {@link Guardian} where no hook runs.
 */
final class LocalControlPlane implements ControlPlane {
  /**
   * Limit for getting ready. A cold API server took up to 40 s on two cores with a build beside it,
   * a healthy one takes 5 s.
   */
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(120);

  private static final Duration POLL = Duration.ofMillis(100);

  /**
   * Time between SIGTERM and SIGKILL. The API server finishes requests in flight; open watches
   * alone make it use all of this time.
   */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** A free port may be taken before its use, but hardly three times in a row. */
  private static final int PORT_ATTEMPTS = 3;

  private static final String AUDIT = "audit";
  private static final String SCHEDULER_KUBECONFIG = "kubeconfig-scheduler";

  /**
   * Policy of the audit log: metadata of all writes; for Leases also the object, which names a
   * node's holder. No reads, no events.
   */
  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      omitManagedFields: true
      rules:
        - level: None
          verbs: [get, list, watch]
        - level: None
          resources: [{group: "", resources: [events]}]
        - level: Request
          resources: [{group: coordination.k8s.io, resources: [leases]}]
        - level: Metadata
      """;

  /** Order of a stop: the API server before etcd, for which it would wait otherwise. */
  private static final List<String> STOP_ORDER =
      List.of(Programs.SCHEDULER, Programs.CONTROLLER_MANAGER, Programs.API_SERVER, Programs.ETCD);

  private final ControlPlaneOptions options;
  private final DataDir dir;
  private final Ports ports;
  private final CommandLines commands;
  private final Kubectl kubectl;
  private final ReadinessProbe probe;
  private final Guardian guardian;
  private final Thread hook = new Thread(this::killEverything, "control-plane-killer");

  /** Processes by program. One thread writes the map; the shutdown hook reads it, too. */
  private final Map<String, PlaneProcess> processes = new ConcurrentHashMap<>();

  private final CompletableFuture<EndedProgram> endedByItself = new CompletableFuture<>();

  /** Set by {@link #stop} and by the shutdown hook; read when a program ends. */
  private volatile boolean ending;

  private boolean stopped;

  private LocalControlPlane(
      Programs programs, ControlPlaneOptions options, DataDir dir, boolean otherPorts)
      throws IOException {
    this.options = options;
    this.dir = dir;
    if (!dir.isTemporary()) {
      // an orphaned process may hold the API server's port
      Guardian.reap(dir.root());
    }
    this.ports = ports(dir.file("kubeconfig"), otherPorts, options.progress());
    this.commands = new CommandLines(programs, dir, ports);
    URI server = Ports.https(ports.apiServer(), "");
    Path kubeconfig =
        Kubeconfig.withToken(server, dir.caPem(), dir.token()).writeTo(dir.file("kubeconfig"));
    Kubeconfig.withToken(Ports.https(ports.scheduler(), ""), dir.caPem(), dir.token())
        .writeTo(dir.file(SCHEDULER_KUBECONFIG));
    Kubeconfig.withCertificate(server, dir.caPem(), dir.admin())
        .writeTo(dir.file("kubeconfig-client-certificate"));
    this.kubectl = new Kubectl(programs.path(Programs.KUBECTL), kubeconfig);
    this.probe = new ReadinessProbe(dir.caPem(), dir.token());
    this.guardian = Guardian.over(dir);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Ports of the last start in this directory, unless there was none or other ports are wanted. */
  private static Ports ports(Path kubeconfig, boolean others, Consumer<String> progress)
      throws IOException {
    Optional<Integer> before = Kubeconfig.server(kubeconfig).map(URI::getPort);
    if (before.isEmpty()) {
      return Ports.free();
    }
    Ports chosen = others ? Ports.free() : Ports.freeLike(before.get());
    if (chosen.apiServer() != before.get()) {
      progress.accept(
          "Port %d, which the API server of this directory had, is in use; it takes %d: export its kubeconfig again"
              .formatted(before.get(), chosen.apiServer()));
    }
    return chosen;
  }

  static LocalControlPlane start(Programs programs, ControlPlaneOptions options) {
    if (options.controllers() && !programs.hasControllers()) {
      throw new ControlPlaneException(
          "%s: has no kube-controller-manager and kube-scheduler; start without controllers, or add them"
              .formatted(programs.folder()));
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return startOnce(programs, options, attempt > 1);
      } catch (ControlPlaneException.PortTaken e) {
        if (attempt == PORT_ATTEMPTS) {
          throw e;
        }
        options.progress().accept("A port of the control plane was taken meanwhile, trying others");
      }
    }
  }

  private static LocalControlPlane startOnce(
      Programs programs, ControlPlaneOptions options, boolean otherPorts) {
    try {
      LocalControlPlane plane =
          new LocalControlPlane(programs, options, DataDir.open(options), otherPorts);
      try {
        plane.startAll();
        return plane;
      } catch (IOException | ControlPlaneException e) {
        plane.stop();
        throw e;
      }
    } catch (IOException e) {
      throw new ControlPlaneException("cannot start a control plane", e);
    }
  }

  private void startAll() throws IOException {
    run(Programs.ETCD, commands.etcd());
    startApiServer();
    if (options.controllers()) {
      PlaneProcess manager =
          run(
              Programs.CONTROLLER_MANAGER,
              commands.controllerManager(options.controllerManagerFlags()));
      PlaneProcess scheduler = run(Programs.SCHEDULER, commands.scheduler());
      awaitReady(manager, Ports.https(ports.controllerManager(), "/healthz"));
      awaitReady(scheduler, Ports.https(ports.scheduler(), "/healthz"));
    }
  }

  private void startApiServer() throws IOException {
    List<String> flags = new ArrayList<>(options.apiServerFlags());
    if (options.audited()) {
      Path policy = Files.writeString(dir.file("audit-policy.yaml"), AUDIT_POLICY);
      flags.addAll(0, CommandLines.audit(policy, dir.log(AUDIT)));
    }
    PlaneProcess apiServer = run(Programs.API_SERVER, commands.apiServer(flags));
    awaitReady(apiServer, Ports.https(ports.apiServer(), "/readyz"));
  }

  private PlaneProcess run(String program, List<String> command) throws IOException {
    PlaneProcess process = PlaneProcess.start(program, command, dir);
    processes.put(program, process);
    process.ended().thenAccept(ended -> onEnd(process, ended));
    return process;
  }

  /** Reports an unexpected end. A deliberate end removes the process from the map first. */
  private void onEnd(PlaneProcess process, EndedProgram ended) {
    if (!ending && processes.get(ended.name()) == process) {
      endedByItself.complete(ended);
    }
  }

  @Override
  public CompletionStage<EndedProgram> endedByItself() {
    return endedByItself.minimalCompletionStage();
  }

  /**
   * Waits for a 200. Fails at once when the program, or another one such as its etcd, has ended.
   */
  private void awaitReady(PlaneProcess subject, URI uri) {
    long start = System.nanoTime();
    while (!probe.isReady(uri)) {
      for (PlaneProcess process : processes.values()) {
        if (!process.isAlive()) {
          throw endedInstead(process);
        }
      }
      if (System.nanoTime() - start > READY_TIMEOUT.toNanos()) {
        throw new ControlPlaneException(
            "%s is not ready after %d s, %s does not answer 200%n%s"
                .formatted(subject.name(), READY_TIMEOUT.toSeconds(), uri, subject.tail()));
      }
      subject.waitFor(POLL);
    }
  }

  private static ControlPlaneException endedInstead(PlaneProcess process) {
    String tail = process.tail();
    String message = "%s ended instead of becoming ready%n%s".formatted(process.name(), tail);
    return tail.contains("address already in use")
        ? new ControlPlaneException.PortTaken(message)
        : new ControlPlaneException(message);
  }

  @Override
  public Path kubeconfig() {
    return kubectl.kubeconfig();
  }

  @Override
  public String kubectl(String... arguments) {
    return kubectl.run(List.of(arguments));
  }

  @Override
  public Path kubectlProgram() {
    return Path.of(kubectl.executable());
  }

  @Override
  public Optional<CertificateAuthority> authority() {
    try {
      return Optional.of(CertificateAuthority.of(dir.authority(), Clock.systemUTC()));
    } catch (IOException e) {
      throw new ControlPlaneException("cannot read the authority's certificate and key", e);
    }
  }

  @Override
  public Optional<Path> auditLog() {
    return options.audited() ? Optional.of(dir.log(AUDIT)) : Optional.empty();
  }

  @Override
  public Map<String, ProcessHandle> processes() {
    Map<String, ProcessHandle> running = new LinkedHashMap<>();
    for (String program : STOP_ORDER) {
      PlaneProcess process = processes.get(program);
      if (process != null) {
        running.put(program, process.handle());
      }
    }
    return running;
  }

  @Override
  public Optional<Path> schedulerKubeconfig() {
    return options.controllers() ? Optional.of(dir.file(SCHEDULER_KUBECONFIG)) : Optional.empty();
  }

  @Override
  public boolean hasControllers() {
    return options.controllers();
  }

  @Override
  public boolean ownsProcesses() {
    return true;
  }

  @Override
  public void killApiServer() {
    PlaneProcess apiServer = processes.remove(Programs.API_SERVER);
    if (apiServer != null) {
      apiServer.kill();
    }
  }

  @Override
  public void restartApiServer() {
    PlaneProcess running = processes.remove(Programs.API_SERVER);
    if (running != null) {
      running.terminate(GRACE);
    }
    try {
      startApiServer();
    } catch (IOException e) {
      throw new ControlPlaneException("cannot start the API server again", e);
    }
  }

  @Override
  public void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    ending = true;
    for (String program : STOP_ORDER) {
      PlaneProcess process = processes.remove(program);
      if (process == null) {
        continue;
      }
      if (dir.isTemporary()) {
        process.kill();
      } else {
        process.terminate(GRACE);
      }
    }
    try {
      guardian.close();
      dir.close();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IOException e) {
      throw new ControlPlaneException("cannot clear " + dir.root(), e);
    } catch (IllegalStateException shuttingDown) {
      // the hook runs anyway and finds nothing to kill
    }
  }

  private void killEverything() {
    ending = true;
    processes.values().forEach(PlaneProcess::killWithoutWaiting);
  }
}
