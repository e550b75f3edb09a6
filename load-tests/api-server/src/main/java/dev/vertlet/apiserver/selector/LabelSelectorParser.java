package dev.vertlet.apiserver.selector;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.selector.LabelSelector.Operator;
import dev.vertlet.apiserver.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Recursive-descent parser of the label selector grammar. */
final class LabelSelectorParser {
  private static final String DELIMITERS = "=!<>(),";

  private final String text;
  private int at;

  LabelSelectorParser(String text) {
    this.text = text;
  }

  List<Requirement> parse() {
    List<Requirement> found = new ArrayList<>();
    skipSpace();
    while (at < text.length()) {
      found.add(requirement());
      skipSpace();
      if (at == text.length()) {
        break;
      }
      expect(',', "',' or 'end of string'");
      skipSpace();
      if (at == text.length()) {
        throw error("identifier after ','");
      }
    }
    return found;
  }

  private Requirement requirement() {
    if (accept('!')) {
      return new Requirement(key(), Operator.ABSENT, Set.of());
    }
    String key = key();
    skipSpace();
    if (at == text.length() || text.charAt(at) == ',') {
      return new Requirement(key, Operator.EXISTS, Set.of());
    } else if (accept('=')) {
      accept('=');
      return new Requirement(key, Operator.IN, Set.of(word()));
    } else if (accept('!')) {
      expect('=', "'='");
      return new Requirement(key, Operator.NOT_IN, Set.of(word()));
    } else if (accept('>')) {
      return new Requirement(key, Operator.GREATER, Set.of(word()));
    } else if (accept('<')) {
      return new Requirement(key, Operator.LESS, Set.of(word()));
    }
    String operator = word();
    if (operator.equals("in")) {
      return new Requirement(key, Operator.IN, values());
    } else if (operator.equals("notin")) {
      return new Requirement(key, Operator.NOT_IN, values());
    }
    at -= operator.length();
    throw error("in, notin, =, ==, !=, gt, lt");
  }

  private String key() {
    String key = word();
    if (key.isEmpty()) {
      throw error("identifier");
    }
    return key;
  }

  private Set<String> values() {
    skipSpace();
    expect('(', "'('");
    Set<String> values = new LinkedHashSet<>();
    do {
      values.add(word());
      skipSpace();
    } while (accept(','));
    expect(')', "',', ')' or identifier");
    return values;
  }

  private String word() {
    skipSpace();
    int start = at;
    while (at < text.length()
        && !Character.isWhitespace(text.charAt(at))
        && DELIMITERS.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean accept(char wanted) {
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char wanted, String expected) {
    if (!accept(wanted)) {
      throw error(expected);
    }
  }

  private ApiException error(String expected) {
    return ApiException.badRequest(
        "unable to parse requirement: found '%s', expected: %s"
            .formatted(text.substring(Math.min(at, text.length())), expected));
  }
}
