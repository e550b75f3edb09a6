package dev.vertlet.config;

import java.util.ArrayList;
import java.util.List;

/**
 * One value that stands above the file's, from a flag or the environment.
 *
 * @param path keys and list indexes from the root, for example {@code [nodes, 0, count]}
 * @param text the value: JSON, else text
 * @param origin who set it, as messages name it
 */
public record Setting(List<String> path, String text, String origin) {
  public Setting {
    path = List.copyOf(path);
  }

  /**
   * Reads {@code path=value}, where a path is dotted keys and list indexes; a dot that belongs to a
   * key is written {@code \.}, which it need not be where the schema leaves keys free.
   *
   * @throws IllegalArgumentException when there is no path or no {@code =}
   */
  public static Setting parse(String option) {
    int equals = option.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(
          "\"" + option + "\" must be path=value, for example lease.duration=20s");
    }
    String path = option.substring(0, equals);
    return new Setting(split(path), option.substring(equals + 1), "--set " + path);
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
