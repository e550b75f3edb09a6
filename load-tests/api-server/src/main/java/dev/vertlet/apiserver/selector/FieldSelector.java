package dev.vertlet.apiserver.selector;

import dev.vertlet.apiserver.api.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A comma-separated conjunction of {@code field=value}, {@code field==value} and {@code
 * field!=value}.
 */
public final class FieldSelector {
  private record Term(String field, boolean equal, String value) {}

  private final List<Term> terms;

  private FieldSelector(List<Term> terms) {
    this.terms = List.copyOf(terms);
  }

  /**
   * @param text the selector, empty for "everything"
   * @param supported which field labels the resource knows
   * @param unsupported the answer for a label it does not know
   */
  public static FieldSelector parse(
      String text, Predicate<String> supported, Function<String, ApiException> unsupported) {
    List<Term> terms = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      Term term = term(text, part);
      if (!supported.test(term.field())) {
        throw unsupported.apply(term.field());
      }
      terms.add(term);
    }
    return new FieldSelector(terms);
  }

  private static Term term(String text, String part) {
    int at = part.indexOf('=');
    if (at < 0) {
      throw ApiException.badRequest(
          "invalid selector: '%s'; can't understand '%s'".formatted(text, part));
    }
    boolean different = at > 0 && part.charAt(at - 1) == '!';
    int end = at + 1 < part.length() && part.charAt(at + 1) == '=' && !different ? at + 2 : at + 1;
    return new Term(part.substring(0, different ? at - 1 : at), !different, part.substring(end));
  }

  /** Whether nothing is selected by: everything matches. */
  public boolean isEmpty() {
    return terms.isEmpty();
  }

  /**
   * @param fields the value of a field label, empty when the object has none
   */
  public boolean matches(Function<String, String> fields) {
    for (Term term : terms) {
      if (fields.apply(term.field()).equals(term.value()) != term.equal()) {
        return false;
      }
    }
    return true;
  }
}
