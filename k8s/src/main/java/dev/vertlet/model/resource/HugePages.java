package dev.vertlet.model.resource;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** Huge pages of a node: part of its memory, reserved whether or not pods use them. */
public final class HugePages {
  private static final String PREFIX = "hugepages-";

  private HugePages() {}

  /**
   * Returns a node's memory without its huge pages, at least 0.
   *
   * @param memory a quantity
   * @param capacity resource name to quantity; resources other than huge pages are ignored
   * @return canonical; {@code memory} itself without huge pages
   */
  public static String off(String memory, Map<String, String> capacity) {
    Quantity pages = null;
    for (Map.Entry<String, String> resource : capacity.entrySet()) {
      if (resource.getKey().startsWith(PREFIX)) {
        Quantity size = Quantities.parse(resource.getKey(), resource.getValue());
        pages = pages == null ? size : Quantities.add(pages, size);
      }
    }
    if (pages == null) {
      return memory;
    }
    Quantity all = Quantities.parse("memory", memory);
    boolean more = Quantities.compare(pages, all) > 0;
    return more ? "0" : Quantities.subtract(all, pages).toString();
  }
}
