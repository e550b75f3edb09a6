package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.SecurityView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Security contexts, in both encodings. */
class SecurityReaderTest {

  private static final String SPEC =
      """
      {"hostIPC":true,"hostPID":true,
          "securityContext":{"runAsUser":7,"supplementalGroupsPolicy":"Strict",
            "sysctls":[{"name":"kernel.msgmax","value":"1"},{"name":"net/core/x","value":"2"}]},
          "containers":[{"name":"c","image":"i",
            "securityContext":{"privileged":true,"appArmorProfile":{"type":"RuntimeDefault"}}}]}
      """;

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsWhatAPodAsksOfItsNode(String contentType) {
    assertThat(security(contentType, SPEC))
        .isEqualTo(new SecurityView(List.of("kernel.msgmax", "net/core/x"), true, true, true));
  }

  @ParameterizedTest
  @CsvSource({"RuntimeDefault, true", "Localhost, true", "Unconfined, false"})
  void anUnconfinedProfileAsksForNothing(String type, boolean asks) {
    String json = SPEC.replace("RuntimeDefault", type);

    assertThat(security(JSON, json).appArmor()).isEqualTo(asks);
  }

  @Test
  void mostPodsAskForNothing() {
    assertThat(security(JSON, "{\"containers\":[]}")).isSameAs(SecurityView.NONE);
  }

  private static SecurityView security(String contentType, String spec) {
    return EncodedPods.withSpec(contentType, spec).spec().placement().security();
  }
}
