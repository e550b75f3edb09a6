package dev.vertlet.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.DecodeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages written out byte by byte: tag = number << 3 | wire type. */
class ProtoReaderTest {
  private static final Fields FIELDS = Fields.of("1 one", "2 two");

  @Test
  void readsFieldsInTheOrderTheyComeAndSkipsOthersOfEveryWireType() {
    // given: 9 varint, 10 fixed64, 11 bytes, 12 fixed32, then 1 and 2
    ProtoReader in =
        reader("48 ff01" + "51 0102030405060708" + "5a 02 aabb" + "65 01020304" + "0a 01 41 10 00");

    boolean first = in.next(FIELDS);
    String field = in.field();
    String text = in.text();
    boolean second = in.next(FIELDS);
    boolean flag = in.flag();

    assertThat(first).isTrue();
    assertThat(field).isEqualTo("one");
    assertThat(text).isEqualTo("A");
    assertThat(second).isTrue();
    assertThat(in.field()).isEqualTo("two");
    assertThat(flag).isFalse();
    assertThat(in.next(FIELDS)).isFalse();
  }

  @Test
  void readsNegativeNumbers() {
    ProtoReader in = reader("08 ffffffffffffffffff01");
    assertThat(in.next(FIELDS)).isTrue();
    assertThat(in.integer()).isEqualTo(-1);
  }

  @Test
  void readsTimesAndTakesTheEmptyOneAndGosZeroForNull() {
    ProtoReader in = reader("0a 04 0805 1007" + "0a 00" + "0a 0b 08 8092b8c398feffffff01");
    assertThat(in.next(FIELDS)).isTrue();
    assertThat(in.time()).isEqualTo(Instant.ofEpochSecond(5));
    assertThat(in.next(FIELDS)).isTrue();
    assertThat(in.time()).isNull();
    assertThat(in.next(FIELDS)).isTrue();
    assertThat(in.time()).isNull();
  }

  @Test
  void readsMapEntriesWithAbsentParts() {
    ProtoReader in = reader("0a 06 0a01 6b 1201 76" + "0a 03 0a01 6c" + "0a 02 1807");
    Map<String, String> map = new HashMap<>();

    while (in.next(FIELDS)) {
      in.entries(map);
    }

    assertThat(map).isEqualTo(Map.of("k", "v", "l", "", "", ""));
  }

  @Test
  void takesAnAbsentInlinedMessageForAnEmptyOne() {
    ProtoReader in = reader("0a 02 1800" + "1001");
    assertThat(in.next(FIELDS)).isTrue();
    in.enterInlined(1);
    assertThat(in.next(FIELDS)).isFalse();
    assertThat(in.next(FIELDS)).isTrue();
    assertThat(in.flag()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0a|ends in a number",
        "88|ends in a number",
        "80808080808080808080 01|number too long",
        "00 01|tag out of range",
        "8080808080 01|tag out of range",
        "0a 05 41|length beyond the message",
        "0a ffffffff07|length beyond the message",
        "0a ffffffffffffffffff01|length beyond the message",
        "0b|wire type 3",
        "0f|wire type 7",
        "48|ends in a number",
        "51 01|value beyond the message",
        "65 01|value beyond the message",
        "08 01|wire type 0 instead of 2",
        "0d 01020304|wire type 5 instead of 2"
      })
  void refusesMalformedInput(String hex, String message) {
    ProtoReader in = reader(hex);
    assertThatThrownBy(
            () -> {
              while (in.next(FIELDS)) {
                in.text();
              }
            })
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesATimeBeyondTheCalendar() {
    ProtoReader in = reader("0a 0a 08 ffffffffffffffff7f");
    assertThat(in.next(FIELDS)).isTrue();
    assertThatThrownBy(in::time)
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("time out of range");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "6b3873|no k8s magic number",
        "6b387301|no k8s magic number",
        "6b387300|envelope without object",
        "6b387300 1200|not a PodList",
        "6b387300 0a 0c 0a027631 1206 5365637265 74 1200|not a PodList"
      })
  void refusesAnEnvelopeOfSomethingElse(String hex, String message) {
    ProtoReader in = new ProtoReader(bytes(hex), new Interner());
    assertThatThrownBy(() -> in.enterTyped("PodList"))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  private static ProtoReader reader(String hex) {
    ProtoReader in = new ProtoReader(bytes(hex), new Interner());
    in.enterFrame();
    return in;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
