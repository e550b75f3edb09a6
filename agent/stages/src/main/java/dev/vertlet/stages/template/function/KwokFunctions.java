package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoQuote;
import dev.vertlet.stages.template.value.JsonWriter;
import dev.vertlet.stages.template.value.YamlWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions that KWOK 0.8 offers to every template. */
public final class KwokFunctions {
  /** What a healthy node reports: type, status, reason and message of each condition. */
  private static final List<List<String>> CONDITIONS =
      List.of(
          List.of("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
          List.of(
              "MemoryPressure",
              "False",
              "KubeletHasSufficientMemory",
              "kubelet has sufficient memory available"),
          List.of(
              "DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
          List.of(
              "PIDPressure",
              "False",
              "KubeletHasSufficientPID",
              "kubelet has sufficient PID available"),
          List.of(
              "NetworkUnavailable", "False", "RouteCreated", "RouteController created a route"));

  private KwokFunctions() {}

  /**
   * Go's own functions, sprig's, and KWOK's {@code Quote}, {@code Now}, {@code StartTime}, {@code
   * YAML}, {@code Version} and {@code NodeConditions}.
   *
   * <p>Not among them are those of sprig that have no place in an agent: {@code env}, {@code
   * expandenv} and {@code getHostByName} would show the agent's environment and network to the
   * authors of stages; {@code bcrypt}, {@code htpasswd}, {@code derivePassword}, {@code gen…},
   * {@code buildCustomCert}, {@code encryptAES} and {@code decryptAES} make secrets. A template
   * that calls one of them is refused when it is parsed.
   *
   * @param clock of {@code Now}, {@code now} and the functions of dates, and its zone is the local
   *     one; {@code StartTime} is its time now
   * @param version what {@code Version} returns
   */
  public static Functions all(Clock clock, String version) {
    Map<String, Function> all = new HashMap<>(StringFunctions.all());
    all.putAll(NumberFunctions.all());
    all.putAll(ValueFunctions.all());
    all.putAll(ListFunctions.all());
    all.putAll(MapFunctions.all());
    all.putAll(EncodingFunctions.all());
    all.putAll(RegexFunctions.all());
    all.putAll(PathFunctions.all());
    all.putAll(UrlFunctions.all());
    all.putAll(VersionFunctions.all());
    all.putAll(DateFunctions.all(clock));
    String start = Dates.rfc3339(clock);
    all.put("Quote", Function.of("any", KwokFunctions::quote));
    all.put("Now", Function.of("", a -> Dates.rfc3339(clock)));
    all.put("StartTime", Function.of("", a -> start));
    all.put("YAML", Function.of("any, ...int", KwokFunctions::yaml));
    all.put("Version", Function.of("", a -> version));
    all.put("NodeConditions", Function.of("", a -> nodeConditions()));
    return Functions.builtin().with(all);
  }

  private static String quote(Arguments a) {
    String json = JsonWriter.write(a.any(0), true, false);
    return json.startsWith("\"") ? json : GoQuote.quote(json);
  }

  private static String yaml(Arguments a) {
    String yaml = YamlWriter.write(a.any(0));
    if (a.size() != 2 || a.integer(1) <= 0) {
      return yaml;
    }
    long lines = yaml.chars().filter(c -> c == '\n').count() + 1;
    if (a.integer(1) > 1000 || lines * a.integer(1) > 4_000_000) {
      throw new FunctionException("result is too large");
    }
    String pad = "  ".repeat((int) a.integer(1));
    return ("\n" + yaml).replace("\n", "\n" + pad);
  }

  private static Object nodeConditions() {
    // new ones each time: a template may change them
    List<Object> conditions = new ArrayList<>();
    for (List<String> condition : CONDITIONS) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      map.put("type", condition.get(0));
      map.put("status", condition.get(1));
      map.put("lastHeartbeatTime", null);
      map.put("lastTransitionTime", null);
      map.put("reason", condition.get(2));
      map.put("message", condition.get(3));
      conditions.add(map);
    }
    return conditions;
  }
}
