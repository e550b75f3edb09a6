package dev.vertlet.provider.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.NodeAddressView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses of a node its pods show. */
class NodeSpecTest {
  private static NodeSpec node(String addresses) {
    List<NodeAddressView> all =
        Stream.of(addresses.split(" "))
            .filter(text -> !text.isEmpty())
            .map(text -> text.split("=", 2))
            .map(part -> new NodeAddressView(part[0], part[1]))
            .toList();
    return new NodeSpec("n", Map.of(), Map.of(), List.of(), Map.of(), Map.of(), all, Map.of(), "");
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "Hostname=n, ''",
    "InternalIP=10.0.0.1, 10.0.0.1",
    "InternalIP=10.0.0.1 InternalIP=10.0.0.2, 10.0.0.1",
    "ExternalIP=192.0.2.1 InternalIP=10.0.0.1, 10.0.0.1",
    "ExternalIP=192.0.2.1 Hostname=n, 192.0.2.1",
    "InternalIP=fd00::1 InternalIP=10.0.0.1 InternalIP=fd00::2, fd00::1 10.0.0.1",
    "InternalIP=10.0.0.1 ExternalIP=2001:db8::1, 10.0.0.1 2001:db8::1"
  })
  void oneOfEachFamilyInternalBeforeExternal(String addresses, String expected) {
    NodeSpec node = node(addresses);

    assertThat(String.join(" ", node.hostIPs())).isEqualTo(expected);
    assertThat(node.hostIP()).isEqualTo(expected.split(" ")[0]);
  }
}
