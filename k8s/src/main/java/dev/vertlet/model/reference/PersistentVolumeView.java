package dev.vertlet.model.reference;

import org.jspecify.annotations.Nullable;

/**
 * Fields of a PersistentVolume that a pod's mounts depend on.
 *
 * @param claimUid UID of the claim that it is bound to, which may be empty; null without a claim
 * @param gid value of its annotation {@code pv.beta.kubernetes.io/gid}; empty without one
 */
public record PersistentVolumeView(
    String name, String uid, long resourceVersion, @Nullable String claimUid, String gid)
    implements ReferredView {
  /** PersistentVolumes have no namespace. */
  @Override
  public String namespace() {
    return "";
  }
}
