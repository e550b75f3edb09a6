package dev.vertlet.cri.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cri.wire.CommonMessages.IDMapping;
import dev.vertlet.cri.wire.CommonMessages.KeyValue;
import dev.vertlet.cri.wire.CommonMessages.NamespaceMode;
import dev.vertlet.cri.wire.ContainerMessages.ContainerState;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStateValue;
import dev.vertlet.cri.wire.ContainerMessages.LinuxContainerUser;
import dev.vertlet.cri.wire.ImageMessages.AuthConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxMetadata;
import dev.vertlet.cri.wire.StatsMessages.PsiData;
import dev.vertlet.cri.wire.StatusMessages.StatusRequest;
import dev.vertlet.cri.wire.StreamMessages.PortForwardRequest;
import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MessageSchemaTest {
  private static Buffer bytes(String hex) {
    return Buffer.buffer(HexFormat.of().parseHex(hex));
  }

  private static String hex(Record message) {
    return HexFormat.of().formatHex(MessageSchema.encode(message).getBytes());
  }

  @Test
  void fieldsHaveTheirNumbersAndDefaultsAreLeftOut() {
    assertThat(hex(new PodSandboxMetadata("a", "b", "", 0))).isEqualTo("0a0161120162");
    assertThat(hex(new PodSandboxMetadata("", "", "", 300))).isEqualTo("20ac02");
    assertThat(hex(new StatusRequest(true))).isEqualTo("0801");
    assertThat(hex(new PodSandboxMetadata("", "", "", 0))).isEmpty();
  }

  @Test
  void everyKindOfFieldSurvives() {
    for (Record message :
        List.of(
            new IDMapping(-1, 2, 3), // an unsigned number above 2^31
            new LinuxContainerUser(-5, Long.MAX_VALUE, List.of(1L, -1L)),
            new PortForwardRequest("x", List.of(80, 65535)),
            new PsiData(-1, 0.25, 0, 1e9),
            new KeyValue("k", Buffer.buffer(new byte[] {0, -1})),
            new ContainerStateValue(ContainerState.CONTAINER_EXITED))) {
      assertThat(MessageSchema.<Object>decode(cast(message), MessageSchema.encode(message)))
          .isEqualTo(message);
    }
    assertThat(hex(new IDMapping(-1, 0, 0))).isEqualTo("08ffffffff0f");
  }

  @SuppressWarnings("unchecked")
  private static Class<Object> cast(Record message) {
    return (Class<Object>) (Class<?>) message.getClass();
  }

  @Test
  void numbersMayBePackedOrNot() {
    assertThat(MessageSchema.decode(LinuxContainerUser.class, bytes("18011802")))
        .isEqualTo(MessageSchema.decode(LinuxContainerUser.class, bytes("1a020102")));
  }

  @Test
  void fieldsAndValuesOfOtherVersionsAreUnderstood() {
    // field 15 of every wire type, then the known field 1
    assertThat(
            MessageSchema.decode(
                StatusRequest.class,
                bytes("7805" + "790102030405060708" + "7a0101" + "7d01020304" + "0801")))
        .isEqualTo(new StatusRequest(true));
    assertThat(MessageSchema.decode(ContainerStateValue.class, bytes("0863")).state())
        .isEqualTo(ContainerState.CONTAINER_UNKNOWN);
    assertThat(MessageSchema.decode(CommonMessages.NamespaceOption.class, bytes("0863")).network())
        .isEqualTo(NamespaceMode.POD);
  }

  @Test
  void damagedBytesAreRefused() {
    for (String damaged :
        List.of(
            "08", // ends in a number
            "0a05", // length beyond the message
            "0affffffffffffffffff01", // negative length
            "0d0102", // a value that ends early
            "00", // no field has the number 0
            "0b", // a group
            "08ffffffffffffffffffff01")) { // a number of more than 64 bits
      assertThatThrownBy(() -> MessageSchema.decode(StatusRequest.class, bytes(damaged)))
          .as(damaged)
          .isInstanceOf(ProtoException.class);
    }
    assertThatThrownBy(() -> MessageSchema.decode(PodSandboxMetadata.class, bytes("0801")))
        .isInstanceOf(ProtoException.class);
  }

  @Test
  void secretsAreNotWritten() {
    assertThat(new AuthConfig("u", "p4ss", "4uth", "r", "1d", "t0ken").toString())
        .isEqualTo("u at r");
    assertThat(new KeyValue("NAME", Buffer.buffer("s3cret")).toString()).isEqualTo("NAME");
  }
}
