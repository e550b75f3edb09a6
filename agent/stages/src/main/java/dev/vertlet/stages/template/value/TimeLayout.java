package dev.vertlet.stages.template.value;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Layouts of Go's time package, which show how 2006-01-02 15:04:05 -0700 looks. */
public final class TimeLayout {
  private static final Pattern FIELDS =
      Pattern.compile(
          "January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|2006|__2|_2(?!006)|002|0[1-6]|15|[1-5]"
              + "|PM|pm|[Z-]07:00:00|[Z-]070000|[Z-]07:00|[Z-]0700|[Z-]07|[.,](?:0+|9+)(?![0-9])");
  private static final Pattern ZONE_NAME = Pattern.compile("[A-Z]{3,4}");
  private static final DateTimeFormatter ABBREVIATION =
      DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);

  private TimeLayout() {}

  /** The time in the layout. */
  public static String format(ZonedDateTime time, String layout) {
    Matcher fields = FIELDS.matcher(layout);
    StringBuilder out = new StringBuilder();
    int literal = 0;
    while (fields.find()) {
      out.append(layout, literal, fields.start()).append(field(time, fields.group()));
      literal = fields.end();
    }
    return out.append(layout.substring(literal)).toString();
  }

  private static String field(ZonedDateTime time, String field) {
    return switch (field) {
      case "2006" -> digits(time.getYear(), 4);
      case "06" -> digits(time.getYear() % 100, 2);
      case "January" -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case "Jan" -> time.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
      case "Monday" -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case "Mon" -> time.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
      case "1" -> String.valueOf(time.getMonthValue());
      case "01" -> digits(time.getMonthValue(), 2);
      case "2" -> String.valueOf(time.getDayOfMonth());
      case "_2" -> String.format(Locale.ROOT, "%2d", time.getDayOfMonth());
      case "02" -> digits(time.getDayOfMonth(), 2);
      case "002" -> digits(time.getDayOfYear(), 3);
      case "__2" -> String.format(Locale.ROOT, "%3d", time.getDayOfYear());
      case "15" -> digits(time.getHour(), 2);
      case "3" -> String.valueOf((time.getHour() + 11) % 12 + 1);
      case "03" -> digits((time.getHour() + 11) % 12 + 1, 2);
      case "4" -> String.valueOf(time.getMinute());
      case "04" -> digits(time.getMinute(), 2);
      case "5" -> String.valueOf(time.getSecond());
      case "05" -> digits(time.getSecond(), 2);
      case "PM" -> time.getHour() < 12 ? "AM" : "PM";
      case "pm" -> time.getHour() < 12 ? "am" : "pm";
      case "MST" -> zoneName(time);
      default ->
          field.charAt(0) == '.' || field.charAt(0) == ','
              ? fraction(time.getNano(), field)
              : offset(time.getOffset(), field);
    };
  }

  private static String digits(int value, int width) {
    return String.format(Locale.ROOT, "%0" + width + "d", value);
  }

  private static String zoneName(ZonedDateTime time) {
    if (time.getZone().normalized().equals(ZoneOffset.UTC)) {
      return "UTC";
    }
    if (!(time.getZone() instanceof ZoneOffset)) {
      return ABBREVIATION.format(time);
    }
    boolean wholeHours = time.getOffset().getTotalSeconds() % 3600 == 0;
    return offset(time.getOffset(), wholeHours ? "-07" : "-0700");
  }

  private static String fraction(int nanoseconds, String field) {
    String digits = digits(nanoseconds, 9).substring(0, Math.min(9, field.length() - 1));
    if (field.charAt(1) == '0') {
      return field.charAt(0) + digits + "0".repeat(Math.max(0, field.length() - 10));
    }
    String trimmed = digits.replaceFirst("0+$", "");
    return trimmed.isEmpty() ? "" : field.charAt(0) + trimmed;
  }

  private static String offset(ZoneOffset offset, String field) {
    int seconds = offset.getTotalSeconds();
    if (field.charAt(0) == 'Z' && seconds == 0) {
      return "Z";
    }
    String colon = field.indexOf(':') >= 0 ? ":" : "";
    int size = Math.abs(seconds);
    StringBuilder out = new StringBuilder(seconds < 0 ? "-" : "+").append(digits(size / 3600, 2));
    int fields = field.replace(":", "").length();
    if (fields >= 5) {
      out.append(colon).append(digits(size / 60 % 60, 2));
    }
    if (fields >= 7) {
      out.append(colon).append(digits(size % 60, 2));
    }
    return out.toString();
  }

  /**
   * Reads a time in a layout.
   *
   * @param zone of a text without one
   * @throws FunctionException with Go's sentence if the text has another form
   */
  public static ZonedDateTime parse(String layout, String text, ZoneId zone) {
    return new Reader(layout, text, zone).read();
  }

  /** Reads one text. */
  private static final class Reader {
    private final String layout;
    private final String text;
    private int position;
    private int year;
    private int month = 1;
    private int day = 1;
    private int hour;
    private int minute;
    private int second;
    private int nanosecond;
    private int dayOfYear;
    private boolean afternoon;
    private boolean halves;
    private ZoneId zone;

    Reader(String layout, String text, ZoneId zone) {
      this.layout = layout;
      this.text = text;
      this.zone = zone;
    }

    ZonedDateTime read() {
      Matcher fields = FIELDS.matcher(layout);
      int literal = 0;
      while (fields.find()) {
        skip(layout.substring(literal, fields.start()));
        literal = fields.end();
        int start = position;
        if (!field(fields.group())) {
          throw failure(text.substring(start), fields.group());
        }
        boolean seconds = fields.group().equals("05") || fields.group().equals("5");
        boolean fractionNext =
            literal < layout.length()
                && FIELDS.matcher(layout).region(literal, layout.length()).lookingAt()
                && ".,".indexOf(layout.charAt(literal)) >= 0;
        if (seconds
            && !fractionNext
            && position + 1 < text.length()
            && ".,".indexOf(text.charAt(position)) >= 0
            && Character.isDigit(text.charAt(position + 1))) {
          fraction();
        }
      }
      skip(layout.substring(literal));
      if (position < text.length()) {
        throw new FunctionException(
            place() + ": extra text: " + GoQuote.quote(text.substring(position)));
      }
      if (halves) {
        hour = hour % 12 + (afternoon ? 12 : 0);
      }
      try {
        ZonedDateTime time =
            ZonedDateTime.of(year, month, day, hour, minute, second, nanosecond, zone);
        return dayOfYear > 0 ? time.withDayOfYear(dayOfYear) : time;
      } catch (DateTimeException e) {
        throw new FunctionException(place() + ": day out of range");
      }
    }

    private String place() {
      return "parsing time " + GoQuote.quote(text);
    }

    private FunctionException failure(String rest, String field) {
      return new FunctionException(
          place()
              + " as "
              + GoQuote.quote(layout)
              + ": cannot parse "
              + GoQuote.quote(rest)
              + " as "
              + GoQuote.quote(field));
    }

    private void skip(String literal) {
      if (!text.startsWith(literal, position)) {
        throw failure(text.substring(position), literal);
      }
      position += literal.length();
    }

    private boolean field(String field) {
      switch (field) {
        case "2006":
          return (year = number(4, 4)) >= 0;
        case "06":
          int two = number(2, 2);
          year = two + (two >= 69 ? 1900 : 2000);
          return two >= 0;
        case "January", "Jan":
          return (month = name(field.length() > 3, true)) > 0;
        case "Monday", "Mon":
          return name(field.length() > 3, false) > 0;
        case "1", "01":
          month = number(field.length(), 2);
          return month >= 1 && month <= 12;
        case "2", "02", "_2":
          if (field.equals("_2") && text.startsWith(" ", position)) {
            position++;
          }
          return (day = number(field.equals("02") ? 2 : 1, 2)) >= 0;
        case "002", "__2":
          while (field.equals("__2") && text.startsWith(" ", position)) {
            position++;
          }
          return (dayOfYear = number(field.equals("002") ? 3 : 1, 3)) > 0;
        case "15":
          return inRange(hour = number(1, 2), 23);
        case "3", "03":
          return inRange(hour = number(field.length(), 2), 12);
        case "4", "04":
          return inRange(minute = number(field.length(), 2), 59);
        case "5", "05":
          return inRange(second = number(field.length(), 2), 59);
        case "PM", "pm":
          halves = true;
          afternoon = text.regionMatches(true, position, "PM", 0, 2);
          boolean either = afternoon || text.regionMatches(true, position, "AM", 0, 2);
          position += either ? 2 : 0;
          return either;
        case "MST":
          return zoneName();
        default:
          return ".,".indexOf(field.charAt(0)) >= 0 ? optionalFraction(field) : offset(field);
      }
    }

    private static boolean inRange(int value, int largest) {
      return value >= 0 && value <= largest;
    }

    private int number(int least, int most) {
      int start = position;
      while (position < text.length()
          && position - start < most
          && Character.digit(text.charAt(position), 10) >= 0) {
        position++;
      }
      return position - start < least ? -1 : Integer.parseInt(text.substring(start, position));
    }

    private int name(boolean full, boolean months) {
      TextStyle style = full ? TextStyle.FULL : TextStyle.SHORT;
      for (int i = 1; i <= (months ? 12 : 7); i++) {
        String name =
            months
                ? java.time.Month.of(i).getDisplayName(style, Locale.ENGLISH)
                : java.time.DayOfWeek.of(i).getDisplayName(style, Locale.ENGLISH);
        if (text.regionMatches(true, position, name, 0, name.length())) {
          position += name.length();
          return i;
        }
      }
      return -1;
    }

    private boolean zoneName() {
      Matcher name = ZONE_NAME.matcher(text).region(position, text.length());
      if (!name.lookingAt()) {
        return false;
      }
      position = name.end();
      if (name.group().equals("UTC")) {
        zone = ZoneOffset.UTC;
      }
      return true;
    }

    private boolean optionalFraction(String field) {
      if (position < text.length() && ".,".indexOf(text.charAt(position)) >= 0) {
        return fraction();
      }
      return field.charAt(1) == '9';
    }

    private boolean fraction() {
      int start = ++position;
      while (position < text.length() && Character.digit(text.charAt(position), 10) >= 0) {
        position++;
      }
      String digits = (text.substring(start, position) + "000000000").substring(0, 9);
      nanosecond = Integer.parseInt(digits);
      return position > start;
    }

    private boolean offset(String field) {
      if (field.charAt(0) == 'Z' && text.startsWith("Z", position)) {
        position++;
        zone = ZoneOffset.UTC;
        return true;
      }
      int end = position + field.length();
      if (end > text.length()) {
        return false;
      }
      String digits = text.substring(position, end);
      String form = "[+-]" + field.substring(1).replaceAll("[0-9]", "[0-9]");
      if (!digits.matches(form)) {
        return false;
      }
      position = end;
      try {
        zone = ZoneOffset.of(digits);
        return true;
      } catch (DateTimeException e) {
        return false;
      }
    }
  }
}
