package dev.vertlet.simulated.rule;

import java.util.ArrayList;
import java.util.List;

/** Exit code of a container that ends by itself: a constant or a weighted choice. */
public record ExitCodes(List<Choice> choices) {
  public static final ExitCodes ZERO = of(0);

  private static final int MAX = 255;

  /**
   * @param code 0 to 255
   * @param weight above 0
   */
  public record Choice(int code, double weight) {
    public Choice {
      if (code < 0 || code > MAX) {
        throw new IllegalArgumentException("exitCode must be from 0 to 255, got " + code);
      }
      Weights.require(weight);
    }
  }

  public ExitCodes {
    choices = List.copyOf(choices);
  }

  /** Creates a constant. */
  public static ExitCodes of(int code) {
    return new ExitCodes(List.of(new Choice(code, 1)));
  }

  /**
   * Parses {@code 3}, or {@code 0:9,1:1} (codes with weights, 1 by default).
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  public static ExitCodes parse(String text) {
    List<Choice> choices = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String choice = part.strip();
      int colon = choice.indexOf(':');
      String code = colon < 0 ? choice : choice.substring(0, colon).strip();
      if (!code.matches("[0-9]{1,3}") || Integer.parseInt(code) > MAX) {
        throw new IllegalArgumentException(
            "\""
                + text
                + "\" is no exit code: want a number from 0 to 255, or some with weights"
                + " (\"0:9,1:1\")");
      }
      double weight = colon < 0 ? 1 : Weights.parse(choice.substring(colon + 1).strip());
      choices.add(new Choice(Integer.parseInt(code), weight));
    }
    return new ExitCodes(choices);
  }

  public int draw(long bits) {
    return choices.get(Weights.index(bits, choices.size(), i -> choices.get(i).weight())).code();
  }
}
