package dev.vertlet.cri.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The list of messages is checked in, so that {@code load-tests/kubernetes} can compare it with the
 * protocol's own file.
 */
final class ProtocolTextTest {
  @Test
  void theListHasAllMessages() throws IOException {
    try (var list = Objects.requireNonNull(getClass().getResourceAsStream("/cri-messages.txt"))) {
      assertThat(ProtocolText.all())
          .as("write this to agent/cri/src/test/resources/cri-messages.txt")
          .isEqualTo(new String(list.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
