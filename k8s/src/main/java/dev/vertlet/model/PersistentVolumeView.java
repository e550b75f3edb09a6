package dev.vertlet.model;

import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolume, as far as a pod that mounts it has to know.
 *
 * @param claimUid uid of the claim that it is bound to, which may be empty; null without a claim
 * @param gid the value of its annotation {@code pv.beta.kubernetes.io/gid}; empty without one
 */
public record PersistentVolumeView(
    String name, String uid, long resourceVersion, @Nullable String claimUid, String gid)
    implements ReferredView {
  /** It is in none. */
  @Override
  public String namespace() {
    return "";
  }
}
