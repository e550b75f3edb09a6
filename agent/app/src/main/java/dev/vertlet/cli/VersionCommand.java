package dev.vertlet.cli;

import dev.vertlet.config.process.BuildInfo;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code vertlet version}. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    description = "Shows the version of vertlet, of Java, and of the Kubernetes it follows.")
final class VersionCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    lines().forEach(spec.commandLine().getOut()::println);
  }

  private static List<String> lines() {
    BuildInfo build = BuildInfo.get();
    return List.of(
        "vertlet     " + build.version(),
        "commit      " + (build.commit().isEmpty() ? "unknown" : build.commit()),
        "java        " + Runtime.version() + " (" + System.getProperty("java.vendor", "") + ")",
        "kubernetes  " + BuildInfo.KUBERNETES);
  }

  /** Prints the same lines for {@code --version}. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return lines().toArray(String[]::new);
    }
  }
}
