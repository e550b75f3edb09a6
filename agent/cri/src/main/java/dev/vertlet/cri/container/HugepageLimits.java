package dev.vertlet.cri.container;

import dev.vertlet.cri.wire.CommonMessages.HugepageLimit;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.resource.Quantities;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Limits of huge pages: of each size of the host, 0 unless a container asks for more. */
final class HugepageLimits {
  private static final Path SIZES = Path.of("/sys/kernel/mm/hugepages");
  private static final String PREFIX = "hugepages-";
  private static final List<String> UNITS = List.of("KB", "MB", "GB", "TB");
  private static final long KIBI = 1024;

  private HugepageLimits() {}

  /** Sizes of huge pages in bytes that this host has, in ascending order; blocks. */
  static List<Long> sizes() {
    TreeMap<Long, Boolean> sizes = new TreeMap<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(SIZES, PREFIX + "*kB")) {
      for (Path path : found) {
        String name = path.getFileName().toString();
        sizes.put(Long.parseLong(name.substring(PREFIX.length(), name.length() - 2)) * KIBI, true);
      }
    } catch (IOException | NumberFormatException e) {
      return List.of(); // a kernel without huge pages
    }
    return List.copyOf(sizes.keySet());
  }

  /**
   * Returns the limits.
   *
   * @param sizes of the host
   */
  static List<HugepageLimit> of(ResourcesView resources, List<Long> sizes) {
    List<HugepageLimit> limits = new ArrayList<>();
    for (long size : sizes) {
      String key = PREFIX + Quantities.binary(size);
      String limit = resources.limits().getOrDefault(key, resources.podLimits().get(key));
      limits.add(new HugepageLimit(name(size), limit == null ? 0 : Quantities.units(limit)));
    }
    return limits;
  }

  /** The size as a cgroup names it, for example {@code 2MB}. */
  private static String name(long size) {
    long amount = size / KIBI;
    int unit = 0;
    while (amount % KIBI == 0 && unit < UNITS.size() - 1) {
      amount /= KIBI;
      unit++;
    }
    return amount + UNITS.get(unit);
  }
}
