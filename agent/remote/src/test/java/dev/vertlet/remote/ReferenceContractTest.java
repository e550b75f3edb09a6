package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference back ends of whole pods answer as the contract says, to good and bad requests. */
@ParameterizedClass
@CsvSource({"pods.py, 200", "pods.mjs, 404"})
class ReferenceContractTest {
  private static final Contract CONTRACT = Contract.read();

  // as vertlet: the client's default asks for an upgrade to HTTP/2
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final int stats;
  private ReferenceBackend backend;

  /**
   * @param stats status of its answer to a call for usage, which is optional
   */
  ReferenceContractTest(String file, int stats) {
    this.backend = ReferenceBackend.start(file);
    this.stats = stats;
  }

  @AfterEach
  void endBackend() throws InterruptedException {
    backend.close();
  }

  private HttpResponse<String> send(String method, String target, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(backend.url() + target))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(CONTRACT.answer(method, target, answer.statusCode(), Buffer.buffer(answer.body())))
        .isEmpty();
    return answer;
  }

  private static String request(String name, String... command) {
    JsonObject pod = TestPods.pod(name, "Never");
    JsonArray words = new JsonArray(List.of(command));
    pod.getJsonObject("spec").getJsonArray("containers").getJsonObject(0).put("command", words);
    JsonObject body =
        new JsonObject()
            .put("generation", 7)
            .put("fingerprint", "f")
            .put("node", TestPods.NODE)
            .put("pod", pod);
    assertThat(CONTRACT.request("PUT", "/v1/pods/uid-" + name, body.toBuffer())).isEmpty();
    return body.encode();
  }

  private String cursor() throws Exception {
    return new JsonObject(send("GET", "/v1/pods?limit=5", "").body()).getString("cursor");
  }

  /** Status of the first pod that the stream says has finished. */
  private JsonObject finished(String cursor) throws Exception {
    Stream<String> lines =
        http.send(
                HttpRequest.newBuilder(URI.create(backend.url() + "/v1/events?from=" + cursor))
                    .build(),
                HttpResponse.BodyHandlers.ofLines())
            .body();
    Iterator<String> stream = lines.iterator();
    JsonObject state;
    do {
      String line = stream.next();
      assertThat(CONTRACT.line(Buffer.buffer(line))).isEmpty();
      state = new JsonObject(line).getJsonObject("pod");
    } while (state == null || !state.getBoolean("finished"));
    return state.getJsonObject("status");
  }

  @Test
  void everyAnswerAndLineKeepsTheContract() throws Exception {
    String cursor = cursor();
    assertThat(
            send("PUT", "/v1/pods/uid-a", request("a", "sh", "-c", "echo hi; exit 3")).statusCode())
        .isEqualTo(200);
    assertThat(finished(cursor).getString("phase")).isEqualTo("Failed");
    assertThat(send("GET", "/v1/pods/uid-a/containers/main/logs", "").body()).isEqualTo("hi\n");
    assertThat(send("GET", "/v1/pods/uid-a", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/v1/node?name=n", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/v1/stats/summary?node=n", "").statusCode()).isEqualTo(stats);
    assertThat(send("DELETE", "/v1/pods/uid-a?gracePeriodSeconds=0", "").statusCode())
        .isEqualTo(204);
    assertThat(send("GET", "/v1/pods?limit=5", "").body()).doesNotContain("uid-a");
  }

  @Test
  void aPodFailsAtItsDeadline() throws Exception {
    JsonObject body = new JsonObject(request("d", "sleep", "1000"));
    body.getJsonObject("pod").getJsonObject("spec").put("activeDeadlineSeconds", 1);
    String cursor = cursor();

    send("PUT", "/v1/pods/uid-d", body.encode());

    JsonObject status = finished(cursor);
    assertThat(status.getString("phase")).isEqualTo("Failed");
    assertThat(status.getString("reason")).isEqualTo("DeadlineExceeded");
  }

  @Test
  void aBackEndThatWasKilledEndsWhatItLeftBehind() throws Exception {
    String seconds = String.valueOf(ProcessHandle.current().pid() + 1_000_000);
    send("PUT", "/v1/pods/uid-e", request("e", "sleep", seconds));
    Waits.eventually(() -> assertThat(isSleeping(seconds)).isTrue());

    backend = backend.killAndStart();

    Waits.eventually(() -> assertThat(isSleeping(seconds)).isFalse());
    assertThat(send("GET", "/v1/pods/uid-e", "").statusCode()).isEqualTo(404);
  }

  private static boolean isSleeping(String argument) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().arguments().orElse(new String[0]))
        .anyMatch(arguments -> List.of(arguments).contains(argument));
  }

  @Test
  void refusalsAreToldFromRoutesThatAreMissing() throws Exception {
    assertThat(send("PUT", "/v1/pods/uid-b", request("b")).statusCode()).isEqualTo(422);
    assertThat(send("GET", "/v1/pods/uid-b", "").body()).contains("NotFound");
    assertThat(send("DELETE", "/v1/pods/uid-b?gracePeriodSeconds=5", "").statusCode())
        .isEqualTo(404);
    assertThat(send("GET", "/v1/events?from=5", "").statusCode()).isEqualTo(410);
    assertThat(send("GET", "/v1/elsewhere", "").body()).doesNotContain("reason");
    String old = request("c", "sleep", "9").replace("\"generation\":7", "\"generation\":6");
    assertThat(send("PUT", "/v1/pods/uid-c", request("c", "sleep", "9")).statusCode())
        .isEqualTo(200);
    assertThat(send("PUT", "/v1/pods/uid-c", old).statusCode()).isEqualTo(409);
    assertThat(send("GET", "/v1/pods/uid-c/containers/main/exec", "").statusCode()).isEqualTo(426);
    assertThat(send("GET", "/v1/pods/uid-c/containers/none/exec", "").statusCode()).isEqualTo(404);
  }
}
