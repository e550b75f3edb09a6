package dev.vertlet.model;

import static dev.vertlet.model.Fixtures.JSON;
import static dev.vertlet.model.Fixtures.PROTOBUF;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.proto.V1;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Security contexts, in both encodings. */
class SecurityReaderTest {

  private static final String POD =
      """
      {"kind":"PodList","metadata":{"resourceVersion":"9"},"items":[{
        "metadata":{"name":"p","namespace":"ns","uid":"u","resourceVersion":"7"},
        "spec":{"hostIPC":true,"hostPID":true,
          "securityContext":{"runAsUser":7,"supplementalGroupsPolicy":"Strict",
            "sysctls":[{"name":"kernel.msgmax","value":"1"},{"name":"net/core/x","value":"2"}]},
          "containers":[{"name":"c","image":"i",
            "securityContext":{"privileged":true,"appArmorProfile":{"type":"RuntimeDefault"}}}]}}]}
      """;

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsWhatAPodAsksOfItsNode(String contentType) {
    byte[] bytes = contentType.equals(JSON) ? POD.getBytes(UTF_8) : protobuf();

    assertThat(security(contentType, bytes))
        .isEqualTo(new SecurityView(List.of("kernel.msgmax", "net/core/x"), true, true, true));
  }

  @ParameterizedTest
  @CsvSource({"RuntimeDefault, true", "Localhost, true", "Unconfined, false"})
  void anUnconfinedProfileAsksForNothing(String type, boolean asks) {
    String json = POD.replace("RuntimeDefault", type);

    assertThat(security(JSON, json.getBytes(UTF_8)).appArmor()).isEqualTo(asks);
  }

  @Test
  void mostPodsAskForNothing() {
    String json = POD.substring(0, POD.indexOf("\"hostIPC\"")) + "\"containers\":[]}}]}";

    assertThat(security(JSON, json.getBytes(UTF_8))).isSameAs(SecurityView.NONE);
  }

  private static SecurityView security(String contentType, byte[] bytes) {
    return new PodDecoder()
        .decodeList(contentType, Buffer.buffer(bytes))
        .items()
        .get(0)
        .spec()
        .placement()
        .security();
  }

  private static byte[] protobuf() {
    V1.PodSpec spec =
        V1.PodSpec.newBuilder()
            .setHostIPC(true)
            .setHostPID(true)
            .setSecurityContext(
                V1.PodSecurityContext.newBuilder()
                    .setRunAsUser(7)
                    .setSupplementalGroupsPolicy("Strict")
                    .addSysctls(V1.Sysctl.newBuilder().setName("kernel.msgmax").setValue("1"))
                    .addSysctls(V1.Sysctl.newBuilder().setName("net/core/x").setValue("2")))
            .addContainers(
                V1.Container.newBuilder()
                    .setName("c")
                    .setImage("i")
                    .setSecurityContext(
                        V1.SecurityContext.newBuilder()
                            .setPrivileged(true)
                            .setAppArmorProfile(
                                V1.AppArmorProfile.newBuilder().setType("RuntimeDefault"))))
            .build();
    return ProtobufPods.list(spec);
  }
}
