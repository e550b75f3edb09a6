package dev.vertlet.eviction;

import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * State of one node's images: which may be removed, and in which order.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/images/image_gc_manager.go">
 *     image GC manager, kubelet 1.36.3</a>
 */
public final class ImageState {
  /** Reason of the event if removing images does not free enough space. */
  public static final String TOO_LITTLE = "FreeDiskSpaceFailed";

  /** Reason of the event about a disk without a size. */
  public static final String NO_CAPACITY = "InvalidDiskCapacity";

  /** Reason of the event after two failures in a row. */
  public static final String FAILED = "ImageGCFailed";

  private static final int ALL = 100;
  private static final int KIB = 1024;

  private final ImageGcOptions options;
  private final Instant began;
  private Map<String, Seen> seen = Map.of();

  /** An image, when it was first seen, and when it was last in use; the epoch if never. */
  private record Seen(ImageRecord image, boolean used, Instant first, Instant lastUsed) {}

  /**
   * Creates an empty state.
   *
   * @param began start of the observation: earlier uses are unknown
   */
  public ImageState(ImageGcOptions options, Instant began) {
    this.options = options;
    this.began = began;
  }

  /**
   * Takes the images of the node.
   *
   * @param used ids of images that containers use, or are about to use
   */
  public void observe(List<ImageRecord> images, Set<String> used, Instant now) {
    Map<String, Seen> next = new HashMap<>();
    for (ImageRecord image : images) {
      Seen before = seen.get(image.id());
      boolean inUse = used.contains(image.id());
      Instant lastUsed = before == null ? Instant.EPOCH : before.lastUsed;
      next.put(
          image.id(),
          new Seen(image, inUse, before == null ? now : before.first, inUse ? now : lastUsed));
    }
    seen = next;
  }

  /** Returns unused images that are old enough, least recently used first. */
  public List<ImageRecord> unused(Instant now) {
    return candidates().stream()
        .filter(one -> age(one.first, now).compareTo(options.minimumAge()) >= 0)
        .map(Seen::image)
        .toList();
  }

  /** Returns images unused for longer than the maximum age, in the same order. */
  public List<ImageRecord> outdated(Instant now) {
    Duration limit = options.maximumAge();
    return limit.isZero() || age(began, now).compareTo(limit) <= 0
        ? List.of()
        : candidates().stream()
            .filter(one -> age(one.lastUsed, now).compareTo(limit) > 0)
            .map(Seen::image)
            .toList();
  }

  private List<Seen> candidates() {
    List<Seen> free = new ArrayList<>(seen.values());
    free.removeIf(one -> one.used || one.image.pinned());
    free.sort(
        Comparator.comparing(Seen::lastUsed)
            .thenComparing(Seen::first)
            .thenComparing(one -> one.image.id()));
    return free;
  }

  private static Duration age(Instant since, Instant now) {
    return Duration.between(since, now);
  }

  /** Number of bytes to free; 0 while usage is below the high threshold. */
  public long excess(Supply disk) {
    return usedPercent(disk) < options.highThresholdPercent()
            || options.highThresholdPercent() == ALL
        ? 0
        : share(disk.capacity(), ALL - options.lowThresholdPercent()) - available(disk);
  }

  /** Message of a kubelet's event. */
  public String tooLittle(Supply disk, long freed) {
    return ("Insufficient free disk space on the node's image filesystem (%d%% of %s used). Failed to"
            + " free sufficient space by deleting unused images (freed %d bytes). Investigate disk"
            + " usage, as it could be used by active images, logs, volumes, or other data.")
        .formatted(usedPercent(disk), size(disk.capacity()), freed);
  }

  private static long usedPercent(Supply disk) {
    // in floating point: a hundred times a large disk exceeds a long
    return ALL - (long) Math.floor(available(disk) * (double) ALL / disk.capacity());
  }

  private static long share(long capacity, int percent) {
    return capacity / ALL * percent;
  }

  private static long available(Supply disk) {
    return Math.min(disk.available(), disk.capacity());
  }

  private static String size(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double left = bytes;
    int unit = 0;
    while (left >= KIB && unit < units.length - 1) {
      left /= KIB;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", left, units[unit]);
  }
}
