package dev.vertlet.kubelet.image;

import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.provider.container.ImageRecord;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Orders and cuts a node's images for its status. Pure. */
final class ShownImages {
  /** Most names of one image (kubelet: MaxNamesPerImageInNodeStatus). */
  private static final int MAX_NAMES = 5;

  private static final Comparator<ImageRecord> LARGEST_FIRST =
      Comparator.comparingLong(ImageRecord::size).thenComparing(ImageRecord::id).reversed();

  private ShownImages() {}

  /** Sorts the largest first, and by descending id within one size. */
  static List<ImageRecord> sorted(List<ImageRecord> images) {
    return images.stream().sorted(LARGEST_FIRST).toList();
  }

  /**
   * @param sorted all images, sorted
   * @param most number of images to show; -1 for all
   */
  static List<NodeImageView> of(List<ImageRecord> sorted, int most) {
    return sorted.stream()
        .limit(most < 0 ? Long.MAX_VALUE : most)
        .map(image -> new NodeImageView(names(image), image.size()))
        .toList();
  }

  /** Returns the names, digests before tags. */
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
