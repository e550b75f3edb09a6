package dev.vertlet.simulated.rule;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Answers of a container to one kind of probe over its life: {@code fail}, {@code fail 20s, ok},
 * {@code ok 3x, fail 2x, ok}. The length of a step is a duration or a number of probes; the last
 * step has no length and lasts for ever.
 *
 * @param counted whether lengths are numbers of probes instead of milliseconds
 */
public record ProbeScript(List<Step> steps, boolean counted) {
  /** Always succeeds. */
  static final ProbeScript OK =
      new ProbeScript(List.of(new Step(Answer.OK, Long.MAX_VALUE)), false);

  private static final String FORM =
      "want answers ("
          + Answer.words()
          + ") separated by commas, each but the last one with its"
          + " length, all times (\"fail 20s, ok\") or all numbers of probes (\"ok 3x, fail\")";

  /** Answer to a probe. */
  public enum Answer {
    OK,
    /** The probe fails. */
    FAIL,
    /** Success with a warning. */
    WARN,
    /** The probe cannot run. */
    ERROR,
    /** The probe is never answered. */
    HANG;

    static String words() {
      return Arrays.stream(values()).map(Answer::word).collect(Collectors.joining(", "));
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param length {@link Long#MAX_VALUE} for ever
   */
  public record Step(Answer answer, long length) {}

  public ProbeScript {
    steps = List.copyOf(steps);
  }

  /**
   * Parses a script.
   *
   * @throws IllegalArgumentException with a message that names the text and the syntax
   */
  public static ProbeScript parse(String text) {
    String[] parts = text.split(",", -1);
    List<Step> steps = new ArrayList<>();
    boolean counted = false;
    for (int i = 0; i < parts.length; i++) {
      String[] words = parts[i].strip().split("\\s+", -1);
      boolean last = i == parts.length - 1;
      if (words.length != (last ? 1 : 2)) {
        throw invalid(text);
      }
      boolean count = !last && words[1].matches("[0-9]{1,6}x");
      if (i > 0 && !last && count != counted) {
        throw invalid(text);
      }
      counted = last ? counted : count;
      steps.add(new Step(answer(text, words[0]), last ? Long.MAX_VALUE : length(text, words[1])));
    }
    return new ProbeScript(steps, counted);
  }

  private static Answer answer(String text, String word) {
    for (Answer answer : Answer.values()) {
      if (answer.word().equals(word)) {
        return answer;
      }
    }
    throw invalid(text);
  }

  private static long length(String text, String length) {
    if (length.endsWith("x")) {
      return Long.parseLong(length.substring(0, length.length() - 1));
    }
    try {
      Duration duration = GoDuration.parse(length);
      if (duration.isNegative() || duration.compareTo(DurationRule.LONGEST) > 0) {
        throw invalid(text);
      }
      return duration.toMillis();
    } catch (IllegalArgumentException e) {
      throw invalid(text);
    }
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException("\"" + text + "\" is no answer to probes: " + FORM);
  }

  /**
   * Returns the current answer.
   *
   * @param age age of the instance in milliseconds
   * @param before earlier probes of this kind that the instance has answered
   */
  Answer answer(long age, long before) {
    long left = counted ? before : age;
    for (Step step : steps) {
      if (left < step.length()) {
        return step.answer();
      }
      left -= step.length();
    }
    return steps.get(steps.size() - 1).answer();
  }
}
