package dev.vertlet.harness.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlaceholdersTest {
  private final Placeholders placeholders =
      new Placeholders(Map.of("dir", "/d$1", "node_template", "n-{i}"), Path.of("/go"));

  @Test
  void valuesTakeTheirPlace() {
    assertThat(placeholders.fill("x", "--a={dir}/{dir} {node_template}"))
        .isEqualTo("--a=/d$1//d$1 n-{i}");
  }

  @Test
  void bracesAroundAnythingElseStay() {
    assertThat(placeholders.fill("x", "{\"a\": {}} {{ .Name }} ${HOME}"))
        .isEqualTo("{\"a\": {}} {{ .Name }} ${HOME}");
  }

  @Test
  void aModuleIsWhereGoKeepsIt() {
    assertThat(placeholders.fill("x", "{gomod:github.com/Azure/x@v1.0.0}/y"))
        .isEqualTo("/go/github.com/!azure/x@v1.0.0/y");
  }

  @Test
  void anUnknownNameIsAnError() {
    assertThatThrownBy(() -> placeholders.fill("command", "{nope}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "command: {nope} is no placeholder; there are {dir}, {node_template} and"
                + " {gomod:MODULE@VERSION}");
  }
}
