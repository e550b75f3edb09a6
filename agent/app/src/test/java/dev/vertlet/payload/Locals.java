package dev.vertlet.payload;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.ConfigOverride;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Local configurations on a machine that is the same everywhere, and payloads for them. */
final class Locals {
  static final Path DIRECTORY = Path.of("/store/checkpoints/uid/7");

  private static final Host HOST =
      new Host("host-1", "192.0.2.7", "Debian", "6.1", 4, Path.of("/home/me"), false);

  private Locals() {}

  static LoadedConfig load(String json, String... flags) {
    return new ConfigLoader(new Environment(Map.of("SECRET", "hunter2"), HOST))
        .parse("f.json", json, Stream.of(flags).map(ConfigOverride::parse).toList());
  }

  static Payload kubelet(String yaml) {
    return PayloadReader.read(
        "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n" + yaml,
        DIRECTORY);
  }

  static Payload vertlet(String yaml) {
    return PayloadReader.read(
        "apiVersion: vertlet.dev/v1alpha1\nkind: VertletConfiguration\n" + yaml, DIRECTORY);
  }

  /** What the first node runs by. */
  static NodeConfig first(LoadedConfig local, Payload payload) {
    return node(local, 0, payload);
  }

  static NodeConfig node(LoadedConfig local, int index, Payload payload) {
    String name = local.config().nodes().get(index).spec().name();
    return new NodeConfigs(local).plan(payload).node(name);
  }

  static NodeConfig local(LoadedConfig local) {
    return new NodeConfigs(local).local(local.config().nodes().get(0).spec().name());
  }

  static List<String> lines(PayloadException refused) {
    return List.of(String.valueOf(refused.getMessage()).split("; "));
  }
}
