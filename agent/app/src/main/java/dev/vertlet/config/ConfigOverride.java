package dev.vertlet.config;

import java.util.ArrayList;
import java.util.List;

/**
 * One value from a flag or the environment, which overrides the file.
 *
 * @param path keys and list indexes from the root, for example {@code [nodes, 0, count]}
 * @param text the value: JSON, else text
 * @param origin flag or variable, as messages name it
 */
public record ConfigOverride(List<String> path, String text, String origin) {
  public ConfigOverride {
    path = List.copyOf(path);
  }

  /**
   * Parses {@code path=value}. The path is dotted keys and list indexes; a dot inside a key is
   * written {@code \.}, which is optional where the schema allows any key.
   *
   * @throws IllegalArgumentException when the path or {@code =} is missing
   */
  public static ConfigOverride parse(String option) {
    int equals = option.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(
          "\"" + option + "\" must be path=value, for example lease.duration=20s");
    }
    String path = option.substring(0, equals);
    return new ConfigOverride(split(path), option.substring(equals + 1), "--set " + path);
  }

  private static List<String> split(String path) {
    List<String> keys = new ArrayList<>();
    for (String key : path.split("(?<!\\\\)\\.", -1)) {
      if (key.isEmpty()) {
        throw new IllegalArgumentException(
            "\"" + path + "\" must be keys with single dots between them");
      }
      keys.add(key.replace("\\.", "."));
    }
    return keys;
  }
}
