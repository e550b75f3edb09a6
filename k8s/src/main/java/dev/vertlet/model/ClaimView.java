package dev.vertlet.model;

/**
 * A PersistentVolumeClaim, as far as a pod that mounts it has to know.
 *
 * @param leaving it is being deleted, and nothing keeps it for the pods that use it
 * @param phase such as {@code Bound}; empty before anybody has looked
 * @param volumeName of its PersistentVolume; empty before it has one
 * @param controllerUid uid of the object that it was made for; empty when there is none
 */
public record ClaimView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    boolean leaving,
    String phase,
    String volumeName,
    String controllerUid)
    implements ReferredView {}
