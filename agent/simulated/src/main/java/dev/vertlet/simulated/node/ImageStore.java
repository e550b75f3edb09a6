package dev.vertlet.simulated.node;

import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.simulated.rule.Hash64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Images on one node. When there are too many, the least recently used one is removed. */
public final class ImageStore {
  /**
   * Ten times the images that a kubelet reports (nodeStatusMaxImages), so that no test hits the
   * limit by accident.
   */
  public static final int MAX_IMAGES = 500;

  private static final int DIGEST_WORDS = 4;

  private final Map<String, String> idByImage = new LinkedHashMap<>(4, 0.75f, true);

  /** Returns the image's ID, or null when the node does not have the image. */
  public @Nullable String find(String image) {
    return idByImage.get(image);
  }

  /** Adds the image and returns its ID. */
  public String add(String image) {
    String known = idByImage.get(image);
    if (known != null) {
      return known;
    }
    if (idByImage.size() >= MAX_IMAGES) {
      idByImage.remove(idByImage.keySet().iterator().next());
    }
    String id = idOf(image);
    idByImage.put(image, id);
    return id;
  }

  public int count() {
    return idByImage.size();
  }

  /**
   * Lists the images.
   *
   * @param size size of each image in bytes
   */
  public List<ImageRecord> list(long size) {
    Map<String, Set<String>> namesById = new LinkedHashMap<>();
    idByImage.forEach(
        (image, id) -> {
          Set<String> names = namesById.computeIfAbsent(id, known -> new LinkedHashSet<>());
          names.add(id);
          names.add(image);
        });
    return namesById.entrySet().stream()
        .map(one -> new ImageRecord(one.getKey(), List.copyOf(one.getValue()), size))
        .toList();
  }

  /** Removes the image under all its names. */
  public void remove(String id) {
    idByImage.values().removeIf(id::equals);
  }

  /**
   * Returns {@code repository@sha256:digest}, where the digest is a hash of the whole reference.
   */
  public static String idOf(String image) {
    if (image.contains("@")) {
      return image;
    }
    int colon = image.lastIndexOf(':');
    String repository = colon > image.lastIndexOf('/') ? image.substring(0, colon) : image;
    StringBuilder id = new StringBuilder(repository).append("@sha256:");
    for (int word = 0; word < DIGEST_WORDS; word++) {
      id.append(HexFormat.of().toHexDigits(Hash64.of(word, image)));
    }
    return id.toString();
  }
}
