package dev.vertlet.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusAnswerTest {

  @Test
  void tooManyRequestsTellsWhenToComeBackInWholeSeconds() {
    ApiRequest request = ApiRequest.of("PATCH", "/api/v1/namespaces/ns/pods/p/status");

    JsonObject body = StatusAnswer.body(request, 429, Duration.ofMillis(1_200));

    assertThat(body)
        .isEqualTo(
            new JsonObject(
                """
                {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                 "message": "injected fault: patch pods/status", "reason": "TooManyRequests",
                 "details": {"name": "p", "kind": "pods", "retryAfterSeconds": 2}, "code": 429}
                """));
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, 409, Conflict",
    "POST, 409, AlreadyExists",
    "GET, 410, Expired",
    "GET, 500, InternalError",
    "GET, 503, ServiceUnavailable",
    "GET, 418,",
  })
  void reasonsAreThoseOfTheApiServer(String method, int code, String reason) {
    ApiRequest request = ApiRequest.of(method, "/api/v1/nodes/n");

    assertThat(StatusAnswer.body(request, code, null).getString("reason")).isEqualTo(reason);
  }
}
