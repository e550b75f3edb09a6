package dev.vertlet.agent;

import dev.vertlet.cli.Cli;
import dev.vertlet.cli.Termination;
import dev.vertlet.config.process.Environment;

/** Entry point of {@code vertlet}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // without it, Vert.x looks for a logger by loading missing classes
    System.setProperty(
        "vertx.logger-delegate-factory-class-name",
        "io.vertx.core.logging.SLF4JLogDelegateFactory");
    Termination termination = Termination.ofProcess();
    Environment environment = Environment.ofProcess();
    AgentCommand agent = new AgentCommand(environment, Agent::start, termination);
    Cli cli = new Cli(environment, agent, termination);
    termination.exit(cli.run(args));
  }
}
