package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Function;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** sprig's functions of paths; those of the operating system are those of Linux. */
final class PathFunctions {
  private PathFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    both(all, "base", PathFunctions::base);
    both(all, "dir", PathFunctions::directory);
    both(all, "clean", PathFunctions::clean);
    both(all, "ext", PathFunctions::extension);
    Function absolute = Function.of("string", a -> a.string(0).startsWith("/"));
    all.put("isAbs", absolute);
    all.put("osIsAbs", absolute);
    return all;
  }

  private static void both(Map<String, Function> all, String name, UnaryOperator<String> path) {
    Function function = Function.of("string", a -> path.apply(a.string(0)));
    all.put(name, function);
    all.put("os" + Character.toUpperCase(name.charAt(0)) + name.substring(1), function);
  }

  private static String base(String path) {
    if (path.isEmpty()) {
      return ".";
    }
    String stripped = path.replaceFirst("/+$", "");
    return stripped.isEmpty() ? "/" : stripped.substring(stripped.lastIndexOf('/') + 1);
  }

  private static String directory(String path) {
    return clean(path.substring(0, path.lastIndexOf('/') + 1));
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot) : "";
  }

  private static String clean(String path) {
    boolean rooted = path.startsWith("/");
    Deque<String> parts = new ArrayDeque<>();
    for (String part : path.split("/", -1)) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (part.equals("..") ? !rooted : !part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    String joined = (rooted ? "/" : "") + String.join("/", parts);
    return joined.isEmpty() ? "." : joined;
  }
}
