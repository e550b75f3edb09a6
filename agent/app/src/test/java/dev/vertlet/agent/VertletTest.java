package dev.vertlet.agent;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.cli.FailedException;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.pods.PodFeed;
import dev.vertlet.pods.PodSource;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.status.StatusRetries;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An agent inside this test, over an embedded API server. */
@ExtendWith(VertxExtension.class)
class VertletTest {
  @TempDir private Path folder;
  private EmbeddedApiServer server;
  private @Nullable Vertlet vertlet;

  @BeforeEach
  void start(Vertx vertx) {
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    get(server.writeKubeconfig(folder.resolve("kubeconfig")));
  }

  @AfterEach
  void stop() {
    if (vertlet != null) {
      get(vertlet.stop().otherwiseEmpty());
    }
    get(server.stop());
  }

  private VertletBuilder builder() {
    return builder("kubeconfig");
  }

  private VertletBuilder builder(String kubeconfig) {
    return Vertlet.builder(
        """
        {"nodes": [{"name": "a"}], "agent": {"dataDir": "%s"}, "kubernetes": {"kubeconfig": "%s"},
         "server": {"port": 0, "portRange": 0, "healthzPort": 0, "address": "127.0.0.1",
                    "kubeletAddress": "127.0.0.1"}}
        """
            .formatted(folder.resolve("data"), folder.resolve(kubeconfig)));
  }

  private Vertlet run(VertletBuilder builder) {
    Vertlet built = builder.build();
    vertlet = built;
    get(built.run());
    return built;
  }

  private ObjectNode object(String plural, String namespace, String name) {
    return get(server.objects().get(plural, namespace, name));
  }

  private String holder() {
    return object("leases", "kube-node-lease", "a").at("/spec/holderIdentity").asText("");
  }

  private void runs(String pod) {
    eventually(
        () ->
            assertThat(object("pods", "default", pod).at("/status/phase").asText())
                .isEqualTo("Running"));
  }

  private void pod(String name) {
    get(server.objects().create("pods", Manifests.pod(name, "a")));
  }

