package dev.vertlet.page;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Query for nodes on the page. Every request is mapped to a valid query.
 *
 * @param text part of the name; empty for all
 * @param page page number from 0
 */
record NodeQuery(String text, Which which, Sort sort, boolean descending, int page) {
  static final int ROWS = 25;

  private static final int LONGEST_TEXT = 253;
  private static final int LAST_PAGE = 1_000_000;

  /** All nodes by name. */
  static final NodeQuery ALL = new NodeQuery("", Which.ALL, Sort.NAME, false, 0);

  enum Which {
    ALL,
    PROBLEMS,
    CONFIGURED
  }

  enum Sort {
    NAME(Comparator.comparing(NodeLine::name, NaturalOrder.INSTANCE)),
    STATE(Comparator.comparing(NodeLine::state)),
    PODS(Comparator.comparingInt(node -> node.pods().total())),
    PENDING(Comparator.comparingInt(node -> node.pods().pending())),
    FAILED(Comparator.comparingInt(node -> node.pods().failed())),
    CONFIG(Comparator.comparing(NodeLine::configError));

    private final Comparator<NodeLine> order;

    Sort(Comparator<NodeLine> order) {
      this.order = order;
    }
  }

  /**
   * Parses a request.
   *
   * @param parameters value of a parameter; null for an absent one
   */
  static NodeQuery of(Function<String, @Nullable String> parameters) {
    String text = parameters.apply("q");
    String name = text == null ? "" : text.strip().toLowerCase(Locale.ROOT);
    return new NodeQuery(
        name.substring(0, Math.min(LONGEST_TEXT, name.length())),
        constant(Which.class, parameters.apply("which"), Which.ALL),
        constant(Sort.class, parameters.apply("sort"), Sort.NAME),
        "desc".equals(parameters.apply("order")),
        page(parameters.apply("page")));
  }

  private static <E extends Enum<E>> E constant(Class<E> type, @Nullable String text, E fallback) {
    for (E each : type.getEnumConstants()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    return fallback;
  }

  private static int page(@Nullable String text) {
    try {
      return text == null ? 0 : Math.max(0, Math.min(LAST_PAGE, Integer.parseInt(text)));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  boolean matches(NodeLine node) {
    return (text.isEmpty() || node.name().contains(text))
        && switch (which) {
          case ALL -> true;
          case PROBLEMS -> isProblem(node);
          case CONFIGURED -> node.config() != null;
        };
  }

  private static boolean isProblem(NodeLine node) {
    return node.configError()
        || switch (node.state()) {
          case LOST, UNWELL, WAITING -> true;
          case READY, ELSEWHERE -> false;
        };
  }

  /** Returns the order of the nodes; equal ones are sorted by name. */
  Comparator<NodeLine> order() {
    Comparator<NodeLine> by = descending ? sort.order.reversed() : sort.order;
    return by.thenComparing(Sort.NAME.order);
  }

  /** Returns whether this is the order in which the model keeps the nodes. */
  boolean byName() {
    return sort == Sort.NAME && !descending;
  }
}
