package dev.vertlet.cli;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.ConfigOverride;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Flags that override the configuration file, for every command that reads one. */
public final class ConfigOptions {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig file (kubernetes.kubeconfig).")
  private @Nullable String kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (kubernetes.context).")
  private @Nullable String context;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug or trace (log.level).")
  private @Nullable String logLevel;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = {
        "Any key, for example lease.duration=20s or nodes.0.count=100.",
        "VALUE is JSON, else text; null goes back to the default."
      })
  private List<String> settings = new ArrayList<>();

  public LoadedConfig load(Environment environment, Path file) {
    return new ConfigLoader(environment).load(file, flags());
  }

  private List<ConfigOverride> flags() {
    List<ConfigOverride> flags = new ArrayList<>();
    for (String setting : settings) {
      flags.add(parse(setting));
    }
    add(flags, "kubernetes", "kubeconfig", kubeconfig, "--kubeconfig");
    add(flags, "kubernetes", "context", context, "--context");
    add(flags, "log", "level", logLevel, "--log-level");
    return flags;
  }

  private static void add(
      List<ConfigOverride> flags, String section, String key, @Nullable String value, String flag) {
    if (value != null) {
      flags.add(new ConfigOverride(List.of(section, key), value, flag));
    }
  }

  private ConfigOverride parse(String setting) {
    try {
      return ConfigOverride.parse(setting);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), "--set " + e.getMessage(), e);
    }
  }
}
