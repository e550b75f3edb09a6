package dev.vertlet.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedPortsTest {
  private static ForwardedPorts.Read query(String... values) {
    return ForwardedPorts.query(List.of(values), 100);
  }

  /** virtual-kubelet 2.3-portforward: the ports of a WebSocket. */
  @Test
  @Tag("2.3-portforward")
  void readsPortsOfAQuery() {
    assertThat(query("80").ports()).containsExactly(80);
    assertThat(query("80,90,100").ports()).containsExactly(80, 90, 100);
    assertThat(query("80", "90").ports()).containsExactly(80, 90);
    assertThat(query("80", "90").complaint()).isNull();
  }

  @Test
  @Tag("2.3-portforward")
  void complainsOfQueriesAsKubeletsDo() {
    assertThat(query().complaint()).isEqualTo("query parameter \"port\" is required");
    assertThat(query("").complaint()).isEqualTo("query parameter \"port\" cannot be empty");
    assertThat(query("abc").complaint())
        .isEqualTo(
            "unable to parse \"abc\" as a port: strconv.ParseUint: parsing \"abc\": invalid syntax");
    assertThat(query("-1").complaint())
        .isEqualTo(
            "unable to parse \"-1\" as a port: strconv.ParseUint: parsing \"-1\": invalid syntax");
    assertThat(query("80,65536").complaint())
        .isEqualTo(
            "unable to parse \"80,65536\" as a port: strconv.ParseUint: parsing \"65536\": value"
                + " out of range");
    assertThat(query("0").complaint()).isEqualTo("port \"0\" must be > 0");
    assertThat(query("80,").complaint()).contains("parsing \"\"");
    assertThat(query("\"\n").complaint()).startsWith("unable to parse \"\\\"\\u000a\" as a port");
  }

  @Test
  void limitsHowManyPortsThereAre() {
    List<String> many = Collections.nCopies(101, "80");
    assertThat(ForwardedPorts.query(many, 100).complaint())
        .isEqualTo("query parameter \"port\" names 101 ports, at most 100 are forwarded at once");
  }

  /** virtual-kubelet 2.3-portforward: the headers of a stream. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, ``, \"port\" header is required",
        "abc, ``, unable to parse \"abc\" as a port: strconv.ParseUint: parsing \"abc\": invalid"
            + " syntax",
        "-1, ``, unable to parse \"-1\" as a port: strconv.ParseUint: parsing \"-1\": invalid"
            + " syntax",
        "80, ``, \"streamType\" header is required",
        "80, foo, invalid stream type \"foo\""
      })
  @Tag("2.3-portforward")
  void refusesStreamsAsKubeletsDo(String port, String kind, String complaint) {
    assertThat(ForwardedPorts.streamComplaint(port, kind)).isEqualTo(complaint);
  }

  @Test
  @Tag("2.3-portforward")
  void takesStreamsOfBothKinds() {
    assertThat(ForwardedPorts.streamComplaint("80", "error")).isNull();
    assertThat(ForwardedPorts.streamComplaint("65535", "data")).isNull();
  }

  /** virtual-kubelet 2.3-portforward: which request a stream belongs to. */
  @Test
  @Tag("2.3-portforward")
  void numbersStreamsForClientsThatDoNot() {
    assertThat(SpdyForwarding.requestId("", false, 1)).isEqualTo("1");
    assertThat(SpdyForwarding.requestId("", true, 3)).isEqualTo("1");
    assertThat(SpdyForwarding.requestId("2", true, 7)).isEqualTo("2");
  }

  @Test
  void anyQueryIsReadOrComplainedOf() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder value = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        value.append("0123456789,-+ \u00e9\u0000".charAt(random.nextInt(16)));
      }
      ForwardedPorts.Read read = query(value.toString());
      if (read.complaint() == null) {
        assertThat(read.ports()).isNotEmpty().allMatch(port -> port >= 1 && port <= 65535);
      } else {
        assertThat(read.ports()).isEmpty();
        assertThat(read.complaint()).isNotEmpty();
      }
    }
  }
}
