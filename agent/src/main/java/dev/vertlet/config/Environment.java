package dev.vertlet.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration takes from outside the file.
 *
 * @param variables of the process
 * @param host the machine it runs on
 */
public record Environment(Map<String, String> variables, Host host) {
  public Environment {
    variables = Map.copyOf(variables);
  }

  /** This process. Reads files; not for event loops. */
  public static Environment ofProcess() {
    return new Environment(System.getenv(), Host.detect());
  }

  /**
   * A variable's value; null when it is not set. {@code NODE_NAME} is the host's name where the pod
   * specification does not set it, so that one file serves a cluster and a laptop.
   */
  @Nullable String variable(String name) {
    String value = variables.get(name);
    return name.equals("NODE_NAME") && (value == null || value.isEmpty()) ? host.name() : value;
  }

  /**
   * A path of the configuration, with a leading {@code ~/} as the home directory.
   *
   * @throws ConfigException when no file of this machine can have that name
   */
  String path(Section json, String key, String fallback) {
    String written = json.text(key, fallback);
    Path unused = json.path(key, written);
    return expandHome(written);
  }

  private String expandHome(String path) {
    UnaryOperator<String> inHome = rest -> host.home().resolve(rest).toString();
    if (path.equals("~")) {
      return inHome.apply("");
    }
    return path.startsWith("~/") ? inHome.apply(path.substring(2)) : path;
  }

  /** Where state is kept when {@code agent.dataDir} is not given. */
  Path defaultDataDir() {
    String state = variables.get("XDG_STATE_HOME");
    if (state != null && state.startsWith("/")) {
      return Path.of(state, "vertlet");
    }
    return host.writesVarLib()
        ? Path.of("/var/lib/vertlet")
        : host.home().resolve(".local/state/vertlet");
  }
}
