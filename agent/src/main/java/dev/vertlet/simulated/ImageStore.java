package dev.vertlet.simulated;

import dev.vertlet.provider.ImageRecord;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The images one node has. The least recently used goes when there are too many. */
final class ImageStore {
  /** Ten times what a kubelet reports (nodeStatusMaxImages): no test runs out by accident. */
  static final int MAX_IMAGES = 500;

  private static final int DIGEST_WORDS = 4;

  private final Map<String, String> idByImage = new LinkedHashMap<>(4, 0.75f, true);

  /** The image's identity, or null when the node does not have it. */
  @Nullable String find(String image) {
    return idByImage.get(image);
  }

  /** Makes the image present and returns its identity. */
  String add(String image) {
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

  /** How many there are. */
  int count() {
    return idByImage.size();
  }

  /**
   * All of them.
   *
   * @param size of each, bytes
   */
  List<ImageRecord> list(long size) {
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

  /** The node has it no longer, by whatever name. */
  void remove(String id) {
    idByImage.values().removeIf(id::equals);
  }

  /** {@code repository@sha256:digest}, the digest made from the whole reference. */
  static String idOf(String image) {
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
