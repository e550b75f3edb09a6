package dev.vertlet.model.definition;

import dev.vertlet.model.LabelSelector;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.reference.ReferredKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a volume with the fields that a {@link dev.vertlet.model.pod.VolumeView} leaves
 * out.
 *
 * @param name in mounts
 * @param kind name of the field of its source, for example {@code configMap}
 */
public record VolumeDefinition(String name, String kind, Source source) {
  /** Source of a volume. */
  public sealed interface Source {}

  /**
   * Files that vertlet computes: kinds {@code configMap}, {@code secret}, {@code downwardAPI} and
   * {@code projected}.
   *
   * @param defaultMode permission bits of files without a mode of their own
   * @param projections in order: a later one replaces files of the same path; one for every kind
   *     but {@code projected}
   */
  public record Files(int defaultMode, List<Projection> projections) implements Source {
    public Files {
      projections = List.copyOf(projections);
    }
  }

  /**
   * An empty directory.
   *
   * @param medium {@code Memory}, {@code HugePages…} or empty for the node's disk
   * @param sizeLimit a quantity; empty for none
   */
  public record EmptyDir(String medium, String sizeLimit) implements Source {}

  /**
   * A path of the node.
   *
   * @param type for example {@code DirectoryOrCreate}; empty for no check
   */
  public record HostPath(String path, String type) implements Source {}

  /** A volume of another kind. */
  public record Other() implements Source {}

  /** A part of a volume's files. */
  public sealed interface Projection {}

  /**
   * Keys of a ConfigMap or a Secret.
   *
   * @param optional whether a missing object or key is left out
   * @param items keys to project; all of them if empty
   */
  public record Keys(ReferredKind kind, String name, boolean optional, List<Item> items)
      implements Projection {
    public Keys {
      items = List.copyOf(items);
    }
  }

  /**
   * A projected key.
   *
   * @param path in the volume
   * @param mode null for the volume's default
   */
  public record Item(String key, String path, @Nullable Integer mode) {}

  /** Fields of the pod. */
  public record Downward(List<DownwardItem> items) implements Projection {
    public Downward {
      items = List.copyOf(items);
    }
  }

  /**
   * A field of the pod.
   *
   * @param path in the volume
   * @param from a {@link ValueFrom.Field} or a {@link ValueFrom.Resource}
   * @param mode null for the volume's default
   */
  public record DownwardItem(String path, ValueFrom from, @Nullable Integer mode) {}

  /**
   * A token of the pod's service account.
   *
   * @param audience empty for the API server's own
   * @param expirationSeconds requested life, at least 600
   * @param path in the volume
   */
  public record Token(String audience, long expirationSeconds, String path) implements Projection {}

  /**
   * Certificates of ClusterTrustBundles: of the named one, or of those of a signer.
   *
   * @param name empty to select by signer
   * @param signerName empty if the bundle is named
   * @param selector which of the signer's bundles; null for none of them
   * @param optional whether missing bundles are an empty file
   * @param path in the volume
   */
  public record TrustBundle(
      String name,
      String signerName,
      @Nullable LabelSelector selector,
      boolean optional,
      String path)
      implements Projection {}

  /**
   * A projection that vertlet does not compute.
   *
   * @param kind name of its field, for example {@code podCertificate}
   */
  public record Unsupported(String kind) implements Projection {}
}
