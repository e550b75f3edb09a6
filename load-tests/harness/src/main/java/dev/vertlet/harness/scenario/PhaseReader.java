package dev.vertlet.harness.scenario;

import dev.vertlet.config.document.Section;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** Reads one phase. */
final class PhaseReader {
  private final ArrivalReader arrivals;
  private final LifetimeReader lifetimes;

  PhaseReader(ArrivalReader arrivals, Problems problems) {
    this.arrivals = arrivals;
    this.lifetimes = new LifetimeReader(problems);
  }

  Phase read(Section phase) {
    String name = phase.text("name", "");
    boolean warmUp = phase.flag("warmUp");
    if (phase.has("hold")) {
      return new Phase.Hold(name, warmUp, phase.duration("hold", Duration.ZERO));
    }
    if (phase.has("create")) {
      return create(phase.section("create"), name, warmUp);
    }
    if (phase.has("deploy")) {
      Section deploy = phase.section("deploy");
      Arrival arrival = arrivals.read(deploy);
      int count =
          arrivals.required(deploy, "deployments", deploy.number("deployments", 1), arrival);
      return new Phase.Deploy(name, warmUp, count, deploy.number("replicas", 1), arrival);
    }
    if (phase.has("undeploy")) {
      Section undeploy = phase.section("undeploy");
      Arrival arrival = arrivals.read(undeploy);
      return new Phase.Undeploy(
          name, warmUp, arrivals.atMost(undeploy, "deployments", arrival), arrival);
    }
    if (phase.has("update")) {
      Section update = phase.section("update");
      Arrival arrival = arrivals.read(update);
      return new Phase.Update(name, warmUp, arrivals.count(update, "updates", arrival), arrival);
    }
    if (phase.has("rollout")) {
      return new Phase.Rollout(
          name, warmUp, phase.objects("rollout").getOrDefault("kubelet", new JsonObject()));
    }
    Section delete = phase.section("delete");
    Arrival arrival = arrivals.read(delete);
    return new Phase.Delete(name, warmUp, arrivals.atMost(delete, "pods", arrival), arrival);
  }

  private Phase create(Section create, String name, boolean warmUp) {
    Arrival arrival = arrivals.read(create);
    Optional<Lifetime> lifetime =
        create.has("lifetime") ? Optional.of(lifetimes.read(create)) : Optional.empty();
    return new Phase.Create(
        name, warmUp, arrivals.count(create, "pods", arrival), arrival, lifetime);
  }
}
