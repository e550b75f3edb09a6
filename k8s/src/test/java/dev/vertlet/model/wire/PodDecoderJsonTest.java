package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.WatchEvent.Bookmark;
import dev.vertlet.model.WatchEvent.Failure;
import dev.vertlet.model.WatchEvent.Upsert;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON that no 1.36 server writes, but others may. */
class PodDecoderJsonTest {
  private final PodDecoder decoder = new PodDecoder();

  @Test
  void toleratesNullWhereverJsonMayHaveIt() {
    String pod =
        """
        {"kind":null,"metadata":{"name":"a","namespace":null,"uid":"u","resourceVersion":"7",\
        "labels":{"k":null},"annotations":null,"ownerReferences":[null],"deletionTimestamp":null},\
        "spec":{"containers":null,"readinessGates":[null,{"conditionType":null}],\
        "priority":null},"status":{"conditions":null,"containerStatuses":[{"name":"c","state":null,\
        "lastState":{"running":{"startedAt":null}}}],"podIP":"10.0.0.9","podIPs":null}}
        """;

    PodView view = ((Upsert<PodView>) event("ADDED", pod)).object();

    assertThat(view.labels()).isEqualTo(Map.of("k", ""));
    assertThat(view.namespace()).isEmpty();
    assertThat(view.spec().containers()).isEmpty();
    assertThat(view.spec().readinessGates()).containsExactly("");
    assertThat(view.spec().terminationGracePeriodSeconds()).isEqualTo(30);
    assertThat(view.status().podIPs()).containsExactly("10.0.0.9");
    assertThat(view.status().containerStatuses().get(0).state()).isNull();
    assertThat(view.status().containerStatuses().get(0).lastState()).isEqualTo(new Running(null));
  }

  @Test
  void acceptsAnObjectThatComesBeforeItsType() {
    String frame = "{\"object\":{\"metadata\":{\"resourceVersion\":\"5\"}},\"type\":\"BOOKMARK\"}";

    WatchEvent<PodView> event = decoder.decodeEvent(JSON, Buffer.buffer(frame));

    assertThat(event).isEqualTo(new Bookmark<PodView>(5, false));
  }

  @Test
  void readsRetryAfterOfAnError() {
    String status =
        "{\"kind\":\"Status\",\"code\":429,\"reason\":\"TooManyRequests\",\"message\":\"m\","
            + "\"details\":{\"retryAfterSeconds\":3}}";

    WatchEvent<PodView> event = event("ERROR", status);

    assertThat(event)
        .isEqualTo(new Failure<PodView>(429, "TooManyRequests", "m", Duration.ofSeconds(3)));
  }

  @Test
  void takesAnErrorsRetryAfterOfZeroForNone() {
    assertThat(event("ERROR", "{\"details\":{\"retryAfterSeconds\":0},\"code\":500}"))
        .isEqualTo(new Failure<PodView>(500, "", "", null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"ADDED\"}|without object",
        "{\"object\":{}}|without type",
        "{}|without type",
        "[]|expected START_OBJECT",
        "{\"type\":1}|expected VALUE_STRING",
        "{\"type\":\"MOVED\",\"object\":{}}|unknown type",
        "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\"}}|not a Pod",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{}}}|no metadata.name",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}|no metadata.uid",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"uid\":\"u\"}}}|resourceVersion",
        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"x\"}}}|resourceVersion",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"creationTimestamp\":\"soon\"}}}|not a"
            + " time",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"generation\":1.5}}}|VALUE_NUMBER_INT",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"generation\":99999999999999999999}}}|out"
            + " of range",
        "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"hostNetwork\":\"yes\"}}}|VALUE_FALSE",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"labels\":{\"a\":{}}}}}|VALUE_STRING",
        "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"containers\":[[]]}}}|START_OBJECT",
        "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"containers\":[|ends early",
        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"1\"}}}{}|follows"
      })
  void refusesJsonThatIsNoEvent(String frame, String message) {
    assertThatThrownBy(() -> decoder.decodeEvent(JSON, Buffer.buffer(frame)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  @Test
  void doesNotQuoteContent() {
    assertThatThrownBy(() -> decoder.decodeEvent(JSON, Buffer.buffer("{\"type\":secret}")))
        .isInstanceOf(DecodeException.class)
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("Exception")
        .hasNoCause();
  }

  private WatchEvent<PodView> event(String type, String object) {
    String frame = "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    return decoder.decodeEvent(JSON, Buffer.buffer(frame));
  }
}
