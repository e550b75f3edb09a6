package dev.vertlet.env;

import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import java.util.List;
import java.util.Map;

/** Expands a container's variables in its command and arguments. */
public final class Commands {
  private Commands() {}

  /**
   * Returns the container with {@code $(VAR)} replaced in its command and arguments.
   *
   * @param environment of the container, complete
   */
  public static ContainerView expand(ContainerView container, Map<String, String> environment) {
    CommandView written = container.command();
    CommandView expanded =
        new CommandView(
            expand(written.command(), environment), expand(written.args(), environment));
    return expanded.equals(written) ? container : container.withCommand(expanded);
  }

  private static List<String> expand(List<String> words, Map<String, String> environment) {
    return words.stream().map(word -> Expansion.expand(word, environment::get)).toList();
  }
}
