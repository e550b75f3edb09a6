package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectMetaTest {
  @Test
  void readsUidAndResourceVersionAmongOtherThings() {
    ObjectMeta meta =
        ObjectMeta.decode(
            Buffer.buffer(
                "{\"kind\":\"PartialObjectMetadata\",\"x\":{\"metadata\":1},\"metadata\":"
                    + "{\"labels\":{\"uid\":\"no\"},\"uid\":\"u\",\"resourceVersion\":\"42\"}}"));

    assertThat(meta).isEqualTo(new ObjectMeta("u", 42));
  }

  @Test
  void readsNoFurtherThanItMust() {
    String json = "{\"metadata\":{\"uid\":\"u\",\"resourceVersion\":\"42\",\"managedFields\":[[[";

    assertThat(ObjectMeta.decode(Buffer.buffer(json))).isEqualTo(new ObjectMeta("u", 42));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"metadata\":null}",
        "{\"metadata\":{\"uid\":",
        "{\"metadata\":{\"resourceVersion\":\"x\"}}"
      })
  void refusesWhatIsNoObject(String json) {
    assertThatThrownBy(() -> ObjectMeta.decode(Buffer.buffer(json)))
        .isInstanceOf(DecodeException.class);
  }
}
