package dev.vertlet.remote.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.remote.ScriptedBackend;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits of calls in time and number. */
class BackendClientTest {
  private static final Duration WAIT = Duration.ofMillis(50);
  private static final Call PULL =
      Call.put("pull", "/v1/image?node=n&image=i", Buffer.buffer("{}"))
          .patient(WAIT.multipliedBy(10_000));

  private final Vertx vertx = Vertx.vertx();
  private final List<HttpServerRequest> pulls = new CopyOnWriteArrayList<>();
  private ScriptedBackend backend;

  @BeforeEach
  void start() {
    backend = ScriptedBackend.start(vertx);
    backend.fault("PUT /v1/image", (request, body) -> pulls.add(request));
  }

  private BackendClient client(Duration longestWait) {
    RemoteSettings settings =
        RemoteSettings.read(ProviderSettings.of(new JsonObject().put("url", backend.url())));
    RemoteMeters meters = new RemoteMeters(new SimpleMeterRegistry());
    return new BackendClient(vertx, Clock.systemUTC(), settings, meters, longestWait);
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  @Test
  void aCallWithAConnectionHasItsOwnLimit() {
    Future<Answer> pulled = client(WAIT).call(PULL);
    Waits.eventually(() -> assertThat(pulls).hasSize(1));
    Promise<Void> later = Promise.promise();
    vertx.setTimer(WAIT.multipliedBy(2).toMillis(), id -> later.complete());
    Waits.get(later.future());

    pulls.get(0).response().end("{}");

    assertThat(Waits.get(pulled).status()).isEqualTo(200);
  }

  @Test
  void callsThatWaitTakeNoConnectionOfTheOthers() {
    BackendClient client = client(WAIT.multipliedBy(10_000));
    List<Future<Answer>> all = IntStream.range(0, 100).mapToObj(i -> client.call(PULL)).toList();
    Waits.eventually(() -> assertThat(pulls).hasSize(100));

    assertThat(Waits.get(client.call(Call.get("list", "/v1/pods?limit=1"))).status())
        .isEqualTo(200);
    pulls.forEach(pull -> pull.response().end("{}"));
    assertThat(Waits.get(Future.all(all)).succeeded()).isTrue();
  }
}
