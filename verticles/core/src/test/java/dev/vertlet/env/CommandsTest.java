package dev.vertlet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Kubelet: variables in command and arguments. */
class CommandsTest {
  private static final Map<String, String> VARIABLES = Map.of("WHO", "me", "SAME", "$(WHO)");

  private static ContainerView container(List<String> command, List<String> args) {
    return new ContainerView("c", "img", "Always", null)
        .withCommand(new CommandView(command, args));
  }

  @Test
  void variablesArePutIntoCommandAndArguments() {
    ContainerView container =
        container(List.of("/bin/$(WHO)", "$$(WHO)"), List.of("$(SAME)", "$(NONE)", "$WHO"));

    CommandView expanded = Commands.expand(container, VARIABLES).command();

    assertThat(expanded.command()).containsExactly("/bin/me", "$(WHO)");
    assertThat(expanded.args()).containsExactly("$(WHO)", "$(NONE)", "$WHO");
  }

  @Test
  void aContainerWithoutVariablesStaysTheSame() {
    ContainerView plain = container(List.of("sh"), List.of("-c", "true"));

    assertThat(Commands.expand(plain, VARIABLES)).isSameAs(plain);
  }
}
