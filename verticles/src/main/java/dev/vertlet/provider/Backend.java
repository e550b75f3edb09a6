package dev.vertlet.provider;

/** What a {@link ProviderFactory} makes: one of the two kinds of providers. */
public sealed interface Backend {
  /** A back end that owns whole pods. */
  record Pods(PodProvider provider) implements Backend {}

  /** A back end that runs single containers; the kubelet core makes pods of them. */
  record Containers(ContainerRuntime runtime) implements Backend {}
}
