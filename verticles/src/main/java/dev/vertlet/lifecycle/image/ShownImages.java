package dev.vertlet.lifecycle.image;

import dev.vertlet.model.NodeImageView;
import dev.vertlet.provider.ImageRecord;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The images of a node in the order and number in which its status shows them. Pure. */
final class ShownImages {
  /** Names of one image at most (kubelet: MaxNamesPerImageInNodeStatus). */
  private static final int MAX_NAMES = 5;

  private static final Comparator<ImageRecord> LARGEST_FIRST =
      Comparator.comparingLong(ImageRecord::size).thenComparing(ImageRecord::id).reversed();

  private ShownImages() {}

  /** The largest first, of one size those with the last ids. */
  static List<ImageRecord> sorted(List<ImageRecord> images) {
    return images.stream().sorted(LARGEST_FIRST).toList();
  }

  /**
   * @param sorted all of them
   * @param most how many are shown; -1 for all
   */
  static List<NodeImageView> of(List<ImageRecord> sorted, int most) {
    return sorted.stream()
        .limit(most < 0 ? Long.MAX_VALUE : most)
        .map(image -> new NodeImageView(names(image), image.size()))
        .toList();
  }

  /** Digests before tags. */
  private static List<String> names(ImageRecord image) {
    return Stream.concat(
            image.names().stream().filter(ShownImages::isDigest),
            image.names().stream().filter(name -> !isDigest(name)))
        .limit(MAX_NAMES)
        .toList();
  }

  private static boolean isDigest(String name) {
    return name.contains("@");
  }
}
