package dev.vertlet.stages.spec;

/**
 * Kind of the objects that a stage plays.
 *
 * @param apiGroup group and version as in {@code apiVersion}: {@code v1}, {@code
 *     batch.volcano.sh/v1alpha1}
 */
public record ResourceRef(String apiGroup, String kind) {
  public static final ResourceRef NODE = new ResourceRef("v1", "Node");
  public static final ResourceRef POD = new ResourceRef("v1", "Pod");

  /** Whether KWOK patches the kind strategically by default. */
  public boolean isNodeOrPod() {
    return equals(NODE) || equals(POD);
  }

  @Override
  public String toString() {
    return apiGroup + " " + kind;
  }
}
