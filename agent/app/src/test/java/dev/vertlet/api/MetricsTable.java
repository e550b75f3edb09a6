package dev.vertlet.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Metrics as lines of name, type and labels: of a document's table, and of a scrape. */
final class MetricsTable {
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z_]+)` \\| (\\w+) \\| ([^|]*) \\|.*");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)\\})? \\S+");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"(?:[^\"\\\\]|\\\\.)*\"");

  /** Chosen by others, and not by every JVM. */
  private static final List<String> FOREIGN =
      List.of("jvm_", "process_cpu_usage", "system_", "vertx_pool_");

  /** With the beginning of whatever an agent's metrics begin with. */
  private static final Pattern NAME =
      Pattern.compile(
          "\\b(?:vertlet|kubelet|rest_client|reflector|apiserver|authentication|jvm|process)_[a-z_]+");

  /** What a part of a histogram ends in. */
  private static final Pattern PART = Pattern.compile("_(?:bucket|count|sum|max)$");

  private MetricsTable() {}

  /** The metrics that queries in a text are about. */
  static Set<String> asked(String text) {
    TreeSet<String> names = new TreeSet<>();
    Matcher name = NAME.matcher(text);
    while (name.find()) {
      names.add(PART.matcher(name.group()).replaceFirst(""));
    }
    return names;
  }

  static String documented(Path document) throws IOException {
    TreeSet<String> lines = new TreeSet<>();
    for (String line : Files.readAllLines(document)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        TreeSet<String> labels = new TreeSet<>();
        Matcher label = Pattern.compile("`([a-z_]+)`").matcher(row.group(3));
        while (label.find()) {
          labels.add(label.group(1));
        }
        lines.add(row.group(1) + " " + row.group(2) + " " + labels);
      }
    }
    return String.join("\n", lines);
  }

  static String scraped(String text) {
    Map<String, String> types = new TreeMap<>();
    Map<String, Set<String>> labels = new TreeMap<>();
    for (String line : text.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      } else if (sample.matches()) {
        String name = family(sample.group(1), types);
        Set<String> own = labels.computeIfAbsent(name, n -> new TreeSet<>());
        Matcher label = LABEL.matcher(String.valueOf(sample.group(2)));
        while (label.find()) {
          own.add(label.group(1));
        }
        own.remove("le");
      }
    }
    TreeSet<String> lines = new TreeSet<>();
    types.forEach(
        (name, type) -> {
          boolean foreign = FOREIGN.stream().anyMatch(name::startsWith);
          // the longest of late stands beside each duration and size
          boolean beside = name.endsWith("_max");
          if (!foreign && !beside) {
            lines.add(name + " " + type + " " + labels.getOrDefault(name, Set.of()));
          }
        });
    return String.join("\n", lines);
  }

  private static String family(String sample, Map<String, String> types) {
    for (String end : List.of("_bucket", "_sum", "_count")) {
      String base = sample.endsWith(end) ? sample.substring(0, sample.length() - end.length()) : "";
      if (types.containsKey(base)) {
        return base;
      }
    }
    return sample;
  }
}
