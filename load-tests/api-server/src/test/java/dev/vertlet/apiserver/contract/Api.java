package dev.vertlet.apiserver.contract;

import static dev.vertlet.testsupport.Waits.take;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.parsetools.RecordParser;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** A blocking HTTP client for contract tests, used on the JUnit thread. */
public final class Api {
  static final String NODES = "/api/v1/nodes";
  static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/%s/leases";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /** Vert.x closes a client that nobody refers to any more, though it may owe an answer still. */
  private static final Queue<HttpClient> CLIENTS = new ConcurrentLinkedQueue<>();

  private static final String RUN = Long.toString(System.nanoTime() & 0xFFFFFF, 36);

  /**
   * An answer.
   *
   * @param body the body as JSON, as one text when it is none
   */
  public record Answer(int code, JsonNode body, MultiMap headers, Buffer bytes) {
    /** Checks the status code. */
    public Answer is(int wanted) {
      assertThat(code).as("%s", body).isEqualTo(wanted);
      return this;
    }

    public String text(String pointer) {
      return body.at(pointer).asText();
    }

    public String reason() {
      return text("/reason");
    }

    public String contentType() {
      return headers.get("content-type");
    }

    public String version() {
      return text("/metadata/resourceVersion");
    }
  }

  private final Vertx vertx;
  private final Context context;
  private final HttpClient client;
  private final String url;
  private final String token;

