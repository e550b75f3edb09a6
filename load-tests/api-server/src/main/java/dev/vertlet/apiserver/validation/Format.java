package dev.vertlet.apiserver.validation;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * What a text may look like. Characters are looked at one by one: a regular expression of the JDK
 * overflows the stack on the long texts that clients may send.
 */
@FunctionalInterface
interface Format {
  /** What is wrong with a text, in the real server's words; empty when nothing is. */
  List<String> problems(String text);

  /** Whether nothing is wrong. */
  default boolean fits(String text) {
    return problems(text).isEmpty();
  }

  int LABEL_LENGTH = 63;
  int SUBDOMAIN_LENGTH = 253;

  String LABEL_REGEX = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  String UNDERSCORED_REGEX = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  String NAME_REGEX = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  String NAME_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '"
          + NAME_REGEX
          + "')";
  String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start"
          + " and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '%s(\\.%s)*')"
              .formatted(LABEL_REGEX, LABEL_REGEX);
  String UNDERSCORED_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-'"
          + " or '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
          + " regex used for validation is"
          + " '%s(\\.%s)*')".formatted(UNDERSCORED_REGEX, UNDERSCORED_REGEX);

  /** A DNS label, the format of namespaces, containers and volumes. */
  Format DNS_LABEL =
      text -> {
        List<String> problems = limited(text, LABEL_LENGTH, "must be no more than %d characters");
        if (!isLabel(text)) {
          problems.add(
              isDotted(text, Format::isLabel)
                  ? "must not contain dots"
                  : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters"
                      + " or '-', and must start and end with an alphanumeric character (e.g."
                      + " 'my-name',  or '123-abc', regex used for"
                      + " validation is '%s')".formatted(LABEL_REGEX));
        }
        return problems;
      };

  /** A DNS subdomain, the format of most names. */
  Format DNS_SUBDOMAIN =
      text -> {
        List<String> problems =
            limited(text, SUBDOMAIN_LENGTH, "must be no more than %d characters");
        if (!isDotted(text, Format::isLabel)) {
          problems.add(SUBDOMAIN_RULE);
        }
        return problems;
      };

  /** A DNS subdomain whose labels may have underscores. */
  Format DNS_SUBDOMAIN_WITH_UNDERSCORES =
      text -> {
        List<String> problems =
            limited(text, SUBDOMAIN_LENGTH, "must be no more than %d characters");
        if (!isDotted(text, Format::isUnderscored)) {
          problems.add(UNDERSCORED_RULE);
        }
        return problems;
      };

