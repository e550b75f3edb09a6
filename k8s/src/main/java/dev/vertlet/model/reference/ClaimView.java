package dev.vertlet.model.reference;

/**
 * Fields of a PersistentVolumeClaim that a pod's mounts depend on.
 *
 * @param leaving whether it is being deleted without protection by the pods that use it
 * @param phase such as {@code Bound}; empty before its controller has set one
 * @param volumeName of its PersistentVolume; empty before it is bound
 * @param controllerUid UID of its controlling owner; empty without one
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
