package dev.vertlet.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MembersTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private long nanos;
  private final Members members = new Members("me", List.of("n1"), List.of(), () -> nanos);

  private static MemberView member(String name, int secondsAgo) {
    return member(name, secondsAgo, Rendezvous.digest(List.of("n1")));
  }

  private static MemberView member(String name, int secondsAgo, String nodes) {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease
        .putObject("metadata")
        .put("name", "vertlet-" + name)
        .put("resourceVersion", "7")
        .putObject("annotations")
        .put(ReplicaOptions.NODES_ANNOTATION, nodes);
    lease
        .putObject("spec")
        .put("holderIdentity", name)
        .put("leaseDurationSeconds", 15)
        .put("renewTime", NOW.minusSeconds(secondsAgo).toString());
    return MemberView.of(lease);
  }

  @Test
  void whoeverHasRenewedInTimeIsThere() {
    members.observed(member("b", 14));
    members.observed(member("c", 15));

    assertThat(members.living(NOW)).containsExactly("b");
    assertThat(members.living(NOW.plus(Duration.ofSeconds(1)))).isEmpty();
  }

  /** This machine's clock was set back: by it, no Lease expires for an hour. */
  @Test
  void aMemberThatDoesNotRenewIsGoneThoughThisClockIsBehind() {
    Instant behind = NOW.minusSeconds(3_600);
    members.observed(member("b", 0));
    members.observed(member("c", 0));

    nanos += Duration.ofSeconds(14).toNanos();
    members.observed(member("b", 0)); // read again, not renewed
    members.observed(member("c", -5));
    assertThat(members.living(behind)).containsExactly("b", "c");

    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(members.living(behind)).containsExactly("c");
  }

  @Test
  void thisOneIsThereAsLongAsItSaysSo() {
    // what others hold of its Lease may be old
    members.observed(member("me", 100));
    assertThat(members.living(NOW)).isEmpty();

    members.joined(true);
    assertThat(members.living(NOW)).containsExactly("me");

    members.joined(false);
    members.observed(member("me", 0));
    assertThat(members.living(NOW)).isEmpty();
  }

  @Test
  void whoHasOtherNodesDividesNothingWithThisOne() {
    members.joined(true);
    members.observed(member("b", 0));
    members.observed(member("c", 0, "n2"));

    assertThat(members.living(NOW)).containsExactly("b", "me");
    assertThat(members.strangers(NOW)).containsExactly("c");
    assertThat(members.strangers(NOW.plusSeconds(15))).isEmpty();
  }

  @Test
  void whoLeftIsNotThere() {
    members.observed(member("b", 0));
    members.observed(member("c", 0));

    members.gone("vertlet-b");

    assertThat(members.living(NOW)).containsExactly("c");
  }

  @Test
  void aLeaseThatNobodyHoldsOrRenewedIsNobodys() {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.putObject("metadata").put("name", "x");
    members.observed(MemberView.of(lease));

    assertThat(members.living(NOW)).isEmpty();
    assertThatThrownBy(() -> MemberView.of(JsonNodeFactory.instance.objectNode()))
        .isInstanceOf(DecodeException.class)
        .hasMessage("a Lease must have metadata.name");
  }

  @Test
  void whatIsDividedIsToldWhenItChangesAndNotBeforeThisOneIsAMember() {
    members.observed(member("b", 0));
    assertThat(members.divided(NOW)).isEmpty();

    members.joined(true);
    String owner = Rendezvous.owner("n1", List.of("b", "me"));
    assertThat(members.divided(NOW)).contains(Map.of("n1", owner));
    assertThat(members.divided(NOW)).isEmpty();

    members.gone("vertlet-b");
    assertThat(members.divided(NOW)).contains(Map.of("n1", "me"));

    members.joined(false);
    assertThat(members.divided(NOW)).as("nobody is there").contains(Map.of());
  }
}
