package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;
import static org.awaitility.Awaitility.await;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A headless Chromium with one page, spoken to by its DevTools protocol.
 *
 * @see <a href="https://chromedevtools.github.io/devtools-protocol/">the protocol</a>
 */
final class Browser implements AutoCloseable {
  /** In place of a page's session. */
  private static final String BROWSER = "";

  private final Process process;
  private final Connection connection = new Connection();
  private final WebSocket socket;
  private final String session;
  private int lastId;

  private Browser(Process process, URI address) throws Exception {
    this.process = process;
    this.socket =
        get(HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, connection));
    String target =
        send(BROWSER, "Target.createTarget", new JsonObject().put("url", "about:blank"))
            .getString("targetId");
    this.session =
        send(
                BROWSER,
                "Target.attachToTarget",
                new JsonObject().put("targetId", target).put("flatten", true))
            .getString("sessionId");
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      send(domain + ".enable", new JsonObject());
    }
  }

  /**
   * @param profile an empty directory
   */
  static Browser start(Path profile) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Tool.BROWSER.find().orElseThrow().toString());
    if ("root".equals(System.getProperty("user.name"))) {
      command.add("--no-sandbox");
    }
    command.addAll(
        List.of(
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("browser.log").toFile())
            .start();
    try {
      Path port = profile.resolve("DevToolsActivePort");
      await().until(() -> !process.isAlive() || lines(port).size() == 2);
      if (!process.isAlive()) {
        throw new AssertionError(Files.readString(profile.resolve("browser.log")));
      }
      List<String> lines = lines(port);
      return new Browser(process, URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)));
    } catch (Exception | AssertionError e) {
      Waits.end(process);
      throw e;
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** Loads a file and waits until its scripts have run. */
  void open(Path file) throws Exception {
    open(file.toUri());
  }

  /** The same of any address. */
  void open(URI address) throws Exception {
    connection.events.clear();
    send("Page.navigate", new JsonObject().put("url", address.toString()));
    await().until(() -> !events("Page.loadEventFired").isEmpty());
  }

  /** The value of an expression of JavaScript. */
  Object evaluate(String expression) throws Exception {
    JsonObject answer =
        send(
            "Runtime.evaluate",
            new JsonObject().put("expression", expression).put("returnByValue", true));
    if (answer.containsKey("exceptionDetails")) {
      throw new AssertionError(answer.getJsonObject("exceptionDetails").encodePrettily());
    }
    return answer.getJsonObject("result").getValue("value");
  }

  /** The same of one that yields an array of texts. */
  List<String> texts(String expression) throws Exception {
    return ((JsonArray) evaluate(expression)).stream().map(String::valueOf).toList();
  }

  /** Lets the page believe that its user likes it so. */
  void prefer(String colorScheme) throws Exception {
    JsonObject feature =
        new JsonObject().put("name", "prefers-color-scheme").put("value", colorScheme);
    send(
        "Emulation.setEmulatedMedia",
        new JsonObject().put("features", new JsonArray().add(feature)));
  }

  void resize(int width, int height) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        new JsonObject()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
  }

  /** Presses a key, such as {@code Tab}, where the focus is. */
  void press(String key, int code) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      JsonObject event =
          new JsonObject()
              .put("type", type)
              .put("key", key)
              .put("code", key)
              .put("windowsVirtualKeyCode", code);
      if (key.equals("Enter") && type.equals("keyDown")) {
        event.put("text", "\r");
      }
      send("Input.dispatchKeyEvent", event);
    }
  }

  /** A PNG of what is seen. */
  byte[] screenshot() throws Exception {
    JsonObject shot =
        send("Page.captureScreenshot", new JsonObject().put("captureBeyondViewport", true));
    return Base64.getDecoder().decode(shot.getString("data"));
  }

  /** Everything that the page complained about since it was opened. */
  List<String> complaints() {
    return Stream.of(
            events("Runtime.exceptionThrown").stream(),
            events("Log.entryAdded").stream()
                .filter(event -> "error".equals(event.getJsonObject("entry").getString("level"))),
            events("Runtime.consoleAPICalled").stream()
                .filter(event -> List.of("error", "warning").contains(event.getString("type"))))
        .flatMap(events -> events)
        .map(JsonObject::encode)
        .toList();
  }

  /** Addresses that were asked for since the page was opened. */
  List<String> requests() {
    return events("Network.requestWillBeSent").stream()
        .map(event -> event.getJsonObject("request").getString("url"))
        .toList();
  }

  private List<JsonObject> events(String method) {
    return connection.events.stream()
        .filter(event -> method.equals(event.getString("method")))
        .map(event -> event.getJsonObject("params"))
        .toList();
  }

  private JsonObject send(String method, JsonObject parameters) throws Exception {
    return send(session, method, parameters);
  }

  private JsonObject send(String toSession, String method, JsonObject parameters) throws Exception {
    int id = ++lastId;
    JsonObject message =
        new JsonObject().put("id", id).put("method", method).put("params", parameters);
    if (!toSession.equals(BROWSER)) {
      message.put("sessionId", toSession);
    }
    CompletableFuture<JsonObject> answer = connection.answer(id);
    get(socket.sendText(message.encode(), true));
    JsonObject got = get(answer);
    if (got.containsKey("error")) {
      throw new AssertionError(method + ": " + got.getJsonObject("error").encode());
    }
    return got.getJsonObject("result");
  }

  /** In order, so that it leaves none of its own temporary files. */
  @Override
  public void close() throws Exception {
    try {
      send(BROWSER, "Browser.close", new JsonObject());
      int unused = Waits.exit(process);
    } finally {
      Waits.end(process);
    }
  }

  /** What the browser says; called by the client's threads, one message at a time. */
  private static final class Connection implements WebSocket.Listener {
    private final Map<Integer, CompletableFuture<JsonObject>> answers = new ConcurrentHashMap<>();
    private final List<JsonObject> events = new CopyOnWriteArrayList<>();
    private final StringBuilder message = new StringBuilder();

    CompletableFuture<JsonObject> answer(int id) {
      return answers.computeIfAbsent(id, key -> new CompletableFuture<>());
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        JsonObject json = new JsonObject(message.toString());
        message.setLength(0);
        if (json.containsKey("id")) {
          answer(json.getInteger("id")).complete(json);
        } else {
          events.add(json);
        }
      }
      return WebSocket.Listener.super.onText(socket, data, last);
    }
  }
}
