package dev.vertlet.model.container;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Name and mounts of a container: one object that the definitions and the statuses of all pods of
 * one template share.
 *
 * @param container its name
 * @param mounts in the order of the definition
 */
public record MountsView(String container, List<Mount> mounts) {
  /**
   * One mount.
   *
   * @param volume its name; {@link TokenVolume#PREFIX} for the volume of the service account's
   *     token, whose name differs in each pod
   * @param recursive whether nested mounts are read-only, too
   */
  public record Mount(String volume, String path, boolean readOnly, boolean recursive) {
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || other instanceof Mount that
              && volume.equals(that.volume)
              && path.equals(that.path)
              && readOnly == that.readOnly
              && recursive == that.recursive;
    }

    @Override
    public int hashCode() {
      int hash = volume.hashCode();
      hash = 31 * hash + path.hashCode();
      hash = 31 * hash + Boolean.hashCode(readOnly);
      return 31 * hash + Boolean.hashCode(recursive);
    }
  }

  public MountsView {
    mounts = List.copyOf(mounts);
  }

  /** Returns the view of a container without mounts. */
  public static MountsView none(String container) {
    return new MountsView(container, List.of());
  }

  /** Returns the same view with complete volume names. */
  MountsView named(int token) {
    return new MountsView(
        container,
        mounts.stream()
            .map(
                mount ->
                    new Mount(
                        TokenVolume.name(mount.volume(), token),
                        mount.path(),
                        mount.readOnly(),
                        mount.recursive()))
            .toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof MountsView that
            && container.equals(that.container)
            && mounts.equals(that.mounts);
  }

  @Override
  public int hashCode() {
    return 31 * container.hashCode() + mounts.hashCode();
  }
}
