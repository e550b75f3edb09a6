package dev.vertlet.provider;

import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.pod.PodProvider;

/** Back end that a {@link ProviderFactory} creates: one of the two kinds of providers. */
public sealed interface Backend {
  /** Back end that owns whole pods. */
  record Pods(PodProvider provider) implements Backend {}

  /** Back end that runs single containers; the kubelet core assembles pods from them. */
  record Containers(ContainerRuntime runtime) implements Backend {}
}
