package dev.vertlet.model.pod;

import dev.vertlet.model.KubeObject;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a pod that decisions need.
 *
 * @param generation {@code metadata.generation}, 0 on servers that have none for pods
 * @param nodeName empty for an unbound pod
 * @param controllerKind kind of the controlling owner ({@code Job}, {@code ReplicaSet}, {@code
 *     DaemonSet}), or null
 * @param deletionTimestamp when the grace period ends, null without a deletion
 * @param deletionGracePeriodSeconds null without a deletion
 * @param tokenVolume number in the name of the volume with the service account's token, 0 for none
 */
public record PodView(
    PodRef ref,
    long resourceVersion,
    long generation,
    String nodeName,
    Map<String, String> labels,
    Map<String, String> annotations,
    @Nullable String controllerKind,
    @Nullable Instant creationTimestamp,
    @Nullable Instant deletionTimestamp,
    @Nullable Long deletionGracePeriodSeconds,
    PodSpecView spec,
    PodStatusView status,
    int tokenVolume)
    implements KubeObject {
  /**
   * Annotation of a mirror pod, as kubelets write it: the hash of the static pod, which is its UID.
   */
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** Creates a pod without a token volume. */
  public PodView(
      PodRef ref,
      long resourceVersion,
      long generation,
      String nodeName,
      Map<String, String> labels,
      Map<String, String> annotations,
      @Nullable String controllerKind,
      @Nullable Instant creationTimestamp,
      @Nullable Instant deletionTimestamp,
      @Nullable Long deletionGracePeriodSeconds,
      PodSpecView spec,
      PodStatusView status) {
    this(
        ref,
        resourceVersion,
        generation,
        nodeName,
        labels,
        annotations,
        controllerKind,
        creationTimestamp,
        deletionTimestamp,
        deletionGracePeriodSeconds,
        spec,
        status,
        0);
  }

  public PodView {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  @Override
  public String namespace() {
    return ref.namespace();
  }

  @Override
  public String name() {
    return ref.name();
  }

  @Override
  public String uid() {
    return ref.uid();
  }

  /** The static pod of a mirror pod, with the same namespace and name; null for other pods. */
  public @Nullable PodRef mirrorOf() {
    String uid = annotations.get(MIRROR);
    return uid == null ? null : new PodRef(namespace(), name(), uid);
  }

  /**
   * Returns this pod sharing the objects of an earlier version wherever both are equal, so that
   * keeping both versions costs little more than keeping one.
   */
  public PodView sharing(PodView earlier) {
    if (!uid().equals(earlier.uid())) {
      return this;
    }
    return new PodView(
        same(earlier.ref, ref),
        resourceVersion,
        generation,
        same(earlier.nodeName, nodeName),
        same(earlier.labels, labels),
        same(earlier.annotations, annotations),
        controllerKind,
        creationTimestamp,
        deletionTimestamp,
        deletionGracePeriodSeconds,
        earlier.spec.hash() == spec.hash() ? earlier.spec : spec,
        status,
        tokenVolume);
  }

  private static <T> T same(T earlier, T later) {
    return earlier.equals(later) ? earlier : later;
  }

  /** Returns the same pod with another spec. */
  public PodView withSpec(PodSpecView other) {
    return with(annotations, deletionTimestamp, deletionGracePeriodSeconds, other, status);
  }

  /** Returns the same pod with another status. */
  public PodView withStatus(PodStatusView other) {
    return with(annotations, deletionTimestamp, deletionGracePeriodSeconds, spec, other);
  }

  /** Returns the same pod with an annotation added or replaced. */
  public PodView withAnnotation(String key, String value) {
    Map<String, String> more = new HashMap<>(annotations);
    more.put(key, value);
    return with(more, deletionTimestamp, deletionGracePeriodSeconds, spec, status);
  }

  /** Returns the same pod with a deletion timestamp. */
  public PodView deleted(Instant timestamp, long gracePeriodSeconds) {
    return with(annotations, timestamp, gracePeriodSeconds, spec, status);
  }

  private PodView with(
      Map<String, String> otherAnnotations,
      @Nullable Instant deletedAt,
      @Nullable Long grace,
      PodSpecView otherSpec,
      PodStatusView otherStatus) {
    return new PodView(
        ref,
        resourceVersion,
        generation,
        nodeName,
        labels,
        otherAnnotations,
        controllerKind,
        creationTimestamp,
        deletedAt,
        grace,
        otherSpec,
        otherStatus,
        tokenVolume);
  }

  /** Whether the pod's deletion was requested. */
  public boolean deleting() {
    return deletionTimestamp != null;
  }
}
