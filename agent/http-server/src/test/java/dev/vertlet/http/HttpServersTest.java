package dev.vertlet.http;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import io.vertx.core.net.SelfSignedCertificate;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class HttpServersTest {
  private static final SelfSignedCertificate CERTIFICATE = SelfSignedCertificate.create();
  private static final int CONNECTIONS = 20;
  private static final int BYTES = 4 << 20;
  private static final String GOOD = "/good";

  private final AtomicLong now = new AtomicLong();
  private final ConcurrentLinkedQueue<CloseReason> refused = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<HttpServerRequest> waiting = new LinkedBlockingQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private Vertx vertx;
  private Context context;
  private HttpServers servers;
  private int port;

  @BeforeEach
  void set(Vertx vertx) {
    this.vertx = vertx;
    context = vertx.getOrCreateContext();
    servers = servers(CONNECTIONS, (reason, client) -> refused.add(reason));
  }

  private HttpServers servers(int connections, RefusedConnections refused) {
    return new HttpServers(
        vertx,
        new ConnectionLimits(
            connections,
            BYTES,
            128 << 10,
            250,
            2_500,
            Duration.ofSeconds(10),
            Duration.ofSeconds(90),
            Duration.ofSeconds(30)),
        refused,
        now::get);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void listen(boolean tls) {
    HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(0);
    if (tls) {
      options.setSsl(true).setUseAlpn(true).setKeyCertOptions(CERTIFICATE.keyCertOptions());
    }
    Future<HttpServer> listening =
        Future.future(
            done ->
                context.runOnContext(
                    v -> servers.create(options, this::serve).listen().onComplete(done)));
    port = Waits.get(listening).actualPort();
  }

  /** Admits what asks for a good path, lets the next wait, and refuses all others at once. */
  private void serve(HttpServerRequest request) {
    request.pause();
    switch (request.path()) {
      case GOOD -> {
        HttpServers.admitted(request);
        request.response().end("good");
      }
      case "/admitted" -> {
        HttpServers.admitted(request);
        waiting.add(request);
      }
      case "/waiting" -> waiting.add(request);
      default -> request.response().setStatusCode(401).end("bad");
    }
  }

  private Socket connect(String sent) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    sockets.add(socket);
    socket.setSoTimeout((int) Waits.LONG.toMillis());
    socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static boolean ended(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private HttpClient client(HttpVersion version) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setProtocolVersion(version)
            .setSsl(true)
            .setUseAlpn(true)
            .setTrustAll(true)
            .setVerifyHost(false));
  }

  private Future<HttpClientRequest> request(HttpClient http, String path) {
    return http.request(HttpMethod.POST, port, "127.0.0.1", path);
  }

  private int status(HttpClient http, String path) {
    return Waits.get(
        request(http, path).compose(request -> request.send().map(answer -> answer.statusCode())));
  }

  /** TLS 1.3 has none. */
  @Test
  void aClientThatBeginsAnotherHandshakeLosesItsConnection() throws Exception {
    listen(true);
    SSLContext tls = SSLContext.getInstance("TLSv1.2");
    tls.init(
        null, CERTIFICATE.trustOptions().getTrustManagerFactory(vertx).getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port);
    sockets.add(socket);
    socket.setSoTimeout((int) Waits.LONG.toMillis());
    socket.startHandshake();

    socket.startHandshake();

    assertThat(ended(socket)).isTrue();
  }

  @Test
  void anUnfinishedHeadEndsWithItsDeadline() throws Exception {
    listen(false);
    Socket slow = connect("GET / HTTP/1.1\r\nHost: a\r\nX-Long: ");
    Socket silent = connect("");
    eventually(() -> assertThat(servers.connections()).isEqualTo(2));

    now.set(Duration.ofSeconds(10).toNanos());

    assertThat(ended(slow)).isTrue();
    assertThat(ended(silent)).isTrue();
    assertThat(refused).containsExactly(CloseReason.HEAD_TIMEOUT, CloseReason.HEAD_TIMEOUT);
    eventually(() -> assertThat(servers.connections()).isZero());
  }

  @Test
  void shortFieldsCountAsWhatTheyBecome() throws Exception {
    listen(false);
    Socket first = connect("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(15_000));
    eventually(() -> assertThat(servers.connections()).isEqualTo(1));

    connect("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(15_000));

    assertThat(ended(first)).isTrue();
    assertThat(refused).containsExactly(CloseReason.UNADMITTED_BYTES);
  }

  /** An event loop reads from all connections that are ready before it does anything else. */
  @Test
  void headsThatComeTogetherAreLetGoOfOneByOne() throws Exception {
    byte[] head = ("GET / HTTP/1.1\r\nX: " + "x".repeat(100_000)).getBytes(UTF_8);
    int clients = BYTES / 2 / ConnectionLimits.CONNECTION;
    AtomicLong held = new AtomicLong();
    servers = servers(2 * clients, (reason, client) -> held.accumulateAndGet(direct(), Math::max));
    listen(false);
    for (int i = 0; i < clients; i++) {
      connect("");
    }
    eventually(() -> assertThat(servers.connections()).isEqualTo(clients));
    long before = direct();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    context.runOnContext(v -> sent.join());
    for (Socket socket : sockets) {
      socket.getOutputStream().write(head);
    }
    sent.complete(null);

    int most = BYTES / (ConnectionLimits.CONNECTION + head.length);
    eventually(() -> assertThat(servers.connections()).isLessThanOrEqualTo(most));
    assertThat(held.get() - before).isPositive().isLessThan(2L * BYTES);
  }

  /** Bytes of the buffers that connections have. */
  private static long direct() {
    return ((ByteBufAllocatorMetricProvider) VertxByteBufAllocator.POOLED_ALLOCATOR)
        .metric()
        .usedDirectMemory();
  }

  @Test
  void handshakesThatDoNotEndAreConnections() throws Exception {
    listen(true);
    Socket first = connect("");
    for (int i = 0; i < CONNECTIONS / 2; i++) {
      int open = Math.min(i + 1, CONNECTIONS / 2);
      eventually(() -> assertThat(servers.connections()).isEqualTo(open));
      connect("\u0016\u0003\u0001");
    }

    assertThat(ended(first)).isTrue();
    assertThat(refused).containsExactly(CloseReason.MAX_CONNECTIONS);
    assertThat(status(client(HttpVersion.HTTP_2), GOOD)).isEqualTo(200);
    assertThat(status(client(HttpVersion.HTTP_1_1), GOOD)).isEqualTo(200);
  }

  @Test
  void anAnsweredStreamIsResetBeforeItsClientEndsIt() throws Exception {
    listen(true);
    HttpClient http = client(HttpVersion.HTTP_2);
    // more than a connection may have at a time
    for (int i = 0; i < 300; i++) {
      int status =
          Waits.get(
              request(http, "/bad")
                  .compose(
                      request -> {
                        request.putHeader("x-long", "x".repeat(100_000)).setChunked(true);
                        request.sendHead();
                        return request.response().map(answer -> answer.statusCode());
                      }));
      assertThat(status).isEqualTo(401);
    }
    assertThat(refused).isEmpty();
    assertThat(servers.connections()).isEqualTo(1);
  }

  @Test
  void streamsThatWaitCountWithTheirHeads() throws Exception {
    listen(true);
    HttpClient good = client(HttpVersion.HTTP_2);
    assertThat(status(good, GOOD)).isEqualTo(200);
    HttpClient bad = client(HttpVersion.HTTP_2);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    for (int i = 0; i < 60 && !ended.isDone(); i++) {
      request(bad, "/waiting")
          .onSuccess(
              request -> {
                request.putHeader("x-long", "x".repeat(100_000)).setChunked(true);
                request.exceptionHandler(ended::complete);
                request.sendHead();
              });
    }

    Waits.get(ended);
    assertThat(refused).contains(CloseReason.UNADMITTED_BYTES);
    assertThat(status(good, GOOD)).isEqualTo(200);
  }

  @Test
  void aTrustedConnectionGetsAnAnswerWhenNothingIsLeft() throws Exception {
    listen(true);
    HttpClient http = client(HttpVersion.HTTP_2);
    assertThat(status(http, GOOD)).isEqualTo(200);
    List<Future<Integer>> statuses = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      statuses.add(
          request(http, "/waiting")
              .compose(
                  request ->
                      request
                          .putHeader("x-long", "x".repeat(100_000))
                          .send()
                          .map(answer -> answer.statusCode())));
    }

    assertThat(Waits.get(statuses.get(59))).isEqualTo(503);
    assertThat(status(http, GOOD)).isEqualTo(200);
    assertThat(servers.connections()).isEqualTo(1);
  }

  @Test
  void aWaitingRequestIsGivenUp() throws Exception {
    listen(true);
    HttpClient http = client(HttpVersion.HTTP_2);
    Future<Integer> waits =
        request(http, "/waiting")
            .compose(request -> request.send().map(answer -> answer.statusCode()));
    Future<Integer> admitted =
        request(http, "/admitted")
            .compose(request -> request.send().map(answer -> answer.statusCode()));
    HttpServerRequest one = Waits.take(waiting);
    HttpServerRequest other = Waits.take(waiting);

    now.set(Duration.ofSeconds(30).toNanos());

    eventually(() -> assertThat(waits.failed()).isTrue());
    (one.path().equals("/admitted") ? one : other).response().end();
    assertThat(Waits.get(admitted)).isEqualTo(200);
    assertThat(refused).containsExactly(CloseReason.ADMISSION_TIMEOUT);
  }

  @Test
  void aRefusedRequestWhoseBodyDoesNotComeEndsItsConnection() throws Exception {
    listen(false);
    Socket socket =
        connect(
            "POST /bad HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                + "a:\r\n".repeat(10_000)
                + "\r\n");
    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .startsWith("HTTP/1.1 401")
        .endsWith("bad");
    eventually(() -> assertThat(servers.connections()).isZero());
  }

  @Test
  void aHeadBehindARefusedRequestCounts() throws Exception {
    listen(false);
    Socket socket =
        connect("GET /bad HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n" + "a:\r\n".repeat(10_000));
    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void aSmallRefusalLeavesItsConnection() throws Exception {
    listen(false);
    Socket socket = connect("");
    for (int i = 0; i < 5; i++) {
      socket
          .getOutputStream()
          .write("GET /bad HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readNBytes(51), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 401").endsWith("bad");
    }
    assertThat(servers.connections()).isEqualTo(1);
  }

  @Test
  void aConnectionIsClosedAlthoughItsClientReadsNothing() throws Exception {
    listen(false);
    byte[] requests =
        "GET /bad HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100).getBytes(StandardCharsets.US_ASCII);
    List<Socket> deaf = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS / 2; i++) {
      Socket socket = connect("");
      deaf.add(socket);
      flood(socket, requests);
    }
    now.set(Duration.ofSeconds(30).toNanos());
    for (Socket socket : deaf) {
      eventually(() -> assertThat(isGone(socket, requests)).isTrue());
    }
    eventually(() -> assertThat(servers.connections()).isZero());
  }

  /** Writes on its own thread for as long as it may. */
  private static void flood(Socket socket, byte[] bytes) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 10_000; i++) {
                  socket.getOutputStream().write(bytes);
                }
              } catch (IOException closed) {
                // as it should be
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether the server has closed it, as a write to it shows. */
  private static boolean isGone(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return false;
    } catch (IOException gone) {
      return true;
    }
  }

  @Test
  void anUpgradedConnectionIsNotIdle() throws Exception {
    listen(false);
    Socket socket =
        connect("GET /admitted HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
    HttpServerRequest request = Waits.take(waiting);
    context.runOnContext(
        v -> request.response().setStatusCode(101).putHeader("Upgrade", "x").end());
    assertThat((char) socket.getInputStream().read()).isEqualTo('H');

    now.set(Duration.ofHours(1).toNanos());
    Socket later = connect("");
    eventually(() -> assertThat(servers.connections()).isEqualTo(2));
    now.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThat(ended(later)).isTrue();
    assertThat(servers.connections()).isEqualTo(1);
  }

  @Test
  void http2WithoutTlsIsSpokenWhereItWasAskedAlone() throws Exception {
    listen(false);
    String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    byte[] answer = connect(preface).getInputStream().readNBytes(5);
    assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/");

    servers.clearTextHttp2(true);
    listen(false);
    // SETTINGS come first
    byte[] frame = connect(preface).getInputStream().readNBytes(9);
    assertThat(frame[3]).isEqualTo((byte) 4);
  }
}
