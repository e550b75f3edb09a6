package dev.vertlet.runonce;

import dev.vertlet.backend.ShardProviders;
import dev.vertlet.bus.PodReport;
import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.runonce.PodRetries.Verdict;
import dev.vertlet.server.Liveness;
import dev.vertlet.sources.NodeSources;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code --runonce}: reads the static pods of all nodes once, runs them, and ends when all of their
 * containers run. Uses no server, no lease and no pods of an API server; if an API server is
 * configured and the node exists, it gets mirror pods.
 */
public final class RunOnce {
  private static final Logger LOG = LoggerFactory.getLogger(RunOnce.class);

  /** Limit of a provider call. */
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  /** Most sources named in the line about no pods. */
  private static final int PLACES = 5;

  private final Vertx vertx;
  private final LoadedConfig loaded;
  private final VertletConfig config;
  private final FeatureOptions options;
  private final MeterRegistry metrics;
  private final Consumer<String> out;
  private final Clock clock = Clock.systemUTC();

  /** Pods and sources that failed, as the kubelet's error lists them. */
  private final List<String> failed = new ArrayList<>();

  private final Map<String, PodProvider> providers = new HashMap<>();
  private @Nullable RunOnceMirrors mirrors;

  private RunOnce(Vertx vertx, LoadedConfig loaded, MeterRegistry metrics, Consumer<String> out) {
    this.vertx = vertx;
    this.loaded = loaded;
    this.config = loaded.config();
    this.options = new FeatureOptions(config);
    this.metrics = metrics;
    this.out = out;
  }

  /**
   * Runs the static pods of a configuration.
   *
   * @param out accepts one line for each pod, on an event loop
   * @return completes when all pods run; fails with the kubelet's error when one does not
   */
  public static Future<Void> run(
      LoadedConfig loaded, Vertx vertx, MeterRegistry metrics, Consumer<String> out) {
    Liveness liveness = new Liveness(new FeatureOptions(loaded.config()).syncLoopLimit());
    EventLoop loop = new EventLoop("main", liveness, metrics);
    return vertx
        .deployVerticle(loop)
        .compose(id -> loop.call(() -> new RunOnce(vertx, loaded, metrics, out).run()))
        .compose(running -> running);
  }

  private Future<Void> run() {
    List<NodeSources> sources =
        config.nodes().stream().map(ConfiguredNode::sources).filter(NodeSources::any).toList();
    return new RunOnceSources(
            vertx, clock, RunOnceSources.MANIFEST_DELAY, (what, why) -> fails(what, what, why))
        .read(sources)
        .compose(
            pods ->
                vertx
                    .executeBlocking(options::dns)
                    .compose(dns -> startProviders(pods, dns))
                    .compose(v -> connect())
                    .compose(v -> runAll(pods, sources)))
        .compose(v -> stopProviders())
        .compose(v -> result());
  }

  /**
   * @param what name in the kubelet's error
   * @param shown name in the output
   */
  private void fails(String what, String shown, String why) {
    failed.add(what);
    out.accept("failed   " + shown + ": " + why);
  }

  private Future<?> startProviders(List<StaticPod> pods, DnsSettings dns) {
    ShardProviders made =
        new ShardProviders(
            vertx, config, options.kubelet(), ActiveConfigs.local(loaded, dns), metrics, clock);
    Map<String, NodeSpec> specs =
        config.nodeSpecs().stream().collect(Collectors.toMap(NodeSpec::name, spec -> spec));
    Map<String, Buffer> manifests =
        pods.stream().collect(Collectors.toMap(pod -> pod.view().uid(), StaticPod::json));
    RunOnceContext context =
        new RunOnceContext(vertx, clock, new SplittableRandom(), specs, manifests);
    List<Future<Void>> started = new ArrayList<>();
    config.nodes().stream()
        .collect(Collectors.groupingBy(ConfiguredNode::provider))
        .forEach(
            (name, nodes) -> {
              NoReferences references = new NoReferences(vertx.getOrCreateContext());
              PodProvider provider = made.make(name, nodes, references, node -> false);
              nodes.forEach(node -> providers.put(node.spec().name(), provider));
              started.add(ask(() -> provider.start(context)));
            });
    return Future.all(started);
  }

  /** Connects only to a named API server: one that happens to exist is not ours. */
  private Future<?> connect() {
    if (config.kubernetes().kubeconfig().isEmpty()) {
      return Future.succeededFuture();
    }
    return KubeClient.create(vertx, options.client(), options.access(), metrics)
        .onSuccess(kube -> mirrors = new RunOnceMirrors(kube));
  }

  /** Reports that no pod was found: it is a success, but a wrong path looks the same. */
  private void tellOfNothing(List<NodeSources> sources) {
    String places =
        sources.stream()
            .flatMap(source -> Stream.<@Nullable Object>of(source.path(), source.url()))
            .filter(Objects::nonNull)
            .map(String::valueOf)
            .distinct()
            .limit(PLACES)
            .collect(Collectors.joining(", "));
    out.accept("no pods  in " + places);
  }

  private Future<?> runAll(List<StaticPod> pods, List<NodeSources> sources) {
    if (pods.isEmpty() && failed.isEmpty()) {
      tellOfNothing(sources);
    }
    return Future.join(pods.stream().map(this::run).toList());
  }

  /** Completes in any case. */
  private Future<Void> run(StaticPod pod) {
    PodProvider provider = providers.get(pod.view().nodeName());
    if (provider == null) {
      throw new IllegalStateException("no provider for node " + pod.view().nodeName());
    }
    String name = PodRetries.format(pod.view());
    return ask(() -> provider.create(pod.view()))
        .recover(
            failure ->
                Future.failedFuture(
                    "error syncing pod \"%s\": %s".formatted(name, Failures.line(failure))))
        .compose(v -> look(pod, provider, new PodRetries(pod.view())))
        .onFailure(failure -> fails(name, pod.ref().display(), Failures.line(failure)))
        .otherwiseEmpty();
  }

  private Future<Void> look(StaticPod pod, PodProvider provider, PodRetries tries) {
    return ask(() -> provider.get(pod.ref()))
        .compose(
            report -> {
              PodStatusView status = report.map(PodReport::status).orElse(null);
              Verdict verdict = tries.next(status);
              if (verdict instanceof Verdict.Wait wait) {
                LOG.atInfo()
                    .addKeyValue("pod", pod.ref().display())
                    .addKeyValue("delayMs", wait.delay().toMillis())
                    .log("containers not running yet, waiting");
                return sleep(wait.delay()).compose(v -> look(pod, provider, tries));
              } else if (verdict instanceof Verdict.Fails fails) {
                return Future.failedFuture(fails.reason());
              }
              out.accept("running  " + pod.ref().display());
              return mirrors == null || status == null
                  ? Future.succeededFuture()
                  : mirrors.show(pod, status);
            });
  }

  private <T> Future<T> ask(Supplier<Future<T>> call) {
    return ProviderCall.in(vertx.getOrCreateContext(), CALL_TIMEOUT, call);
  }

  private Future<Void> sleep(Duration time) {
    Promise<Void> over = Promise.promise();
    vertx.setTimer(time.toMillis(), id -> over.complete());
    return over.future();
  }

  /** Stops the providers, which leave their pods running. */
  private Future<?> stopProviders() {
    return Future.join(
            providers.values().stream().distinct().map(provider -> ask(provider::stop)).toList())
        .otherwiseEmpty();
  }

  private Future<Void> result() {
    return failed.isEmpty()
        ? Future.succeededFuture()
        : Future.failedFuture(
            new FailedException("error running pods: [" + String.join(" ", failed) + "]"));
  }
}
