package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Terminals, many ports and slow readers, with the reference back end behind them. */
class ReferenceStreamsTest {
  private static final int MEGABYTE = 1 << 20;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final ReferenceBackend backend = ReferenceBackend.start("pods.py");
  private RemotePods provider;
  private ContainerTarget target;

  @BeforeEach
  void startPod() {
    JsonObject json = TestPods.pod("a", "Always");
    JsonArray command = new JsonArray().add("sleep").add("1000");
    json.getJsonObject("spec").getJsonArray("containers").getJsonObject(0).put("command", command);
    PodView pod = TestPods.view(json);
    Map<String, JsonObject> api = new ConcurrentHashMap<>(Map.of(pod.uid(), json));
    RecordingContext context = new RecordingContext(vertx, api);
    target = new ContainerTarget(pod.ref(), TestPods.NODE, "main", "");
    ProviderSetup setup = TestPods.setup(vertx, backend.settings());
    RemoteSettings settings = RemoteSettings.read(setup.settings());
    provider =
        on(
            () ->
                Future.succeededFuture(
                    new RemotePods(setup, settings, new RemoteMeters(setup.metrics()))));
    on(() -> provider.start(context));
    on(() -> provider.create(pod));
    Waits.eventually(
        () ->
            assertThat(context.last(pod.uid()))
                .isNotNull()
                .matches(report -> report.status().phase() == PodPhase.RUNNING));
  }

  @AfterEach
  void stop() throws InterruptedException {
    on(provider::stop);
    Waits.get(vertx.close());
    backend.close();
  }

  private <T> T on(Supplier<Future<T>> call) {
    return Waits.get(begin(call));
  }

  private <T> Future<T> begin(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    loop.runOnContext(v -> call.get().onComplete(answer));
    return answer.future();
  }

  private ExecRequest command(boolean tty, String script) {
    return new ExecRequest(target, List.of("sh", "-c", script), tty);
  }

  @Test
  void aTerminalHasTheSizeOfTheClients() {
    Client client = Client.atTerminal();
    client.resize(81, 23);
    Future<Integer> done =
        begin(() -> provider.streams().exec(command(true, "read x; stty size"), client));

    client.in().send("go\n");

    assertThat(Waits.get(done)).isZero();
    assertThat(client.out().text()).contains("23 81");
  }

  @Test
  void fiftyPortsAreForwardedSideBySide() {
    int port =
        Waits.get(
                vertx
                    .createNetServer()
                    .connectHandler(
                        socket -> {
                          socket.handler(socket::write);
                          socket.endHandler(end -> socket.end());
                        })
                    .listen(0, "127.0.0.1"))
            .actualPort();
    List<Client> clients = IntStream.range(0, 50).mapToObj(i -> Client.sending()).toList();
    List<Future<Void>> done =
        clients.stream()
            .map(client -> begin(() -> provider.streams().portForward(target.pod(), port, client)))
            .toList();

    for (int i = 0; i < 50; i++) {
      clients.get(i).in().send("hello " + i);
    }
    for (int i = 0; i < 50; i++) {
      String text = "hello " + i;
      Client client = clients.get(i);
      Waits.eventually(() -> assertThat(client.out().text()).isEqualTo(text));
      client.in().end();
    }

    done.forEach(Waits::get);
    assertThat(clients).allMatch(client -> client.out().ended(), "both directions are closed");
  }

  @Test
  void aReaderThatDoesNotReadCostsTheBackEndNoMemory() {
    long before = backend.residentBytes();
    Client client = Client.sending();
    client.out().counting();
    client.out().hold();
    Future<Integer> done =
        begin(() -> provider.streams().exec(command(false, "head -c 100000000 /dev/zero"), client));
    Waits.eventually(() -> assertThat(client.out().count()).isPositive());

    assertThat(backend.residentBytes() - before).isLessThan(16 * MEGABYTE);
    assertThat(client.out().largestBacklog()).isLessThan(MEGABYTE);
    client.out().release();

    assertThat(Waits.get(done)).isZero();
    assertThat(client.out().count()).isEqualTo(100_000_000);
    assertThat(backend.residentBytes() - before).isLessThan(16 * MEGABYTE);
  }

  @Test
  void aHundredMegabytesGoIn() {
    Client client = Client.sending();
    Future<Integer> done = begin(() -> provider.streams().exec(command(false, "wc -c"), client));
    Buffer piece = Buffer.buffer(new byte[100_000]);
    for (int i = 0; i < 1000; i++) {
      client.in().send(piece);
    }
    client.in().end();

    assertThat(Waits.get(done)).isZero();
    assertThat(client.out().text().strip()).isEqualTo("100000000");
  }
}
