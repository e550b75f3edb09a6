package dev.vertlet.kube.watch;

import static dev.vertlet.kube.client.ApiLab.FAST;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Thing;
import dev.vertlet.kube.ThingDecoder;
import dev.vertlet.kube.client.ApiLab;
import dev.vertlet.kube.client.HttpProtocol;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeMetrics;
import dev.vertlet.kube.client.TcpProxy;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReflectorTest {
  @AutoClose private final ApiLab lab = ApiLab.start();

  private static final Backoff QUICK =
      new Backoff(Duration.ofMillis(20), Duration.ofMillis(200), 2, 0.5);

  private final SharedWorld world = new SharedWorld();

  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void followsAListAndWhatComesAfter(HttpProtocol protocol) throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults());
    pod(lab, "a");
    pod(lab, "b");
    Reflector<Thing> reflector = reflector(lab.client(FAST.withProtocol(protocol)));

    get(reflector.start());
    pod(lab, "c");
    get(lab.server.objects().deleteNow("pods", "default", "a"));
    eventually(() -> assertThat(world.names()).containsExactly("b", "c"));
    assertThat(world.history()).startsWith("+a", "+b", "synced");
    assertThat(lab.server.count("list", "pods")).isZero();
    assertThat(reflector.synced()).isTrue();
    assertThat(reflector.lastEventAge()).isLessThan(Waits.LONG);
  }

  @Test
  void readsPagesFromAServerThatDoesNotStreamLists() throws Exception {
    Fault refusal = noStreaming(lab);
    for (int i = 0; i < 7; i++) {
      pod(lab, "p" + i);
    }

    get(reflector(lab.client(), paged(3)).start());
    pod(lab, "late");
    eventually(() -> assertThat(world.names()).hasSize(8));
    assertThat(lab.server.count("list", "pods")).isEqualTo(3);
    assertThat(refusal.hits()).isEqualTo(1);
  }

  @Test
  void startsOverUnpagedWhenTheTokenExpiresBetweenPages() throws Exception {
    noStreaming(lab);
    lab.server.faults().on("list", "pods").after(1).once().expire();
    for (int i = 0; i < 7; i++) {
      pod(lab, "p" + i);
    }

    get(reflector(lab.client(), paged(3)).start());
    assertThat(world.names()).hasSize(7);
    var lists = lab.server.requests().stream().filter(r -> r.is("list", "pods")).toList();
    assertThat(lists).hasSize(3);
    assertThat(lists.get(2).parameter("limit")).isEmpty();
  }

  @Test
  void findsWhatWasDeletedInAGapAndRepeatsNothing() throws Exception {
    pod(lab, "stays");
    pod(lab, "goes");
    pod(lab, "returns");
    get(reflector(lab.client()).start());
    world.clear();

    Fault closed = lab.server.faults().on("watch", "pods").respond(500, "InternalError");
    get(lab.server.cutWatches());
    await().until(() -> closed.hits() > 0);
    get(lab.server.objects().deleteNow("pods", "default", "goes"));
    get(lab.server.objects().deleteNow("pods", "default", "returns"));
    pod(lab, "returns");
    get(lab.server.expireWatchWindow());
    closed.lift();
    eventually(() -> assertThat(world.history()).hasSize(3));
    assertThat(world.history()).containsExactlyInAnyOrder("-goes", "-returns", "+returns");
    assertThat(lab.metric(KubeMetrics.RELISTS, "resource", "pods")).isEqualTo(1);
    eventually(() -> assertThat(world.gaps()).hasSize(1));
    assertThat(world.gaps().get(0)).isPositive();
  }

  @Test
  void watchesOnFromWhereItWasCut() throws Exception {
    get(reflector(lab.client()).start());
    lab.server.faults().on("watch", "pods").times(3).cutMidEvent();

    for (int i = 0; i < 5; i++) {
      pod(lab, "p" + i);
    }
    eventually(() -> assertThat(world.names()).hasSize(5));
    assertThat(world.history()).hasSize(6);
    assertThat(world.gaps()).isEmpty();
    assertThat(lab.metric(KubeMetrics.LISTS, "resource", "pods")).isEqualTo(1);
  }

  @Test
  void survivesAHundredCuts() throws Exception {
    get(reflector(lab.client()).start());

    for (int i = 0; i < 100; i++) {
      pod(lab, "p" + i);
      get(lab.server.cutWatches());
    }
    eventually(() -> assertThat(world.names()).hasSize(100));
  }

  @Test
  void listsAgainAfterAnEventThatIsTooLong() throws Exception {
    get(reflector(lab.client()).start());
    lab.server.faults().on("watch", "pods").once().oversizedEvent(200_000);

    pod(lab, "large");
    pod(lab, "small");
    eventually(() -> assertThat(world.names()).containsExactly("large", "small"));
    assertThat(lab.metric(KubeMetrics.DECODE_ERRORS, "resource", "pods")).isEqualTo(1);
    assertThat(lab.server.count("list", "pods")).isEqualTo(1);
  }

  @Test
  void listsAgainAfterAnEventThatIsNoJson() throws Exception {
    get(reflector(lab.client()).start());
    lab.server.faults().on("watch", "pods").once().malformedEvent();

    pod(lab, "a");
    eventually(() -> assertThat(world.names()).containsExactly("a"));
    assertThat(lab.metric(KubeMetrics.DECODE_ERRORS, "resource", "pods")).isEqualTo(1);
  }

  @Test
  void listsAgainAfterADecodersMistake() throws Exception {
    noStreaming(lab);
    pod(lab, "a");

    get(reflector(lab.client(), decodedBy(new Mistaken(), 500)).start());
    assertThat(world.names()).containsExactly("a");
    assertThat(lab.metric(KubeMetrics.DECODE_ERRORS, "resource", "pods")).isEqualTo(1);
  }

  /** Its mistake is its own: what comes after reaches it by the same watch. */
  @Test
  void goesOnAfterAListenersMistake() throws Exception {
    List<Throwable> mistakes = new CopyOnWriteArrayList<>();
    lab.vertx.exceptionHandler(mistakes::add);
    ReflectorListener<Thing> mistaken =
        new ReflectorListener<>() {
          @Override
          public void upserted(Thing object) {
            world.upserted(object);
            if (object.name().equals("a")) {
              throw new IllegalStateException("a listener's mistake");
            }
          }

          @Override
          public void deleted(Tombstone object) {
            world.deleted(object);
          }

          @Override
          public void synced() {
            world.synced();
          }
        };
    get(new Reflector<>(lab.client(), all(), mistaken, QUICK, new Random(7)).start());

    pod(lab, "a");
    pod(lab, "b");
    eventually(() -> assertThat(world.names()).containsExactly("a", "b"));
    assertThat(mistakes).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(lab.server.count("watch", "pods")).isEqualTo(1);
  }

  @Test
  void listsAgainAfterAnErrorEvent() throws Exception {
    get(reflector(lab.client()).start());
    lab.server.faults().on("watch", "pods").once().expireEvent();

    pod(lab, "a");
    eventually(() -> assertThat(world.names()).containsExactly("a"));
    assertThat(lab.metric(KubeMetrics.RELISTS, "resource", "pods")).isEqualTo(1);
  }

  @Test
  void comesBackAfterTheServerWasAway() throws Exception {
    pod(lab, "a");
    get(reflector(lab.client()).start());

    get(lab.server.suspend());
    pod(lab, "b");
    get(lab.server.objects().deleteNow("pods", "default", "a"));
    get(lab.server.resume());
    eventually(() -> assertThat(world.names()).containsExactly("b"));
  }

  @Test
  void hurriesBackWhenAnotherRequestGetsThrough() throws Exception {
    KubeClient client = lab.client();
    Backoff endless = new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(10), 1, 0);
    get(lab.server.suspend());
    Reflector<Thing> reflector = new Reflector<>(client, all(), world, endless, new Random(1));
    Future<Void> synced = reflector.start();
    ApiLab.failure(ApiLab.getNodes(client, Lane.REST));

    get(lab.server.resume());
    eventually(
        () -> {
          client.send(KubeRequest.get(Lane.REST, KubePath.nodes())).otherwiseEmpty().await();
          assertThat(synced.isComplete()).isTrue();
        });
  }

  @Test
  void hurriesBackOnceAServerThatIsStartingAnswersWell() throws Exception {
    KubeClient client = lab.client();
    Backoff endless = new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(10), 1, 0);
    get(lab.server.suspend());
    Reflector<Thing> reflector = new Reflector<>(client, all(), world, endless, () -> 0);
    Future<Void> synced = reflector.start();
    ApiLab.failure(ApiLab.getNodes(client, Lane.REST));
    Fault starting = lab.server.faults().on(request -> true).respond(500, "InternalError");
    get(lab.server.resume());
    eventually(
        () -> {
          ApiLab.failure(ApiLab.getNodes(client, Lane.REST));
          assertThat(starting.hits()).isGreaterThan(10);
        });

    starting.lift();
    eventually(
        () -> {
          ApiLab.getNodes(client, Lane.REST).otherwiseEmpty().await();
          assertThat(synced.isComplete()).isTrue();
        });
  }

  /** The connection holds all the time: only the answers are bad. */
  @ParameterizedTest
  @CsvSource({"401, Unauthorized", "500, InternalError", "503, ServiceUnavailable"})
  void hurriesBackWhenAnotherRequestGetsThroughAfterAStorm(int status, String reason)
      throws Exception {
    hurriesBackAfter(lab.server.faults().on(request -> true).respond(status, reason));
  }

  @Test
  void hurriesBackWhenAnotherRequestIsAnsweredAfterAnswersWereLost() throws Exception {
    hurriesBackAfter(lab.server.faults().on(request -> true).reset());
  }

  /**
   * Another request, and the first watch, meet the fault; a request that succeeds wakes the watch.
   */
  private void hurriesBackAfter(Fault fault) throws Exception {
    KubeClient client = lab.client();
    Backoff endless = new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(10), 1, 0);
    Reflector<Thing> reflector = new Reflector<>(client, all(), world, endless, () -> 0);
    Future<Void> synced = reflector.start();
    eventually(
        () -> {
          ApiLab.failure(ApiLab.getNodes(client, Lane.REST));
          assertThat(lab.server.count("watch", "pods")).isPositive();
        });

    fault.lift();
    eventually(
        () -> {
          ApiLab.getNodes(client, Lane.REST).otherwiseEmpty().await();
          assertThat(synced.isComplete()).isTrue();
        });
  }

  @Test
  void waitsForAServerThatIsAbsentAtTheStart() throws Exception {
    get(lab.server.suspend());
    Reflector<Thing> reflector = reflector(lab.client());

    Future<Void> started = reflector.start();
    boolean early = started.isComplete();
    get(lab.server.resume());
    get(started);
    assertThat(early).isFalse();
    assertThat(reflector.synced()).isTrue();
  }

  @Test
  void noticesAHalfOpenConnection() throws Exception {
    TcpProxy proxy = TcpProxy.to(lab.vertx, lab.server.port());
    Config config = lab.access().withMasterUrl("http://127.0.0.1:" + proxy.port()).build();
    Duration ping = Duration.ofMillis(100);
    KubeClient client =
        lab.client(FAST.withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(1), ping), config);
    get(reflector(client).start());

    proxy.freeze();
    pod(lab, "unseen");
    await().until(() -> lab.metric(KubeMetrics.CONNECTIONS, "connection", "watch") > 1);
    proxy.thaw();
    eventually(() -> assertThat(world.names()).containsExactly("unseen"));
  }

  @Test
  void opensAnotherConnectionBeyondNinetyWatches() throws Exception {
    KubeClient client = lab.client();
    pod(lab, "a");

    List<Future<Void>> started = new ArrayList<>();
    for (int i = 0; i < 95; i++) {
      started.add(new Reflector<>(client, all(), new SharedWorld(), QUICK, new Random(i)).start());
    }
    get(Future.all(started));
    assertThat(lab.metric(KubeMetrics.CONNECTIONS, "connection", "watch")).isEqualTo(2);
    assertThat(get(lab.server.openWatches())).isEqualTo(95);
  }

  @Test
  void deliversOnTheContextThatStartedIt() throws Exception {
    pod(lab, "a");
    KubeClient client = lab.client();
    Context other = ((VertxInternal) lab.vertx).createEventLoopContext();
    AtomicReference<Context> seen = new AtomicReference<>();
    world.onUpsert(() -> seen.set(Vertx.currentContext()));

    other.runOnContext(v -> reflector(client).start());
    eventually(() -> assertThat(seen).hasValue(other));
  }

  @Test
  void whatItToldIsTakenBack() throws Exception {
    pod(lab, "a");
    pod(lab, "b");
    Reflector<Thing> reflector = reflector(lab.client());
    get(reflector.start());
    eventually(() -> assertThat(world.names()).containsExactlyInAnyOrder("a", "b"));

    get(reflector.withdraw());
    assertThat(world.names()).isEmpty();
    // the server learns of it from the connection
    eventually(() -> assertThat(get(lab.server.openWatches())).isZero());
  }

  @Test
  void aRelistFindsWhatTheWatchDidNotBring() throws Exception {
    noStreaming(lab);
    pod(lab, "known");
    lab.server.faults().on("watch", "pods").swallowEvent();
    Reflector<Thing> reflector = reflector(lab.client());
    get(reflector.start());
    pod(lab, "missed");

    get(reflector.relist());
    assertThat(world.history()).containsExactly("+known", "synced", "+missed");
  }

  @Test
  void relistsAskedForDuringAListShareTheNextOne() throws Exception {
    Fault slow = lab.server.faults().on("watch", "pods").once().delay(Duration.ofMillis(300));
    Reflector<Thing> reflector = reflector(lab.client());
    Future<Void> started = reflector.start();
    await().until(() -> slow.hits() == 1);

    Future<Void> first = reflector.relist();
    Future<Void> second = reflector.relist();
    pod(lab, "new");
    get(Future.all(started, first, second));
    assertThat(world.names()).containsExactly("new");
    assertThat(lab.server.requests().stream().filter(r -> r.is("watch", "pods"))).hasSize(2);
  }

  @Test
  void whoeverWasAnsweredMayAskForTheNextListAtOnce() throws Exception {
    KubeClient client = lab.client();
    Reflector<Thing> reflector = reflector(client);
    get(reflector.start());
    Promise<Void> done = Promise.promise();
    // when: on the client's own context, where Futures complete in place
    client
        .context()
        .runOnContext(
            v -> {
              Future<Void> chained = reflector.relist().compose(x -> reflector.relist());
              Future.all(chained, reflector.relist()).<Void>mapEmpty().onComplete(done);
            });
    get(done.future());
    // then: the first, one more, and the next that both wait for
    assertThat(lab.metric(KubeMetrics.LISTS, "resource", "pods")).isEqualTo(3);
  }

  @Test
  void whatIsAskedForWhenTheFirstListIsThereIsNotAnsweredByIt() throws Exception {
    KubeClient client = lab.client();
    Promise<Double> lists = Promise.promise();
    // when: on the client's own context, where Futures complete in place
    client
        .context()
        .runOnContext(
            v -> {
              Reflector<Thing> reflector = reflector(client);
              reflector
                  .start()
                  .compose(synced -> reflector.relist())
                  .map(listed -> lab.metric(KubeMetrics.LISTS, "resource", "pods"))
                  .onComplete(lists);
            });
    assertThat(get(lists.future())).isEqualTo(2);
  }

  @Test
  void aRelistOutlastsAnAbsentServerAndEndsWithTheReflector() throws Exception {
    Reflector<Thing> reflector = reflector(lab.client());
    get(reflector.start());
    Fault away = lab.server.faults().on("watch", "pods").respond(500, "InternalError");
    Future<Void> relist = reflector.relist();
    await().until(() -> away.hits() > 1);

    away.lift();
    get(relist);
    lab.server.faults().on("watch", "pods").hang();
    Future<Void> unanswered = reflector.relist();
    get(reflector.stop());
    assertThatThrownBy(() -> get(unanswered)).hasMessageContaining("stopped");
    assertThatThrownBy(() -> get(reflector.relist())).hasMessageContaining("stopped");
  }

  @Test
  void isSilentOnceStopped() throws Exception {
    Reflector<Thing> reflector = reflector(lab.client());
    get(reflector.start());

    get(reflector.stop());
    pod(lab, "late");
    eventually(() -> assertThat(openWatches(lab.server)).isZero());
    assertThat(world.history()).containsExactly("synced");
  }

  private Reflector<Thing> reflector(KubeClient client) {
    return reflector(client, all());
  }

  private Reflector<Thing> reflector(KubeClient client, ListWatch<Thing> what) {
    return new Reflector<>(client, what, world, QUICK, new Random(7));
  }

  private static ListWatch<Thing> all() {
    return paged(500);
  }

  private static ListWatch<Thing> paged(int size) {
    return decodedBy(new ThingDecoder(), size);
  }

  private static ListWatch<Thing> decodedBy(ObjectDecoder<Thing> decoder, int size) {
    return new ListWatch<>(
        "pods", KubePath.pods(), "", "", decoder, size, 100_000, Duration.ofMinutes(5));
  }

  /** Makes a mistake with the first list. */
  private static final class Mistaken extends ThingDecoder {
    private boolean mistaken;

    @Override
    public ListPage<Thing> decodeList(String contentType, Buffer body) {
      if (!mistaken) {
        mistaken = true;
        throw new IllegalStateException("a decoder's mistake");
      }
      return super.decodeList(contentType, body);
    }
  }

  private static Fault noStreaming(ApiLab lab) {
    return lab.server
        .faults()
        .on("watch", "pods")
        .where(r -> !r.parameter("sendInitialEvents").isEmpty())
        .respond(422, "Invalid");
  }

  private static void pod(ApiLab lab, String name) throws Exception {
    get(lab.server.objects().create("pods", Manifests.pod(name)));
  }

  private static int openWatches(EmbeddedApiServer server) throws Exception {
    return get(server.openWatches());
  }
}