  public Api(Vertx vertx, String url, String token, HttpVersion version) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.url = url;
    this.token = token;
    boolean tls = url.startsWith("https");
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(tls)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setUseAlpn(tls));
    CLIENTS.add(client);
  }

  /** The token that requests are sent with, empty for none. */
  String token() {
    return token;
  }

  /** The same server, asked by somebody else. */
  Api as(String otherToken) {
    return new Api(vertx, url, otherToken, HttpVersion.HTTP_1_1);
  }

  /** A name no other test uses, on a server that outlives the run too. */
  public static String unique(String prefix) {
    return prefix + "-" + RUN + "-" + COUNTER.incrementAndGet();
  }

  static String pods(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  static String leases(String namespace) {
    return LEASES.formatted(namespace);
  }

  /** A new namespace. */
  public String namespace() {
    String name = unique("ns");
    post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(name)).is(201);
    return name;
  }

  /** A pod of one container that no scheduler looks at. */
  static String unbound(String name) {
    return pod(name, "'schedulerName':'nobody'");
  }

  /**
   * A pod of one container on a node of its own, which does not exist: a real control plane removes
   * pods of an absent node 40 s after it has seen the node's name for the first time, in whatever
   * test.
   */
  static String bound(String name) {
    return bound(name, unique("absent"));
  }

  /** A pod of one container on a given node. */
  static String bound(String name, String node) {
    return pod(name, "'nodeName':'" + node + "'");
  }

  private static String pod(String name, String field) {
    return "{'metadata':{'name':'%s','labels':{'app':'%s'}},'spec':{%s,'containers':[{'name':'c','image':'i:1'}]}}"
        .formatted(name, name, field);
  }

  public Answer get(String path, String... headers) {
    return call(HttpMethod.GET, path, "", headers);
  }

  /** Reads until the object is there and as wanted. */
  Answer until(String path, Predicate<Answer> wanted) {
    return Awaitility.await(path)
        .until(() -> get(path), answer -> answer.code() == 200 && wanted.test(answer));
  }

  /** Reads until the object is not there. */
  void untilGone(String path) {
    Awaitility.await(path).until(() -> get(path).code() == 404);
  }

  public Answer post(String path, String body) {
    return call(HttpMethod.POST, path, body, "content-type", "application/json");
  }

  public Answer put(String path, String body) {
    return call(HttpMethod.PUT, path, body, "content-type", "application/json");
  }

  public Answer delete(String path, String body) {
    return call(HttpMethod.DELETE, path, body, "content-type", "application/json");
  }

  public Answer strategic(String path, String body) {
    return patch("strategic-merge-patch", path, body);
  }

  public Answer merge(String path, String body) {
    return patch("merge-patch", path, body);
  }

  public Answer jsonPatch(String path, String body) {
    return patch("json-patch", path, body);
  }

  private Answer patch(String kind, String path, String body) {
    return call(HttpMethod.PATCH, path, body, "content-type", "application/" + kind + "+json");
  }

  /** Sends a request; single quotes in the body stand for double ones. */
  public Answer call(HttpMethod method, String path, String body, String... headers) {
    return exchange(method, path, Buffer.buffer(body.replace('\'', '"')), headers);
  }

  /** Sends bytes as they are; the answer should be JSON. */
  Answer send(HttpMethod method, String path, Buffer body, String contentType) {
    return exchange(method, path, body, "content-type", contentType, "accept", "application/json");
  }

  private Answer exchange(HttpMethod method, String path, Buffer body, String... headers) {
    return onContext(
        () ->
            send(method, path, body, headers)
                .compose(
                    response ->
                        response
                            .body()
                            .map(
                                bytes ->
                                    new Answer(
                                        response.statusCode(),
                                        json(bytes),
                                        response.headers(),
                                        bytes))));
  }

  /**
   * On one context throughout: a handler set from the JUnit thread could come too late for the
   * body.
   */
  private <T> T onContext(Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(here -> task.get().onComplete(promise));
    return Waits.get(promise.future());
  }

  private Future<HttpClientResponse> send(
      HttpMethod method, String path, Buffer body, String... headers) {
    RequestOptions options = new RequestOptions().setMethod(method).setAbsoluteURI(url + path);
    if (!token.isEmpty()) {
      options.putHeader("authorization", "Bearer " + token);
    }
    for (int i = 0; i < headers.length; i += 2) {
      options.putHeader(headers[i], headers[i + 1]);
    }
    return client.request(options).compose(request -> request.send(body));
  }

  private static JsonNode json(Buffer bytes) {
    try {
      return MAPPER.readTree(bytes.getBytes());
    } catch (JsonProcessingException e) {
      return MAPPER.getNodeFactory().textNode(bytes.toString());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Sends a GET and does not wait for its answer. */
  public Future<HttpClientResponse> begin(String path) {
    Promise<HttpClientResponse> promise = Promise.promise();
    context.runOnContext(here -> send(HttpMethod.GET, path, Buffer.buffer()).onComplete(promise));
    return promise.future();
  }

  /** A connection of its own on which a test says HTTP/1.1 word by word. */
  RawConnection connect() {
    return RawConnection.open(vertx, URI.create(url), token);
  }

  /** For a test's own servers. */
  Vertx vertx() {
    return vertx;
  }

  /** Opens a watch. */
  public Watch watch(String pathAndQuery, String... headers) {
    return onContext(
        () -> send(HttpMethod.GET, pathAndQuery, Buffer.buffer(), headers).map(Watch::new));
  }

  /** A running watch, read event by event on the JUnit thread. */
  public static final class Watch {
    private static final int PREFIX = 4;

    private final BlockingQueue<Buffer> events = new LinkedBlockingQueue<>();
    private final Promise<Void> end = Promise.promise();
    private final HttpClientResponse response;

    Watch(HttpClientResponse response) {
      this.response = response;
      response.handler(isProtobuf() ? frames() : RecordParser.newDelimited("\n", events::add));
      response.exceptionHandler(end::tryFail);
      response.endHandler(done -> end.tryComplete());
    }

    private boolean isProtobuf() {
      return String.valueOf(response.getHeader("content-type")).contains("protobuf");
    }

    /** Each frame comes after its length. */
    private RecordParser frames() {
      RecordParser parser = RecordParser.newFixed(PREFIX);
      AtomicBoolean prefix = new AtomicBoolean(true);
      parser.handler(
          bytes -> {
            if (prefix.get()) {
              parser.fixedSizeMode(bytes.getInt(0));
            } else {
              parser.fixedSizeMode(PREFIX);
              events.add(bytes);
            }
            prefix.set(!prefix.get());
          });
      return parser;
    }

    public String contentType() {
      return response.getHeader("content-type");
    }

    /** The next event as it came. */
    public Buffer nextBytes() {
      try {
        Buffer event = take(events);
        assertThat(event).as("a watch event within 60 s").isNotNull();
        return event;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    public int code() {
      return response.statusCode();
    }

    /** The next event, or bookmark. */
    public JsonNode nextOrBookmark() {
      try {
        return MAPPER.readTree(nextBytes().getBytes());
      } catch (java.io.IOException e) {
        throw new AssertionError(e);
      }
    }

    /** The next event. Left out are bookmarks that a server sends whenever it likes. */
    public JsonNode next() {
      JsonNode event = nextOrBookmark();
      while (isProgress(event)) {
        event = nextOrBookmark();
      }
      return event;
    }

    /** Of a table nobody can tell: what it is of is within its rows. */
    private static boolean isProgress(JsonNode event) {
      return event.path("type").asText().equals("BOOKMARK")
          && !event.at("/object/kind").asText().equals("Table")
          && event.at("/object/metadata/annotations/k8s.io~1initial-events-end").isMissingNode();
    }

    /** The next event, as {@code TYPE name}. */
    public String nextLine() {
      JsonNode event = next();
      return event.path("type").asText() + " " + event.at("/object/metadata/name").asText();
    }

    /** Completes when the server ends the stream, fails when it breaks. */
    public Future<Void> ended() {
      return end.future();
    }

    /** Events that arrived and were not read. */
    public List<String> unread() {
      return events.stream().map(Buffer::toString).toList();
    }

    public void close() {
      Waits.get(response.request().reset().mapEmpty());
    }
  }
}
