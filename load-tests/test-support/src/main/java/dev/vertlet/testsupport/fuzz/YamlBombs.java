package dev.vertlet.testsupport.fuzz;

import java.util.LinkedHashMap;
import java.util.Map;

/** Short YAML documents that exhaust the memory of a parser that expands them. */
public final class YamlBombs {
  private static final int MANY = 1_000_000;

  private YamlBombs() {}

  /** All bombs by the construct that makes them grow. Each fits into a ConfigMap. */
  public static Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("doubled mappings", doubled(24, "{l: *a%1$d, r: *a%1$d}"));
    all.put("doubled sequences", doubled(24, "[*a%1$d, *a%1$d]"));
    all.put("nine by nine", doubled(5, "[" + "*a%1$d, ".repeat(9) + "]"));
    all.put("doubled keys", doubled(24, "{? [*a%1$d, *a%1$d] : x}"));
    all.put("merged mappings", doubled(24, "{<<: *a%1$d, k%1$d: *a%1$d}"));
    all.put(
        "one long text", "a: &a " + "x".repeat(500_000) + "\nb: [" + "*a, ".repeat(9_000) + "]");
    all.put(
        "one long tag",
        "%TAG !t! tag:" + "x".repeat(500_000) + "\n---\na: [" + "!t!x 1, ".repeat(9_000) + "]");
    all.put("an alias of itself", "a: &a [*a, *a]");
    all.put("two aliases of each other", "a: &a {b: &b [*a, *b], c: *b}");
    all.put("many small values", "a: [" + "0,".repeat(MANY / 2) + "]");
    all.put("many empty objects", "a: [" + "{},".repeat(MANY / 3) + "]");
    all.put("many documents", "---\n".repeat(MANY / 4));
    all.put("many levels of flow", "a: " + "[".repeat(MANY / 2) + "]".repeat(MANY / 2));
    all.put("many levels of blocks", "- ".repeat(MANY / 2) + "x");
    all.put("many keys in keys", "? ".repeat(MANY / 2) + "x");
    all.put("levels by aliases", levels());
    return all;
  }

  /** Builds a mapping in which each key refers to the one before several times. */
  private static String doubled(int levels, String next) {
    StringBuilder text = new StringBuilder("a0: &a0 {k: v}\n");
    for (int i = 1; i <= levels; i++) {
      text.append("a%1$d: &a%1$d ".formatted(i)).append(next.formatted(i - 1)).append('\n');
    }
    return text.toString();
  }

  /** Nests deeply with few brackets: each alias adds its own levels. */
  private static String levels() {
    StringBuilder text = new StringBuilder("a0: &a0 x\n");
    for (int i = 1; i <= 40; i++) {
      text.append("a%d: &a%d [[[[[[[[[[*a%d]]]]]]]]]]\n".formatted(i, i, i - 1));
    }
    return text.toString();
  }
}
