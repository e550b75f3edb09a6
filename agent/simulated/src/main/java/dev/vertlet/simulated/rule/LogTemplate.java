package dev.vertlet.simulated.rule;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of a log line. {@code {n}} is its number, {@code {random}} a number from 0 to 999; {@code
 * {pod}}, {@code {namespace}}, {@code {container}} and {@code {node}} are names. Other braces stay
 * unchanged.
 *
 * @param text 1 to 16384 characters, one line
 */
public record LogTemplate(String text) {
  static final LogTemplate DEFAULT = new LogTemplate("request {n} took {random} ms");

  private static final int LONGEST = 16 * 1024;
  private static final int RANDOM_END = 1000;
  private static final Pattern NUMBERS = Pattern.compile("\\{(n|random)}");

  public LogTemplate {
    if (text.isEmpty() || text.length() > LONGEST || text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "a log line must be 1 to " + LONGEST + " characters in one line, got " + text.length());
    }
  }

  /**
   * Fills in the names.
   *
   * @param names values of {@code pod} and the other names
   */
  public Line with(Map<String, String> names) {
    String named = text;
    for (Map.Entry<String, String> name : names.entrySet()) {
      named = named.replace("{" + name.getKey() + "}", name.getValue());
    }
    List<Buffer> pieces = new ArrayList<>();
    List<Boolean> random = new ArrayList<>();
    int at = 0;
    Matcher numbers = NUMBERS.matcher(named);
    while (numbers.find()) {
      pieces.add(Buffer.buffer(named.substring(at, numbers.start())));
      random.add(numbers.group(1).equals("random"));
      at = numbers.end();
    }
    return new Line(List.copyOf(pieces), List.copyOf(random), Buffer.buffer(named.substring(at)));
  }

  /**
   * Template with all names filled in.
   *
   * @param pieces text before each number
   * @param random for each number whether it is {@code {random}}
   */
  public record Line(List<Buffer> pieces, List<Boolean> random, Buffer rest) {
    /**
     * Formats one line.
     *
     * @param bits uniformly distributed
     */
    public Buffer text(long number, long bits) {
      Buffer text = Buffer.buffer(64);
      for (int i = 0; i < pieces.size(); i++) {
        text.appendBuffer(pieces.get(i));
        long value = random.get(i) ? (long) (Hash64.unit(bits) * RANDOM_END) : number;
        text.appendString(Long.toString(value));
      }
      return text.appendBuffer(rest);
    }
  }
}
