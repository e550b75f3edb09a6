package dev.vertlet.replicas;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** {@link Members} for the simulation of several agents. */
public final class SimulatedMembers {
  public static final Duration DURATION = Duration.ofSeconds(15);
  public static final Duration RENEW_INTERVAL = Duration.ofSeconds(5);

  private final Members members;

  public SimulatedMembers(String self, Collection<String> nodes, LongSupplier nanos) {
    members = new Members(self, nodes, List.of(), nanos);
  }

  /** How long after its last renewal began a member counts itself as one. */
  public static Duration holdFor() {
    return new ReplicaOptions(true, "g", "", DURATION, RENEW_INTERVAL).holdFor();
  }

  public void observed(JsonNode lease) {
    members.observed(MemberView.of(lease));
  }

  public void gone(String lease) {
    members.gone(lease);
  }

  public void joined(boolean held) {
    members.joined(held);
  }

  public Optional<Map<String, String>> divided(Instant now) {
    return members.divided(now);
  }

  public String annotation() {
    return ReplicaOptions.NODES_ANNOTATION;
  }

  public String digest() {
    return members.digest();
  }

  /** Whose a node is while these are there. */
  public static String owner(String node, Set<String> living) {
    return Rendezvous.owner(node, living);
  }
}
