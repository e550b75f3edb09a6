package dev.vertlet.remote;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A back end in memory with faults on demand. Its pods run as soon as they are put. Every request
 * is checked against the contract. State belongs to its event loop; what tests read is thread-safe.
 */
public final class ScriptedBackend {
  private static final Contract CONTRACT = Contract.read();

  private final Vertx vertx;
  private final Map<String, JsonObject> pods = new LinkedHashMap<>();
  private final List<JsonObject> changes = new ArrayList<>();
  private final List<HttpServerResponse> streams = new ArrayList<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final List<JsonObject> puts = new CopyOnWriteArrayList<>();
  private final Map<String, AtomicInteger> starts = new ConcurrentHashMap<>();

  /** Instead of the usual answer, by the beginning of {@code METHOD /path}. */
  private final Map<String, BiConsumer<HttpServerRequest, Buffer>> faults =
      new ConcurrentHashMap<>();

  private final Map<String, JsonObject> nodes = new ConcurrentHashMap<>();
  private final int port;
  private long revision = 1_000_000;
  private long oldest = revision;
  private int cutAfter = Integer.MAX_VALUE;
  private int written;
  private boolean silent;

  private ScriptedBackend(Vertx vertx, HttpServerOptions options) {
    this.vertx = vertx;
    HttpServer server = vertx.createHttpServer(options.setPort(0).setHost("127.0.0.1"));
    server.requestHandler(this::serve);
    this.port = Waits.get(server.listen()).actualPort();
  }

  public static ScriptedBackend start(Vertx vertx) {
    return start(vertx, new HttpServerOptions());
  }

  public static ScriptedBackend start(Vertx vertx, HttpServerOptions options) {
    return new ScriptedBackend(vertx, options);
  }

