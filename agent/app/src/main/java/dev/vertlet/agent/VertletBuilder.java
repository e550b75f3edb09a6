package dev.vertlet.agent;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.nodes.NodeErrorHandler;
import dev.vertlet.pods.PodSource;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.status.StatusRetries;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Builder of an agent inside another program; everything but the configuration is optional. */
public final class VertletBuilder {
  private final String config;
  private List<ProviderFactory> providers = List.of();
  private @Nullable PodSource pods = AgentHooks.NONE.pods();
  private Predicate<PodView> filter = AgentHooks.NONE.filter();
  private NodeErrorHandler nodeErrors = AgentHooks.NONE.nodeErrors();
  private StatusRetries retries = AgentHooks.NONE.retries();
  private @Nullable KubeClientFactory client = AgentHooks.NONE.client();
  private @Nullable Consumer<ObjectEvent> events = AgentHooks.NONE.events();
  private @Nullable Clock clock = AgentHooks.NONE.clock();

  VertletBuilder(String config) {
    this.config = config;
  }

  /**
   * Sets the providers for {@code nodes[].provider}, besides those of {@code providers.directory}.
   */
  public VertletBuilder withProviders(ProviderFactory... factories) {
    providers = List.of(factories);
    return this;
  }

  /**
   * Sets the source of pods: the program feeds the agent from its own watch, which can serve other
   * purposes, too, and the agent does not watch pods.
   */
  public VertletBuilder withPods(PodSource source) {
    pods = source;
    return this;
  }

  /**
   * Sets the filter of the agent's own watch. The agent ignores pods that it refuses, which another
   * program may run.
   *
   * @param accepted called with every state of every pod; a pod that it refuses later counts as
   *     gone. Must not block; an exception accepts the pod
   */
  public VertletBuilder withFilter(Predicate<PodView> accepted) {
    filter = accepted;
    return this;
  }

  /** Sets the handler of failed requests about Node objects; by default none. */
  public VertletBuilder withNodeErrorHandler(NodeErrorHandler handler) {
    nodeErrors = handler;
    return this;
  }

  /**
   * Sets the retry policies of status writes and deletions of pods; by default both are retried for
   * ever, 100 ms to 10 s apart. Those of a provider's create, update and delete are {@link
   * dev.vertlet.provider.pod.PodProvider#retries}.
   */
  public VertletBuilder withRetries(StatusRetries policies) {
    retries = policies;
    return this;
  }

  /** Sets the client of the API server; by default that of section {@code kubernetes}. */
  public VertletBuilder withClient(KubeClientFactory factory) {
    client = factory;
    return this;
  }

  /**
   * Sets the recorder of events; by default they are written to the API server.
   *
   * @param recorder called with every event on an event loop, which it must not block
   */
  public VertletBuilder withEvents(Consumer<ObjectEvent> recorder) {
    events = recorder;
    return this;
  }

  /**
   * Sets the clock of all times that are written or compared: of statuses and heartbeats, retries
   * about nodes, and the expiry of Leases; by default the machine's. Timers run by the machine's
   * time in any case, and look at this clock when they fire: while it stands still, no heartbeat is
   * due.
   */
  public VertletBuilder withClock(Clock value) {
    clock = value;
    return this;
  }

  /** Makes the agent, which has no effect before {@link Vertlet#run}. */
  public Vertlet build() {
    AgentHooks hooks = new AgentHooks(pods, filter, nodeErrors, retries, client, events, clock);
    return new Vertlet(config, providers, hooks);
  }

  /**
   * Makes the agent, runs it and waits as {@link Vertlet#start} does.
   *
   * @throws dev.vertlet.config.document.ConfigException with every mistake in the configuration
   * @throws dev.vertlet.cli.FailedException when it cannot run
   */
  public Vertlet start() throws InterruptedException {
    Vertlet vertlet = build();
    try {
      Vertlet.await(vertlet.run());
      return vertlet;
    } catch (InterruptedException e) {
      vertlet.close();
      throw e;
    }
  }
}
