package dev.vertlet.harness.nodes;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.kube.access.ApiAccess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class NodeWriterTest {
  private static final int AT_ONCE = 4;

  private static final NodePattern PATTERN =
      NodePattern.read(
          "x",
          "{apiVersion: v1, kind: Node, metadata: {name: 'n{i}'}}".getBytes(StandardCharsets.UTF_8),
          new Environment(Map.of(), Host.detect()));

  private Vertx vertx;
  private EmbeddedApiServer server;

  @BeforeEach
  void start(Vertx running) throws Exception {
    vertx = running;
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
  }

  private NodeWriter writer() throws Exception {
    NodeWriter writer = new NodeWriter(ApiAccess.of(server.url(), server.token()), AT_ONCE);
    get(vertx.deployVerticle(writer));
    return writer;
  }

  private NodeOutcome scale(int count) throws Exception {
    NodeWriter writer = writer();
    List<FoundNode> found = get(writer.list(NodeSet.SELECTOR));
    get(writer.run(PATTERN, NodePlan.scale(PATTERN, found, count)));
    return get(writer.outcome());
  }

  private List<String> nodes() throws Exception {
    return get(server.objects().list("nodes", "")).stream()
        .map(node -> node.at("/metadata/name").asText())
        .sorted()
        .toList();
  }

  private void foreign(String name) throws Exception {
    get(server.objects().create("nodes", "{\"metadata\": {\"name\": \"%s\"}}".formatted(name)));
  }

  @Test
  void aSetGrowsAndShrinksAndTheSameNumberTwiceDoesNothing() throws Exception {
    foreign("n7");

    assertThat(scale(5).created()).containsExactly("n0", "n1", "n2", "n3", "n4");
    assertThat(scale(5).summary()).isEqualTo("0 nodes created, 0 deleted, 5 kept");
    assertThat(scale(2).deleted()).containsExactly("n2", "n3", "n4");
    assertThat(nodes()).containsExactly("n0", "n1", "n7");
    assertThat(scale(0).deleted()).containsExactly("n0", "n1");
    assertThat(nodes()).containsExactly("n7");
  }

  @Test
  void aNodeOfSomebodyElseStaysAndIsNamed() throws Exception {
    foreign("n1");

    NodeOutcome outcome = scale(3);

    assertThat(outcome.created()).containsExactly("n0", "n2");
    assertThat(outcome.failures())
        .containsExactly(
            Map.entry(
                "n1",
                "is there and has no label vertlet.dev/managed-by=nodes-command: it stays as it"
                    + " is"));
    assertThat(outcome.complete()).isFalse();
  }

  @Test
  void anotherRunThatWasFasterIsNoFailure() throws Exception {
    scale(2);
    NodeWriter writer = writer();

    get(writer.run(PATTERN, new NodePlan(List.of(0, 1, 2), List.of(), 0)));

    NodeOutcome outcome = get(writer.outcome());
    assertThat(outcome.created()).containsExactly("n2");
    assertThat(outcome.kept()).isEqualTo(2);
    assertThat(outcome.complete()).isTrue();
  }

  @Test
  void aNodeThatSomebodyMadeAnewIsNotRemoved() throws Exception {
    scale(1);
    NodeWriter writer = writer();

    get(writer.delete(NodePlan.delete(List.of(new FoundNode("n0", "another")))));

    assertThat(get(writer.outcome()).failures()).containsOnlyKeys("n0");
    assertThat(nodes()).containsExactly("n0");
  }

  @Test
  void aServerThatIsTooBusyIsAskedAgainWhenItSaysSo() throws Exception {
    server.faults().on("create", "nodes").times(3).throttle(1);

    assertThat(scale(6).created()).hasSize(6);

    assertThat(server.count("create", "nodes")).isEqualTo(9);
  }

  @Test
  void aCreateWhoseAnswerWasLostIsNoFailure() throws Exception {
    server.faults().on("create", "nodes").once().loseAnswer();

    NodeOutcome outcome = scale(3);

    assertThat(outcome.created()).hasSize(3);
    assertThat(outcome.complete()).isTrue();
  }

  @Test
  void whatTheServerRefusesForOneIsNotAskedForAll() throws Exception {
    server.faults().on("create", "nodes").respond(422, "Invalid");

    NodeOutcome outcome = scale(100);

    assertThat(outcome.created()).isEmpty();
    assertThat(outcome.invalid()).contains("422");
    assertThat(server.count("create", "nodes")).isLessThanOrEqualTo(AT_ONCE);
  }

  @Test
  void noMoreThanThatManyAreInFlight() throws Exception {
    server.faults().on("create", "nodes").hang();
    NodeWriter writer = writer();

    writer.run(PATTERN, NodePlan.scale(PATTERN, List.of(), 100));

    eventually(() -> assertThat(creates()).isEqualTo(AT_ONCE));
    assertThat(writer.done()).isZero();
  }

  @Test
  void whoIsStoppedFinishesWhatIsInFlightAndBeginsNothing() throws Exception {
    server.faults().on("create", "nodes").delay(Duration.ofMillis(300));
    NodeWriter writer = writer();
    Future<Void> work = writer.run(PATTERN, NodePlan.scale(PATTERN, List.of(), 100));
    await().until(() -> creates() == AT_ONCE);

    writer.cancel();
    get(work);

    NodeOutcome outcome = get(writer.outcome());
    assertThat(outcome.created()).hasSize(AT_ONCE);
    assertThat(nodes()).isEqualTo(outcome.created());
    server.faults().clear();
    assertThat(scale(10).kept()).isEqualTo(AT_ONCE);
    assertThat(nodes()).hasSize(10);
  }

  @Test
  void whoIsStoppedDoesNotTryAgain() throws Exception {
    server.faults().on("create", "nodes").throttle(1);
    NodeWriter writer = writer();
    Future<Void> work = writer.run(PATTERN, NodePlan.scale(PATTERN, List.of(), 100));
    await().until(() -> !writer.trouble().isEmpty());

    writer.cancel();
    get(work);

    assertThat(get(writer.outcome()).created()).isEmpty();
    assertThat(nodes()).isEmpty();
  }

  @Test
  void moreThanOnePageIsListed() throws Exception {
    ObjectNode labelled = new ObjectMapper().readValue(PATTERN.node(0).encode(), ObjectNode.class);
    for (int i = 0; i < 501; i++) {
      labelled.withObjectProperty("metadata").put("name", "n" + i);
      get(server.objects().create("nodes", labelled.deepCopy()));
    }

    assertThat(get(writer().list(NodeSet.SELECTOR))).hasSize(501);
    assertThat(server.count("list", "nodes")).isEqualTo(2);
  }

  @Test
  void fieldsThatNoNodeHasAreErrors() throws Exception {
    scale(1);

    assertThat(server.requests())
        .filteredOn(request -> request.verb().equals("create"))
        .filteredOn(request -> request.resource().equals("nodes"))
        .extracting(request -> request.parameter("fieldValidation"))
        .containsExactly("Strict");
  }

  private long creates() {
    return server.count(
        (ApiRequest request) ->
            request.verb().equals("create") && request.resource().equals("nodes"));
  }
}
