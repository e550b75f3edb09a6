package dev.vertlet.agent;

import dev.vertlet.config.Environment;
import java.util.ServiceLoader;

/** Entry point of {@code vertlet}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // Vert.x would look for a logger by loading classes that are not there
    System.setProperty(
        "vertx.logger-delegate-factory-class-name",
        "io.vertx.core.logging.SLF4JLogDelegateFactory");
    Termination termination = Termination.ofProcess();
    Cli cli = new Cli(Environment.ofProcess(), runner(), termination);
    termination.exit(cli.run(args));
  }

  private static AgentRunner runner() {
    return (config, vertx, registry) ->
        ServiceLoader.load(AgentRunner.class)
            .findFirst()
            .orElseThrow(() -> new FailedException("no agent is on the class path"))
            .start(config, vertx, registry);
  }
}