  public int port() {
    return port;
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** {@code METHOD /path} of all requests so far. */
  public List<String> calls() {
    return calls;
  }

  long calls(String beginning) {
    return calls.stream().filter(call -> call.startsWith(beginning)).count();
  }

  /** What broke the contract. */
  List<String> violations() {
    return violations;
  }

  /** Bodies of all puts. */
  List<JsonObject> puts() {
    return puts;
  }

  /** How often a pod was started. */
  int starts(String uid) {
    AtomicInteger count = starts.get(uid);
    return count == null ? 0 : count.get();
  }

  /** Answers requests that begin so in another way; null for the usual one again. */
  public void fault(String beginning, @Nullable BiConsumer<HttpServerRequest, Buffer> answer) {
    if (answer == null) {
      faults.remove(beginning);
    } else {
      faults.put(beginning, answer);
    }
  }

  /** Does something on the loop, and waits for it. */
  private <T> T on(Supplier<T> action) {
    return Waits.get(
        vertx.executeBlocking(
            () -> {
              synchronized (this) {
                return action.get();
              }
            }));
  }

  /** UIDs of all pods. */
  List<String> held() {
    return on(() -> List.copyOf(pods.keySet()));
  }

  /** Cuts the event stream after every so many lines. */
  void cutAfter(int lines) {
    on(() -> cutAfter = lines);
  }

  /** Says nothing more on the event stream, without closing it. */
  void silence(boolean value) {
    on(() -> silent = value);
  }

  /** Loses all pods and the event log, as a restart does. */
  void restartEmpty() {
    on(
        () -> {
          pods.clear();
          return forgetChanges();
        });
  }

  /** Loses the event log, so that no cursor is known any more. */
  void forgetCursors() {
    on(this::forgetChanges);
  }

  private boolean forgetChanges() {
    changes.clear();
    revision += 1000;
    oldest = revision;
    List.copyOf(streams).forEach(this::cut);
    return true;
  }

  private void cut(HttpServerResponse stream) {
    streams.remove(stream);
    stream.reset();
  }

  /** Replaces a node's document and tells of it. */
  void node(JsonObject node) {
    on(
        () -> {
          nodes.put(node.getJsonObject("metadata").getString("name"), node);
          return change("node", "node", node);
        });
  }

  /** Ends a pod's container. */
  void end(String uid, int exitCode) {
    on(() -> end(state(uid), exitCode));
  }

  private JsonObject state(String uid) {
    return Objects.requireNonNull(pods.get(uid), uid);
  }

  private boolean end(JsonObject state, int exitCode) {
    JsonObject status = state.getJsonObject("status");
    status.put("phase", exitCode == 0 ? "Succeeded" : "Failed");
    for (Object container : status.getJsonArray("containerStatuses")) {
      ((JsonObject) container)
          .put("ready", false)
          .put(
              "state",
              new JsonObject().put("terminated", new JsonObject().put("exitCode", exitCode)));
    }
    state.put("finished", true);
    return report(state);
  }

  /** Writes a line as it is to all streams. */
  void say(String line) {
    on(
        () -> {
          streams.forEach(stream -> stream.write(line + "\n"));
          return true;
        });
  }

  private boolean report(JsonObject state) {
    state.put("revision", revision + 1);
    return change("pod", "pod", state.copy());
  }

  private boolean change(String type, String key, Object value) {
    revision++;
    JsonObject line =
        new JsonObject().put("type", type).put("cursor", String.valueOf(revision)).put(key, value);
    if (type.equals("gone")) {
      line.put("revision", revision);
    }
    changes.add(line);
    List.copyOf(streams).forEach(stream -> send(stream, line));
    return true;
  }

  private void send(HttpServerResponse stream, JsonObject line) {
    if (silent) {
      return;
    }
    violations.addAll(CONTRACT.line(line.toBuffer()));
    if (++written % cutAfter == 0) {
      // in the middle of a line: half of it arrives
      Buffer text = line.toBuffer();
      streams.remove(stream);
      stream.write(text.slice(0, text.length() / 2)).onComplete(sent -> stream.reset());
    } else {
      stream.write(line.encode() + "\n");
    }
  }

  private void serve(HttpServerRequest request) {
    String call = request.method() + " " + request.path();
    calls.add(call);
    request
        .body()
        .onSuccess(
            body -> {
              violations.addAll(CONTRACT.request(request.method().name(), request.uri(), body));
              faults.entrySet().stream()
                  .filter(fault -> call.startsWith(fault.getKey()))
                  .findFirst()
                  .map(Map.Entry::getValue)
                  .orElse(this::answer)
                  .accept(request, body);
            });
  }

  /** Gives the usual answer. */
  synchronized void answer(HttpServerRequest request, Buffer body) {
    String[] path = request.path().split("/");
    String uid = path.length > 3 ? path[3] : "";
    switch (path[2]) {
      case "events" -> events(request);
      case "node" -> node(request);
      case "pods" -> {
        if (uid.isEmpty()) {
          list(request);
        } else if (request.method().equals(HttpMethod.PUT)) {
          put(request, uid, new JsonObject(body));
        } else if (request.method().equals(HttpMethod.DELETE)) {
          delete(request, uid);
        } else {
          json(request, 200, state(uid));
        }
      }
      default -> request.response().setStatusCode(404).end("{\"message\": \"no such route\"}");
    }
  }

  private void json(HttpServerRequest request, int status, JsonObject body) {
    violations.addAll(
        CONTRACT.answer(request.method().name(), request.uri(), status, body.toBuffer()));
    request.response().setStatusCode(status).end(body.toBuffer());
  }

  private void notFound(HttpServerRequest request) {
    json(request, 404, new JsonObject().put("reason", "NotFound").put("message", "no such pod"));
  }

  private void node(HttpServerRequest request) {
    JsonObject node = nodes.get(request.getParam("name"));
    if (node == null) {
      notFound(request);
    } else {
      json(request, 200, node);
    }
  }

  private void list(HttpServerRequest request) {
    String tag = "\"" + revision + "\"";
    if (tag.equals(request.getHeader("If-None-Match"))) {
      request.response().setStatusCode(304).end();
      return;
    }
    int limit = Integer.parseInt(request.getParam("limit", "1000000"));
    int from = Integer.parseInt(request.getParam("continue", "0"));
    List<JsonObject> all = List.copyOf(pods.values());
    int to = Math.min(all.size(), from + limit);
    JsonObject page =
        new JsonObject()
            .put("cursor", String.valueOf(revision))
            .put("pods", new JsonArray(all.subList(from, to)));
    if (to < all.size()) {
      page.put("continue", String.valueOf(to));
    }
    request.response().putHeader("ETag", tag);
    json(request, 200, page);
  }

  private void events(HttpServerRequest request) {
    long from = Long.parseLong(request.getParam("from"));
    if (from < oldest || from > revision) {
      json(request, 410, new JsonObject().put("message", "list again"));
      return;
    }
    HttpServerResponse response = request.response().setChunked(true);
    streams.add(response);
    response.closeHandler(
        closed -> {
          synchronized (this) {
            streams.remove(response);
          }
        });
    response.write("{\"type\":\"heartbeat\",\"cursor\":\"" + from + "\"}\n");
    for (JsonObject line : List.copyOf(changes)) {
      if (Long.parseLong(line.getString("cursor")) > from && streams.contains(response)) {
        send(response, line);
      }
    }
  }

  private void put(HttpServerRequest request, String uid, JsonObject body) {
    puts.add(body);
    JsonObject held = pods.get(uid);
    if (held != null && body.getLong("generation") < held.getLong("generation")) {
      json(request, 409, new JsonObject().put("reason", "Conflict").put("message", "older"));
      return;
    }
    JsonObject state = held == null ? begin(uid, body) : held;
    state
        .put("generation", body.getLong("generation"))
        .put("fingerprint", body.getString("fingerprint"));
    report(state);
    json(request, 200, state.copy());
  }

  private JsonObject begin(String uid, JsonObject body) {
    starts.computeIfAbsent(uid, key -> new AtomicInteger()).incrementAndGet();
    var pod = TestPods.view(body.getJsonObject("pod"));
    JsonObject state = TestPods.state(pod, revision, "Running");
    int count = body.getJsonObject("restartCounts", new JsonObject()).getInteger("main", 0);
    state
        .getJsonObject("status")
        .getJsonArray("containerStatuses")
        .getJsonObject(0)
        .put("restartCount", count);
    pods.put(uid, state);
    return state;
  }

  private void delete(HttpServerRequest request, String uid) {
    JsonObject held = pods.get(uid);
    if (held == null) {
      notFound(request);
    } else if (request.getParam("gracePeriodSeconds").equals("0")) {
      pods.remove(uid);
      change("gone", "uid", uid);
      request.response().setStatusCode(204).end();
    } else {
      request.response().setStatusCode(202).end();
      if (!held.getBoolean("finished")) {
        end(held, 0);
      }
    }
  }
}
