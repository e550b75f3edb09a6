package dev.vertlet.model.reference;

/** Stands for all objects of a kind that the API server does not serve. */
public record UnservedKind(ReferredKind kind) implements ReferredView {
  @Override
  public String namespace() {
    return "";
  }

  @Override
  public String name() {
    return "";
  }

  @Override
  public String uid() {
    return "";
  }

  @Override
  public long resourceVersion() {
    return 0;
  }
}
