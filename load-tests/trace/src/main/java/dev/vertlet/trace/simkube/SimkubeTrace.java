package dev.vertlet.trace.simkube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.RecordingEnded;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.record.ObjectHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.MapValue;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;

/**
 * A SimKube trace as a trace of vertlet. SimKube records no nodes, and of pods only when their
 * containers started and ended: times of creation are those of the start, and pods have no time of
 * scheduling.
 *
 * @param events in the order of their offsets
 * @param leftOut kinds of objects whose pod templates the trace does not name
 */
public record SimkubeTrace(TraceHeader header, List<TraceEvent> events, List<String> leftOut) {
  private static final int VERSION = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  public SimkubeTrace {
    events = List.copyOf(events);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * Reads a file.
   *
   * @throws TraceException naming the file and what is wrong with it: absent, not msgpack, cut off,
   *     of another version, or a field
   */
  public static SimkubeTrace read(Path file) {
    try {
      return read(parse(Files.readAllBytes(file)));
    } catch (TraceException e) {
      throw new TraceException(file + ": " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new TraceException(file + ": does not exist", e);
    } catch (IOException e) {
      throw new TraceException(file + ": cannot be read: " + e, e);
    }
  }

  private static Value parse(byte[] bytes) throws IOException {
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes)) {
      return unpacker.unpackValue();
    } catch (MessagePackException | NegativeArraySizeException e) {
      throw new TraceException("is not a SimKube trace: it is not whole msgpack", e);
    }
  }

  private static SimkubeTrace read(Value root) {
    if (!root.isMapValue()) {
      throw new TraceException(
          "is not a SimKube trace of version 2: its top level is not a map, as before version 2");
    }
    MapValue trace = root.asMapValue();
    Value version = get(trace, "version");
    if (version == null || !version.isIntegerValue()) {
      throw new TraceException("is not a SimKube trace: field version is missing");
    }
    if (!version.asIntegerValue().isInLongRange() || version.asIntegerValue().asLong() != VERSION) {
      throw new TraceException(
          "is a SimKube trace of version " + version + ", version " + VERSION + " can be read");
    }
    Value events = get(trace, "events");
    if (events == null || !events.isArrayValue()) {
      throw new TraceException("field events is missing, an array is required");
    }
    return convert(trace, events.asArrayValue().list());
  }

  private static SimkubeTrace convert(MapValue trace, List<Value> steps) {
    Map<String, List<String>> templates = templates(get(trace, "config"));
    long first = steps.isEmpty() ? 0 : seconds(steps.get(0), 0);
    Instant started = Instant.ofEpochSecond(first);
    List<TraceEvent> events = new ArrayList<>();
    ObjectHistory history = new ObjectHistory(templates, started, events::add);
    SimkubePods pods = new SimkubePods(first, history.kinds());
    TreeSet<String> leftOut = new TreeSet<>();
    long last = first;
    for (int i = 0; i < steps.size(); i++) {
      last = Math.max(last, seconds(steps.get(i), i));
      Instant when = Instant.ofEpochSecond(last);
      for (JsonNode object : objects(steps.get(i), "applied_objs", i)) {
        pods.applied(object);
        if (!history.applied(object, when)) {
          leftOut.add(object.path("apiVersion").asText() + "." + object.path("kind").asText());
        }
      }
      for (JsonNode object : objects(steps.get(i), "deleted_objs", i)) {
        history.deleted(object, when);
      }
    }
    events.addAll(pods.lives(get(trace, "pod_lifecycles")));
    events.sort(Comparator.comparingLong(TraceEvent::at));
    long end = events.isEmpty() ? 0 : events.get(events.size() - 1).at();
    events.add(new RecordingEnded(Math.max(end, (last - first) * 1000)));
    TraceHeader header = new TraceHeader(started, "", List.of(), history.kinds(), false);
    return new SimkubeTrace(header, events, List.copyOf(leftOut));
  }

  /** Returns null for an absent field, and for one that is nil. */
  static @Nullable Value get(Value map, String key) {
    Value value = map.isMapValue() ? map.asMapValue().map().get(ValueFactory.newString(key)) : null;
    return value == null || value.isNilValue() ? null : value;
  }

  private static Map<String, List<String>> templates(@Nullable Value config) {
    Value tracked = config == null ? null : get(config, "trackedObjects");
    if (tracked == null || !tracked.isMapValue()) {
      throw new TraceException("field config.trackedObjects is missing, a map is required");
    }
    Map<String, List<String>> templates = new TreeMap<>();
    tracked
        .asMapValue()
        .map()
        .forEach(
            (kind, settings) -> {
              String name = text(kind, "config.trackedObjects");
              String key = name.startsWith("/") ? name.substring(1) : name;
              Value path = get(settings, "podSpecTemplatePath");
              if (path != null && key.indexOf('.') > 0) {
                String pointer = text(path, "config.trackedObjects." + key);
                if (!pointer.startsWith("/")) {
                  throw new TraceException(
                      "field config.trackedObjects.%s.podSpecTemplatePath is %s, a JSON pointer is allowed"
                          .formatted(key, pointer));
                }
                templates.put(key, List.of(pointer));
              }
            });
    return templates;
  }

  static String text(Value value, String field) {
    if (!value.isStringValue()) {
      throw new TraceException("field " + field + " is " + value + ", a string is allowed");
    }
    return value.asStringValue().asString();
  }

  private static long seconds(Value step, int index) {
    Value ts = get(step, "ts");
    if (ts == null || !ts.isIntegerValue() || !ts.asIntegerValue().isInIntRange()) {
      // seconds since 1970 fit until 2038; SimKube writes 64 bits
      if (ts != null && ts.isIntegerValue() && ts.asIntegerValue().isInLongRange()) {
        return bounded(ts.asIntegerValue().asLong(), index);
      }
      throw new TraceException("field events[" + index + "].ts is missing, seconds are required");
    }
    return ts.asIntegerValue().asLong();
  }

  private static long bounded(long seconds, int index) {
    if (Math.abs(seconds) > 253_402_300_799L) {
      throw new TraceException(
          "field events[" + index + "].ts is " + seconds + ", a year before 10000 is allowed");
    }
    return seconds;
  }

  private static List<JsonNode> objects(Value step, String field, int index) {
    Value list = get(step, field);
    if (list == null) {
      return List.of();
    }
    if (!list.isArrayValue()) {
      throw new TraceException(
          "field events[" + index + "]." + field + " is no array, an array is required");
    }
    List<JsonNode> objects = new ArrayList<>();
    for (Value each : list.asArrayValue()) {
      try {
        objects.add(JSON.readTree(each.toJson()));
      } catch (IOException e) {
        throw new TraceException("field events[" + index + "]." + field + " is not JSON", e);
      }
    }
    return objects;
  }
}
