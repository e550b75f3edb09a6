package dev.vertlet.env;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Resolver configuration, as in a resolv.conf file.
 *
 * @param nameservers addresses, in order of preference
 * @param searches domains in which short names are looked up
 * @param options such as {@code ndots:5}, each name once
 */
public record ResolvConf(List<String> nameservers, List<String> searches, List<String> options) {
  /** Empty configuration. */
  public static final ResolvConf EMPTY = new ResolvConf(List.of(), List.of(), List.of());

  private static final String SPACES = "\\s+";

  public ResolvConf {
    nameservers = List.copyOf(nameservers);
    searches = List.copyOf(searches);
    options = List.copyOf(options);
  }

  /**
   * Parses a file's lines as a kubelet does: nameservers accumulate, the last search line wins, as
   * does the last of several options of one name; unknown lines are skipped.
   */
  public static ResolvConf parse(List<String> lines) {
    List<String> nameservers = new ArrayList<>();
    List<String> searches = List.of();
    Map<String, String> options = new LinkedHashMap<>();
    for (String line : lines) {
      List<String> words = List.of(line.strip().split(SPACES));
      List<String> rest = words.subList(1, words.size());
      switch (words.get(0)) {
        case "nameserver" -> rest.stream().limit(1).forEach(nameservers::add);
        case "search" -> searches = domains(rest);
        case "options" -> rest.forEach(option -> options.put(name(option), option));
        default -> {} // includes comments
      }
    }
    return new ResolvConf(nameservers, searches, List.copyOf(options.values()));
  }

  /** Removes trailing dots, so that a domain with and without one is listed once. */
  private static List<String> domains(List<String> words) {
    return words.stream()
        .filter(word -> !word.equals("."))
        .map(word -> word.endsWith(".") ? word.substring(0, word.length() - 1) : word)
        .toList();
  }

  /** Returns the part of an option before its value. */
  static String name(String option) {
    int colon = option.indexOf(':');
    return colon < 0 ? option : option.substring(0, colon);
  }
}
