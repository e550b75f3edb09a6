package dev.vertlet.sandboxes;

import dev.vertlet.model.ImageReference;
import dev.vertlet.sandbox.SandboxException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Registries that the server may query for digests. A claim names images, and thereby hosts that
 * the server connects to from inside the cluster; images of other registries are refused before.
 * Uses no I/O.
 *
 * @param all hosts with optional ports; empty for any
 */
record AllowedRegistries(Set<String> all) {
  /** Any registry. */
  static final AllowedRegistries ANY = new AllowedRegistries(Set.of());

  AllowedRegistries {
    all = Set.copyOf(all);
  }

  /** Returns the registries of these images; invalid images are ignored. */
  static Set<String> of(Collection<String> images) {
    Set<String> registries = new TreeSet<>();
    for (String image : images) {
      registry(image).ifPresent(registries::add);
    }
    return registries;
  }

  /**
   * Checks the registries of images.
   *
   * @throws SandboxException for an image of another registry
   */
  void check(Collection<String> images) {
    for (String image : images) {
      Optional<String> registry = registry(image);
      if (!all.isEmpty() && registry.isPresent() && !all.contains(registry.get())) {
        throw new SandboxException(
            SandboxException.Reason.INVALID_OPTION,
            "image \"%s\" is of the registry %s; resolver.registries allows %s"
                .formatted(image, registry.get(), String.join(", ", new TreeSet<>(all))));
      }
    }
  }

  private static Optional<String> registry(String image) {
    try {
      return Optional.of(ImageReference.parse(image).registry());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