  /** A name with an optional domain before it, the format of label keys. */
  Format QUALIFIED_NAME =
      text -> {
        int slash = text.indexOf('/');
        if (slash != text.lastIndexOf('/')) {
          return List.of(
              "a valid label key "
                  + NAME_RULE
                  + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> problems = new ArrayList<>();
        if (slash == 0) {
          problems.add("prefix part must be non-empty");
        } else if (slash > 0) {
          prefixProblems(text.substring(0, slash))
              .forEach(problem -> problems.add("prefix part " + problem));
        }
        String name = text.substring(slash + 1);
        if (name.isEmpty()) {
          problems.add("name part must be non-empty");
        } else if (name.length() > LABEL_LENGTH) {
          problems.add("name part must be no more than 63 bytes");
        }
        if (!isName(name)) {
          problems.add("name part " + NAME_RULE);
        }
        return problems;
      };

  /** A qualified name in any case, the format of annotation keys. */
  Format ANNOTATION_KEY = text -> QUALIFIED_NAME.problems(text.toLowerCase(Locale.ROOT));

  Format LABEL_VALUE =
      text -> {
        List<String> problems = limited(text, LABEL_LENGTH, "must be no more than %d bytes");
        if (!text.isEmpty() && !isName(text)) {
          problems.add(
              "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                  + " '_' or '.', and must start and end with an alphanumeric character (e.g."
                  + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is '("
                  + NAME_REGEX
                  + ")?')");
        }
        return problems;
      };

  /** A key in the data of a ConfigMap or Secret. */
  Format DATA_KEY =
      text -> {
        List<String> problems =
            limited(text, SUBDOMAIN_LENGTH, "must be no more than %d characters");
        if (text.isEmpty() || !all(text, c -> isAlphanumeric(c) || "-._".indexOf(c) >= 0)) {
          problems.add(
              "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
                  + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
                  + " '[-._a-zA-Z0-9]+')");
        }
        if (text.equals(".") || text.equals("..")) {
          problems.add("must not be '" + text + "'");
        } else if (text.startsWith("..")) {
          problems.add("must not start with '..'");
        }
        return problems;
      };

  /** The name of a port, also in the place of its number. */
  Format PORT_NAME =
      text -> {
        List<String> problems = limited(text, 15, "must be no more than %d characters");
        if (text.isEmpty() || !all(text, c -> c == '-' || isLowerAlphanumeric(c))) {
          problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (text.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
          problems.add("must contain at least one letter (a-z)");
        }
        if (text.contains("--")) {
          problems.add("must not contain consecutive hyphens");
        }
        if (text.startsWith("-") || text.endsWith("-")) {
          problems.add("must not begin or end with a hyphen");
        }
        return problems;
      };

  /** The name of an environment variable. */
  Format VARIABLE =
      text -> {
        List<String> problems = new ArrayList<>();
        if (text.isEmpty()) {
          problems.add("environment variable name must be non-empty");
        } else if (!all(text, c -> c >= ' ' && c < 0x7F && c != '=')) {
          problems.add(
              "a valid environment variable name must consist only of printable ASCII characters"
                  + " other than '='");
        }
        return problems;
      };

  Format HTTP_HEADER =
      text ->
          !text.isEmpty() && all(text, c -> c == '-' || isAlphanumeric(c))
              ? List.of()
              : List.of(
                  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
                      + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");

  Format PERCENTAGE =
      text ->
          text.length() > 1
                  && text.endsWith("%")
                  && all(text.substring(0, text.length() - 1), c -> c >= '0' && c <= '9')
              ? List.of()
              : List.of(
                  "a valid percent string must be a numeric string followed by an ending '%' (e.g."
                      + " '1%',  or '93%', regex used for validation is '[0-9]+%')");

  /** A part of a URL's path. */
  Format PATH_SEGMENT =
      text -> {
        if (text.equals(".") || text.equals("..")) {
          return List.of("may not be '" + text + "'");
        }
        List<String> problems = new ArrayList<>();
        for (String character : List.of("/", "%")) {
          if (text.contains(character)) {
            problems.add("may not contain '" + character + "'");
          }
        }
        return problems;
      };

  /** A path that stays below where it begins. */
  Format DESCENDING_PATH =
      text -> {
        List<String> problems = new ArrayList<>();
        if (text.startsWith("/")) {
          problems.add("must be a relative path");
        }
        problems.addAll(stepsBack(text));
        return problems;
      };

  /** A descending path that does not begin with two dots, as the kubelet's own files do. */
  Format FILE_OF_VOLUME =
      text -> {
        List<String> problems = new ArrayList<>(DESCENDING_PATH.problems(text));
        if (text.startsWith("..") && !text.startsWith("../") && !text.equals("..")) {
          problems.add("must not start with '..'");
        }
        return problems;
      };

  /** A path without steps back. */
  Format STRAIGHT_PATH = Format::stepsBack;

  /** An address of either family. */
  Format ADDRESS = IpText::addressProblems;

  /** A range of addresses of either family. */
  Format RANGE = IpText::rangeProblems;

  /** The same format for the beginning of a name, which may end in a hyphen. */
  default Format asBeginning() {
    return text ->
        problems(
            text.length() > 1 && text.endsWith("-")
                ? text.substring(0, text.length() - 2) + "a"
                : text);
  }

  private static List<String> stepsBack(String text) {
    boolean back = (text + "/").startsWith("../") || (text + "/").contains("/../");
    return back ? List.of("must not contain '..'") : List.of();
  }

  private static List<String> prefixProblems(String prefix) {
    List<String> problems = limited(prefix, SUBDOMAIN_LENGTH, "must be no more than %d bytes");
    if (!isDotted(prefix, Format::isLabel)) {
      problems.add(SUBDOMAIN_RULE);
    }
    return problems;
  }

  private static List<String> limited(String text, int most, String problem) {
    List<String> problems = new ArrayList<>(0);
    if (text.length() > most) {
      problems.add(problem.formatted(most));
    }
    return problems;
  }

  private static boolean isLabel(String text) {
    return isBetween(text, Format::isLowerAlphanumeric, c -> c == '-');
  }

  private static boolean isUnderscored(String text) {
    return isBetween(
        text.startsWith("_") ? text.substring(1) : text,
        Format::isLowerAlphanumeric,
        c -> c == '-' || c == '_');
  }

  private static boolean isName(String text) {
    return isBetween(text, Format::isAlphanumeric, c -> "-_.".indexOf(c) >= 0);
  }

  /** Whether a text begins and ends with one of some characters, and has a few more within. */
  private static boolean isBetween(String text, IntPredicate ends, IntPredicate within) {
    return !text.isEmpty()
        && ends.test(text.charAt(0))
        && ends.test(text.charAt(text.length() - 1))
        && all(text, c -> ends.test(c) || within.test(c));
  }

  private static boolean isDotted(String text, java.util.function.Predicate<String> part) {
    for (int from = 0; from <= text.length(); ) {
      int dot = text.indexOf('.', from);
      int end = dot < 0 ? text.length() : dot;
      if (!part.test(text.substring(from, end))) {
        return false;
      }
      from = end + 1;
    }
    return true;
  }

  private static boolean all(String text, IntPredicate allowed) {
    for (int i = 0; i < text.length(); i++) {
      if (!allowed.test(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLowerAlphanumeric(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }

  private static boolean isAlphanumeric(int c) {
    return isLowerAlphanumeric(c) || (c >= 'A' && c <= 'Z');
  }

  /** Whether a percentage is more than all. */
  static boolean isMoreThanAll(String percentage) {
    String digits = percentage.substring(0, percentage.length() - 1);
    return new BigInteger(digits).compareTo(BigInteger.valueOf(100)) > 0;
  }
}