  @Test
  void hasNoEffectBeforeItRuns() {
    Vertlet built = builder().build();

    assertThat(built.ready().isComplete()).isFalse();
    assertThat(built.done().isComplete()).isFalse();
    assertThat(server.requests()).isEmpty();
    assertThat(folder.resolve("data")).doesNotExist();

    assertThat(built.stop().succeeded()).isTrue();
    assertThat(built.ready().failed()).isTrue();
    assertThatThrownBy(built::run).isInstanceOf(IllegalStateException.class);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void isReadyWhenItsNodesAreServedAndDoneWhenItHasEnded() {
    Vertlet running = run(builder());
    get(running.ready());

    assertThat(object("nodes", "", "a").at("/metadata/uid").asText()).isNotEmpty();
    assertThat(holder()).isNotEmpty();
    assertThat(running.done().isComplete()).isFalse();
    assertThatThrownBy(running::run).isInstanceOf(IllegalStateException.class);

    get(running.stop());
    assertThat(running.done().succeeded()).isTrue();
    assertThat(holder()).isEmpty();
    get(run(builder()).ready());
  }

  @Test
  void isNotReadyWithoutAnApiServer() {
    Fault down = server.faults().on("*", "*").respond(503, "ServiceUnavailable");
    Vertlet running = run(builder());
    eventually(() -> assertThat(down.hits()).isPositive());
    assertThat(running.ready().isComplete()).isFalse();

    down.lift();
    get(running.ready());
  }

  @Test
  void endsWithEveryMistakeOfItsConfiguration() {
    Vertlet built = Vertlet.builder("{\"nodes\": [{\"nam\": \"a\"}], \"lease\": 1}").build();

    Future<Void> run = built.run();

    assertThatThrownBy(() -> get(built.done()))
        .isInstanceOfSatisfying(
            ConfigException.class, e -> assertThat(e.problems()).hasSizeGreaterThan(1));
    assertThat(run.cause()).isSameAs(built.done().cause());
    assertThat(built.ready().cause()).isSameAs(built.done().cause());
  }

  @Test
  void endsWithTheReasonWhyItCannotRun() {
    get(run(builder()).ready());
    Vertlet second = builder().build();

    assertThatThrownBy(() -> get(second.run())).isInstanceOf(FailedException.class);

    assertThatThrownBy(() -> get(second.done()))
        .hasMessageContaining(folder.resolve("data").toString());
    assertThatThrownBy(() -> Vertlet.start("{")).isInstanceOf(ConfigException.class);
  }

  @Test
  void aStopDuringTheStartEndsIt() {
    Vertlet built = builder().build();
    Future<Void> run = built.run();

    get(built.stop());

    assertThat(run.isComplete()).isTrue();
    assertThat(built.ready().isComplete()).isTrue();
    get(run(builder()).ready());
  }

  @Test
  void usesTheClientOfTheProgram() {
    VertletBuilder builder =
        builder("missing")
            .withClient(
                (vertx, options, metrics) ->
                    KubeClient.create(
                        vertx, options, ApiAccess.of(server.url(), server.token()), metrics));

    get(run(builder).ready());

    pod("p");
    runs("p");
  }

  @Test
  void endsWithTheErrorOfTheProgramsClient() {
    Vertlet built =
        builder()
            .withClient(
                (vertx, options, metrics) -> {
                  throw new IllegalStateException("no client");
                })
            .build();

    assertThatThrownBy(() -> get(built.run())).hasMessage("no client");
    assertThatThrownBy(() -> get(built.done())).hasMessage("no client");
  }

  @Test
  void passesEventsToTheProgram() {
    List<ObjectEvent> events = new CopyOnWriteArrayList<>();
    get(run(builder().withEvents(events::add)).ready());
    pod("p");

    eventually(() -> assertThat(events).extracting(ObjectEvent::reason).contains("Started"));
    assertThat(server.count("create", "events")).isZero();
  }

  @Test
  void writesTheTimesOfTheProgramsClock() {
    Clock future = Clock.offset(Clock.systemUTC(), Duration.ofDays(1000));
    get(run(builder().withClock(future)).ready());
    pod("p");
    runs("p");

    Instant later = Instant.now().plus(Duration.ofDays(900));
    assertThat(List.of(object("nodes", "", "a").at("/status/conditions/0/lastHeartbeatTime")))
        .allSatisfy(time -> assertThat(Instant.parse(time.asText())).isAfter(later));
    assertThat(
            Instant.parse(object("leases", "kube-node-lease", "a").at("/spec/renewTime").asText()))
        .isAfter(later);
    assertThat(Instant.parse(object("pods", "default", "p").at("/status/startTime").asText()))
        .isAfter(later);
  }

  @Test
  void asksTheProgramAboutErrorsOfItsNodes() {
    server.faults().on("create", "nodes").once().respond(422, "Invalid");
    List<String> errors = new CopyOnWriteArrayList<>();

    get(
        run(builder()
                .withNodeErrorHandler(
                    (node, failure) -> {
                      errors.add(node + " " + failure.kind());
                      return Future.succeededFuture();
                    }))
            .ready());

    assertThat(errors).containsExactly("a " + KubeException.Kind.INVALID);
  }

  @Test
  void asksTheProgramAboutRetries() {
    Fault fault = server.faults().on("patch", "pods/status").respond(500, "InternalError");
    List<FailedTry> failed = new CopyOnWriteArrayList<>();
    StatusRetries never =
        new StatusRetries(
            (tried, random) -> {
              failed.add(tried);
              return Optional.empty();
            },
            StatusRetries.ENDLESS);
    get(run(builder().withRetries(never)).ready());
    pod("p");

    eventually(() -> assertThat(failed).isNotEmpty());
    assertThat(failed).extracting(tried -> tried.pod().name()).containsOnly("p");
    assertThat(failed).extracting(FailedTry::tries).containsOnly(1);
    assertThat(fault.hits()).isPositive();
  }

  /** A program with a watch of its own, which knows no pods at the start. */
  private record Program(Promise<PodFeed> feed) implements PodSource {
    @Override
    public Future<Void> start(PodFeed given) {
      feed.complete(given);
      return Future.succeededFuture();
    }

    @Override
    public Future<List<PodView>> list(String node) {
      return Future.succeededFuture(List.of());
    }
  }

  @Test
  void deletesTheObjectOfAPodForTheProgram() {
    Program program = new Program(Promise.promise());
    get(run(builder().withPods(program)).ready());
    PodFeed feed = get(program.feed().future());
    pod("p");
    PodView pod = PodFeed.decode(Buffer.buffer(object("pods", "default", "p").toString()));
    feed.store(pod);
    runs("p");

    feed.enqueueDeletion(pod.ref());

    eventually(() -> assertThat(get(server.objects().find("pods", "default", "p"))).isEmpty());
    feed.forget(pod.ref());
  }
}
