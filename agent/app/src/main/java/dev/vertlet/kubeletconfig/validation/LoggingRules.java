package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.resource.Quantities;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the section {@code logging}.
 *
 * @see <a
 *     href="https://github.com/kubernetes/component-base/blob/v0.36.3/logs/api/v1/options.go">component-base/logs/api/v1</a>
 */
final class LoggingRules {
  private static final String FORMAT = "logging.format";
  private static final String FLUSH = "logging.flushFrequency";
  private static final String VERBOSITY = "logging.verbosity";
  private static final String MODULES = KubeletFields.VMODULE;
  private static final String TEXT = "text";
  private static final String JSON = "json";

  /** Name of a package or class; file patterns are refused, as vertlet has no such files. */
  private static final Pattern LOGGER =
      Pattern.compile("[A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*+");

  private LoggingRules() {}

  static void check(Judged judged) {
    if (isNegative(judged)) {
      judged.refuse(FLUSH, GoText.invalid(FLUSH, flush(judged), "Must be greater than zero"));
    }
    String format = judged.text(FORMAT, TEXT);
    format(judged, format);
    verbosity(judged, judged.number(VERBOSITY), VERBOSITY, VERBOSITY);
    List<JsonObject> modules = judged.objects(MODULES);
    if (!modules.isEmpty() && !format.equals(TEXT)) {
      judged.refuse(MODULES, MODULES + ": Forbidden: Only supported for text log format");
    }
    for (int i = 0; i < modules.size(); i++) {
      module(judged, modules.get(i), i);
    }
    for (String options : List.of(TEXT, JSON)) {
      options(judged, "logging.options." + options + ".");
    }
  }

  private static boolean isNegative(Judged judged) {
    return judged.number(FLUSH, 0) < 0 || judged.time(FLUSH, Duration.ZERO).isNegative();
  }

  private static String flush(Judged judged) {
    Number nanoseconds = judged.number(FLUSH);
    return nanoseconds == null
        ? quoted(GoDuration.format(judged.time(FLUSH, Duration.ZERO)))
        : nanoseconds.toString();
  }

  private static void format(Judged judged, String format) {
    if (!format.equals(TEXT) && !format.equals(JSON)) {
      judged.refuse(FORMAT, GoText.invalid(FORMAT, quoted(format), "Unsupported log format"));
    } else if (format.equals(JSON) && !judged.enabled("LoggingBetaOptions")) {
      judged.refuse(
          FORMAT,
          FORMAT + ": Forbidden: Log format json is disabled, see LoggingBetaOptions feature");
    }
  }

  private static void verbosity(
      Judged judged, @Nullable Number verbosity, String named, String field, Object... below) {
    if (verbosity != null && verbosity.longValue() > Integer.MAX_VALUE) {
      judged.refuse(
          field,
          GoText.invalid(named, verbosity.toString(), "Must be <= " + Integer.MAX_VALUE),
          below);
    }
  }

  private static void module(Judged judged, JsonObject module, int at) {
    String named = "%s[%d]".formatted(MODULES, at);
    String pattern = module.getValue("filePattern") instanceof String text ? text : "";
    if (pattern.isEmpty()) {
      judged.refuse(MODULES, named + ": Required value: File pattern must not be empty", at);
    } else if (pattern.contains("=") || pattern.contains(",")) {
      judged.refuse(
          MODULES,
          GoText.invalid(
              named, quoted(pattern), "File pattern must not contain equal sign or comma"),
          at);
    } else if (!LOGGER.matcher(pattern).matches()) {
      judged.refuse(
          MODULES,
          "filePattern %s must be a package or class such as lease, without wildcards"
              .formatted(quoted(pattern)),
          at);
    }
    Number verbosity = module.getValue("verbosity") instanceof Number number ? number : null;
    verbosity(judged, verbosity, named, MODULES, at);
  }

  private static void options(Judged judged, String options) {
    if (judged.enabled("LoggingAlphaOptions")) {
      return;
    }
    String problem = "%s: Forbidden: Feature LoggingAlphaOptions is disabled";
    String split = options + "splitStream";
    if (judged.flag(split, false)) {
      judged.refuse(split, problem.formatted(split));
    }
    String size = options + "infoBufferSize";
    if (judged.isSet(size) && !Quantities.isZero(judged.quantity(size))) {
      judged.refuse(size, problem.formatted(size));
    }
  }
}
