package dev.vertlet.sandboxes;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class LeaderVerticleTest {
  private static final Duration DURATION = Duration.ofSeconds(15);

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private int renewals;
  private Vertx vertx;
  private EmbeddedApiServer api;
  private KubeClient kube;

  @BeforeEach
  void start(Vertx vertx) {
    this.vertx = vertx;
    api = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    kube =
        get(
            KubeClient.create(
                vertx,
                KubeClientOptions.defaults(),
                ApiAccess.of(api.url(), api.token()),
                new SimpleMeterRegistry()));
  }

  @AfterEach
  void stop() {
    get(kube.close());
    get(api.stop());
  }

  private final class Candidate implements LeaderVerticle.Listener {
    private final String identity;
    final LeaderVerticle verticle;
    String deployment = "";

    Candidate(String identity) {
      this.identity = identity;
      this.verticle =
          new LeaderVerticle(
              new SandboxConfig.Leader(true, "", "sandbox", DURATION, Duration.ofMillis(20)),
              "default",
              identity,
              "http://" + identity,
              kube,
              new Env(
                  Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC),
                  nanos::get,
                  new Random(1),
                  new SimpleMeterRegistry()),
              this);
    }

    Candidate deploy() {
      deployment = get(vertx.deployVerticle(verticle));
      return this;
    }

    @Override
    public Future<?> acquired() {
      told.add(identity + " acts");
      return Future.succeededFuture();
    }

    @Override
    public Future<?> lost() {
      told.add(identity + " ceases");
      return Future.succeededFuture();
    }
  }

  private Candidate candidate(String identity) {
    return new Candidate(identity).deploy();
  }

  /** The first candidate, which acts. */
  private Candidate acting() {
    Candidate one = candidate("one");
    awaitTold("one acts");
    return one;
  }

  private void awaitTold(String... all) {
    eventually(() -> assertThat(told).containsExactly(all));
  }

  private JsonNode lease() {
    return get(api.objects().get("leases", "default", "sandbox"));
  }

  private String holder() {
    return lease().path("spec").path("holderIdentity").asText("");
  }

  private long looks() {
    return api.count("get", "leases");
  }

  /** Waits until this many looks have begun, so that one at least is over. */
  private void looked(long more) {
    long now = looks();
    eventually(() -> assertThat(looks()).isGreaterThanOrEqualTo(now + more));
  }

  private void renewed(String holder) {
    get(
        api.objects()
            .patch(
                "leases",
                "default",
                "sandbox",
                "{\"spec\": {\"holderIdentity\": \"%s\", \"renewTime\": \"2026-01-01T00:00:00.%06dZ\"}}"
                    .formatted(holder, ++renewals)));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aLeaseThatIsNotThereIsMade() {
    Candidate one = candidate("one");

    awaitTold("one acts");
    JsonNode lease = lease();
    assertThat(holder()).isEqualTo("one");
    assertThat(lease.path("spec").path("leaseDurationSeconds").asInt()).isEqualTo(15);
    assertThat(lease.path("spec").path("acquireTime").asText())
        .isEqualTo("2026-01-01T00:00:00.000000Z");
    assertThat(
            lease.path("metadata").path("annotations").path(LeaderVerticle.URL_ANNOTATION).asText())
        .isEqualTo("http://one");
    assertThat(one.verticle.known()).isEqualTo(new LeaderVerticle.Known("one", "http://one"));
    looked(3);
    assertThat(told).as("once").hasSize(1);
  }

  @Test
  void whoWaitsNamesTheOneThatActs() {
    acting();

    Candidate two = candidate("two");

    eventually(
        () ->
            assertThat(two.verticle.known())
                .isEqualTo(new LeaderVerticle.Known("one", "http://one")));
    looked(4);
    assertThat(told).containsExactly("one acts");
  }

  @Test
  void aLeaseThatDoesNotChangeForItsDurationIsOverByTheOwnClock() {
    Candidate one = acting();
    get(vertx.undeploy(one.deployment));
    renewed("gone");
    candidate("two");
    looked(3);
    pass(DURATION.minusSeconds(1));
    looked(3);
    assertThat(holder()).isEqualTo("gone");
    renewed("gone");
    looked(3);
    pass(DURATION.minusSeconds(1));
    looked(3);
    assertThat(holder()).as("it was renewed once more").isEqualTo("gone");

    pass(Duration.ofSeconds(2));

    eventually(() -> assertThat(holder()).isEqualTo("two"));
    eventually(() -> assertThat(told).endsWith("two acts"));
  }

  @Test
  void whoCannotRenewStopsActingAtTwoThirds() {
    Candidate one = acting();
    var fault = api.faults().on("update", "leases").respond(500, "InternalError");
    looked(3);
    pass(Duration.ofMillis(9_900));
    looked(3);
    assertThat(told).containsExactly("one acts");

    pass(Duration.ofMillis(200));

    awaitTold("one acts", "one ceases");
    assertThat(holder()).as("nobody else may act before it is over").isEqualTo("one");
    fault.lift();
    awaitTold("one acts", "one ceases", "one acts");
    get(vertx.undeploy(one.deployment));
  }

  @Test
  void whoseLeaseSomebodyElseHasActsNoLonger() {
    Candidate one = acting();

    eventually(
        () -> {
          renewed("thief");
          assertThat(told).containsExactly("one acts", "one ceases");
        });

    assertThat(one.verticle.known().identity()).isEqualTo("thief");
  }

  @Test
  void aLeaseThatSomebodyDeletesIsMadeAnew() {
    acting();

    get(api.objects().delete("leases", "default", "sandbox"));

    eventually(
        () -> assertThat(get(api.objects().find("leases", "default", "sandbox"))).isPresent());
    looked(3);
    assertThat(holder()).isEqualTo("one");
    assertThat(told).containsExactly("one acts");
  }

  @Test
  void whoEndsGivesItBackAndTheNextOneNeedNotWait() {
    Candidate one = acting();

    get(vertx.undeploy(one.deployment));

    assertThat(told).containsExactly("one acts", "one ceases");
    assertThat(holder()).isEmpty();
    candidate("two");
    eventually(() -> assertThat(told).endsWith("two acts"));
  }

  @Test
  void whoOnlyWaitedGivesNothingBack() {
    acting();
    Candidate two = candidate("two");
    looked(4);

    get(vertx.undeploy(two.deployment));

    assertThat(holder()).isEqualTo("one");
    assertThat(told).containsExactly("one acts");
  }

  @Test
  void ofTwoThatBeginAtOnceOneActs() {
    candidate("one");
    candidate("two");

    eventually(() -> assertThat(told).hasSize(1));
    looked(6);
    assertThat(told).containsExactly(holder() + " acts");
  }
}
