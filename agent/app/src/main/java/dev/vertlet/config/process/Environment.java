package dev.vertlet.config.process;

import dev.vertlet.config.document.Section;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of the configuration besides the file.
 *
 * @param variables environment variables of the process
 * @param host the machine that the process runs on
 */
public record Environment(Map<String, String> variables, Host host) {
  public Environment {
    variables = Map.copyOf(variables);
  }

  /** Reads the environment of this process. Blocks while it reads files: not for event loops. */
  public static Environment ofProcess() {
    return new Environment(System.getenv(), Host.detect());
  }

  /**
   * Returns a variable's value; null when it is unset. {@code NODE_NAME} defaults to the host name,
   * so that one file serves a cluster and a laptop.
   */
  public @Nullable String variable(String name) {
    String value = variables.get(name);
    return name.equals("NODE_NAME") && (value == null || value.isEmpty()) ? host.name() : value;
  }

  /**
   * Completes a path; a leading {@code ~/} stands for the home directory.
   *
   * @param pointer of the path in the configuration
   * @throws ConfigException when the path is invalid on this machine
   */
  public String path(String pointer, String written) {
    Path unused = Section.pathAt(pointer, written);
    return expandHome(written);
  }

  private String expandHome(String path) {
    UnaryOperator<String> inHome = rest -> host.home().resolve(rest).toString();
    if (path.equals("~")) {
      return inHome.apply("");
    }
    return path.startsWith("~/") ? inHome.apply(path.substring(2)) : path;
  }

  /** Returns the state directory for a configuration without {@code agent.dataDir}. */
  public Path defaultDataDir() {
    String state = variables.get("XDG_STATE_HOME");
    if (state != null && state.startsWith("/")) {
      return Path.of(state, "vertlet");
    }
    return host.writesVarLib()
        ? Path.of("/var/lib/vertlet")
        : host.home().resolve(".local/state/vertlet");
  }
}
