package dev.vertlet.agent;

import dev.vertlet.cli.ConfigOptions;
import dev.vertlet.cli.ExitCode;
import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.cli.Termination;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.config.process.Environment;
import dev.vertlet.kube.AccessException;
import dev.vertlet.logging.Logging;
import dev.vertlet.runonce.RunOnce;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vertlet agent}: runs until a signal stops it. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    description = "Runs the agent until SIGTERM or SIGINT; pods are left running.")
final class AgentCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);

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

  @Option(
      names = "--runonce",
      description = {
        "Runs the static pods of nodes[].staticPodPath and nodes[].staticPodURL once, without server",
        "and leases, and ends: 0 when all of their containers run."
      })
  private boolean runOnce;

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
    if (config.tracing().enabled()) {
      Logging.bridgeTracing();
    }
    loaded.warnings().forEach(LOG::warn);
    LOG.atInfo()
        .setMessage("starting")
        .addKeyValue("version", BuildInfo.get().version())
        .addKeyValue("config", source)
        .addKeyValue("nodes", config.nodes().size())
        .log();
    ClassDataArchive.unused(System::getProperty)
        .ifPresent(
            archive ->
                LOG.atInfo()
                    .setMessage("the class-data archive is not used, so this start takes longer")
                    .addKeyValue("archive", archive)
                    .log());
    if (runOnce && config.nodes().stream().noneMatch(node -> node.sources().any())) {
      throw new ParameterException(
          spec.commandLine(), "--runonce needs a node with staticPodPath or staticPodURL");
    }
    try (AgentSession session = AgentSession.open(loaded, runOnce ? once() : runner)) {
      CompletableFuture.anyOf(session.started(), termination.requested()).get();
      boolean result = !runOnce || session.started().isDone();
      if (!runOnce) {
        CompletableFuture.anyOf(session.ended(), termination.requested()).get();
      }
      return session.stop() && result ? ExitCode.OK : ExitCode.FAILED;
    } catch (ExecutionException e) {
      Throwable failure = Failures.unwrap(e);
      LOG.debug("the start failed", failure);
      // mistakes in the configuration that appear only in use
      if (failure instanceof AccessException wrong) {
        throw wrong;
      }
      if (failure instanceof ConfigException refused) {
        throw refused;
      }
      throw new FailedException(Failures.line(failure), failure);
    }
  }

  private AgentRunner once() {
    PrintWriter out = spec.commandLine().getOut();
    return (loaded, vertx, metrics, exit) ->
        RunOnce.run(
                loaded,
                vertx,
                metrics,
                line -> {
                  out.println(line);
                  out.flush();
                })
            .<AgentRunner.Running>map(v -> Future::succeededFuture);
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
