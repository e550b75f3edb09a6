package dev.vertlet.model;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod as the watch delivers it, without what no decision needs.
 *
 * @param generation {@code metadata.generation}, 0 on servers that keep none for pods
 * @param nodeName empty for a pod that is not bound yet
 * @param controllerKind kind of the controlling owner ({@code Job}, {@code ReplicaSet}, {@code
 *     DaemonSet}), or null
 * @param deletionTimestamp when the grace period ends, null while nobody asked for deletion
 * @param deletionGracePeriodSeconds null while nobody asked for deletion
 * @param tokenVolume number that makes the name of the volume with the token of its service
 *     account, 0 for none
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
  /** On a mirror pod, as kubelets write it: the hash of the static pod, which is its UID. */
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** One without a volume for the token of its service account. */
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

  /**
   * The static pod that this object only shows, which has its namespace and its name; null for a
   * pod that is to run.
   */
  public @Nullable PodRef mirrorOf() {
    String uid = annotations.get(MIRROR);
    return uid == null ? null : new PodRef(namespace(), name(), uid);
  }

  /**
   * This pod, made of what an earlier state of it was made of wherever both say the same: whoever
   * holds one state and whoever holds the other then hold little more than one.
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

  /** The same pod with another spec. */
  public PodView withSpec(PodSpecView other) {
    return with(annotations, deletionTimestamp, deletionGracePeriodSeconds, other, status);
  }

  /** The same pod with another status. */
  public PodView withStatus(PodStatusView other) {
    return with(annotations, deletionTimestamp, deletionGracePeriodSeconds, spec, other);
  }

  /** The same pod with one annotation more, or with another value of it. */
  public PodView withAnnotation(String key, String value) {
    Map<String, String> more = new HashMap<>(annotations);
    more.put(key, value);
    return with(more, deletionTimestamp, deletionGracePeriodSeconds, spec, status);
  }

  /** The same pod, being deleted. */
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

  /** True once somebody asked for this pod's deletion. */
  public boolean deleting() {
    return deletionTimestamp != null;
  }
}
