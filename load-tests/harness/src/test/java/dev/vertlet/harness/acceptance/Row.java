package dev.vertlet.harness.acceptance;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Something that vertlet is held to.
 *
 * @param section heading it stands under
 * @param id by which tests name it
 * @param meaning what holds, in one line
 */
record Row(String section, String id, String meaning) {
  private static final Pattern NUMBERED = Pattern.compile("[BC]\\d\\d");

  /**
   * The tests that name it. What is said of a whole class is left out where tests of the class say
   * it themselves.
   */
  List<TestCase> tests(List<TestCase> all) {
    Pattern pattern = pattern();
    List<TestCase> found =
        all.stream().filter(test -> pattern.matcher(test.text()).find()).toList();
    return found.stream()
        .filter(
            test ->
                test.method()
                    || found.stream()
                        .noneMatch(other -> other.method() && other.type().equals(test.type())))
        .toList();
  }

  /**
   * The id as a word; a number also as what a method's name begins with, as in c08Failed, or a row.
   */
  private Pattern pattern() {
    return NUMBERED.matcher(id).matches()
        ? Pattern.compile(
            "(?<![\\w-])(%s|%s(?=[A-Z_ ]))(?![0-9a-z-])".formatted(id, id.toLowerCase(Locale.ROOT)))
        : Pattern.compile("(?<![\\w-])" + Pattern.quote(id) + "(?![\\w-])");
  }
}
