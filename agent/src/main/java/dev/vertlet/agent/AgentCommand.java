package dev.vertlet.agent;

import dev.vertlet.config.BuildInfo;
import dev.vertlet.config.Environment;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.model.GoDuration;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vertlet agent}: runs until it is told to stop. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    description = "Runs the agent until SIGTERM or SIGINT; pods are left running.")
final class AgentCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);

  /** The share of agent.shutdownTimeout that closing the event loops may take. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private final Environment environment;
  private final AgentRunner runner;
  private final Termination termination;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration. Default: conf/vertlet.json beside the launcher.")
  private @Nullable Path file;

  AgentCommand(Environment environment, AgentRunner runner, Termination termination) {
    this.environment = environment;
    this.runner = runner;
    this.termination = termination;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path source = file();
    LoadedConfig loaded = options.load(environment, source);
    VertletConfig config = loaded.config();
    Logging.apply(config.log());
    loaded.warnings().forEach(LOG::warn);
    LOG.atInfo()
        .setMessage("starting")
        .addKeyValue("version", BuildInfo.get().version())
        .addKeyValue("config", source)
        .addKeyValue("nodes", config.nodes().size())
        .log();
    try (DataDir dir = DataDir.take(config.agent().dataDir(), config.agent().identity());
        Metrics metrics = metrics()) {
      Vertx vertx = AgentVertx.create(config, metrics);
      try {
        return run(config, vertx, metrics);
      } finally {
        close(vertx);
      }
    }
  }

  private int run(VertletConfig config, Vertx vertx, Metrics metrics) throws InterruptedException {
    CompletableFuture<AgentRunner.Running> started = new CompletableFuture<>();
    runner
        .start(config, vertx, metrics.registry())
        .onComplete(started::complete, started::completeExceptionally);
    try {
      CompletableFuture.anyOf(started, termination.requested()).get();
      termination.requested().get();
      return stop(started, config.agent().shutdownTimeout().minus(CLOSE_TIMEOUT));
    } catch (ExecutionException e) {
      Throwable failure = Failures.unwrap(e);
      LOG.debug("the start failed", failure);
      throw new FailedException(Failures.line(failure), failure);
    }
  }

  /** A start that is still under way is waited for: it may have taken leases already. */
  private static int stop(CompletableFuture<AgentRunner.Running> started, Duration timeout)
      throws InterruptedException {
    LOG.info("stopping");
    try {
      started
          .thenCompose(running -> running.stop().toCompletionStage())
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      LOG.info("stopped");
      return ExitCode.OK;
    } catch (TimeoutException e) {
      LOG.atWarn()
          .setMessage("gave up waiting for writes and leases")
          .addKeyValue("shutdownTimeout", GoDuration.format(timeout))
          .log();
      return ExitCode.OK;
    } catch (ExecutionException e) {
      LOG.atError().setMessage("the stop failed").addKeyValue("error", Failures.line(e)).log();
      return ExitCode.FAILED;
    }
  }

  private static void close(Vertx vertx) throws InterruptedException {
    try {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.atWarn()
          .setMessage("event loops did not close in order")
          .addKeyValue("error", Failures.line(e))
          .log();
    }
  }

  private static Metrics metrics() {
    BuildInfo build = BuildInfo.get();
    return new Metrics(build.version(), build.commit(), BuildInfo.KUBERNETES);
  }

  private Path file() {
    if (file != null) {
      return file;
    }
    String home = environment.variables().get("VERTLET_HOME");
    if (home != null) {
      return Path.of(home, "conf", "vertlet.json");
    }
    throw new ParameterException(
        spec.commandLine(), "--config is needed where VERTLET_HOME is not set");
  }
}
