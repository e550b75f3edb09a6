package dev.vertlet.cli;

import dev.vertlet.config.KubernetesConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.model.GoDuration;
import java.util.stream.Collectors;

/** Describes in one line what a configuration runs. */
final class ConfigSummary {
  private ConfigSummary() {}

  static String of(VertletConfig config) {
    return "%s, profile %s, API server of %s, leases of %s renewed every %s, health on %s:%d"
        .formatted(
            nodes(config),
            config.agent().profile(),
            source(config.kubernetes()),
            GoDuration.format(config.lease().duration()),
            GoDuration.format(config.lease().renewInterval()),
            config.server().address(),
            config.server().port());
  }

  private static String nodes(VertletConfig config) {
    int count = config.nodes().size();
    String adopted =
        config.adopt().stream()
            .map(adopt -> "those with " + adopt.labelSelector())
            .collect(Collectors.joining(" and "));
    if (count == 0) {
      return "adopted nodes (%s) on provider %s"
          .formatted(adopted, config.adopt().get(0).provider());
    }
    String made = made(config, count);
    return adopted.isEmpty() ? made : made + " and adopted ones (" + adopted + ")";
  }

  private static String made(VertletConfig config, int count) {
    String first = config.nodes().get(0).spec().name();
    String provider =
        config.nodes().stream()
            .map(ConfiguredNode::provider)
            .distinct()
            .collect(Collectors.joining(", "));
    return count == 1
        ? "1 node (%s) on provider %s".formatted(first, provider)
        : "%d nodes (%s to %s) on provider %s"
            .formatted(count, first, config.nodes().get(count - 1).spec().name(), provider);
  }

  private static String source(KubernetesConfig kubernetes) {
    String file =
        kubernetes.kubeconfig().isEmpty()
            ? "the usual kubeconfig or service account"
            : kubernetes.kubeconfig();
    return kubernetes.context().isEmpty() ? file : file + ", context " + kubernetes.context();
  }
}
