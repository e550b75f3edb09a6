package dev.vertlet.trace.simkube;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.msgpack.value.ValueFactory.newArray;
import static org.msgpack.value.ValueFactory.newInteger;
import static org.msgpack.value.ValueFactory.newMap;
import static org.msgpack.value.ValueFactory.newString;

import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.value.Value;

class SimkubeTraceTest {
  private static final long T = 1_711_247_936L;

  @TempDir Path dir;

  private Path write(Value value) throws IOException {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      packer.packValue(value);
      return Files.write(dir.resolve("trace"), packer.toByteArray());
    }
  }

  private static Value map(Object... keysAndValues) {
    Value[] values =
        Arrays.stream(keysAndValues).map(SimkubeTraceTest::value).toArray(Value[]::new);
    return newMap(values);
  }

  private static Value value(Object object) {
    if (object instanceof Value value) {
      return value;
    }
    return object instanceof Long number ? newInteger(number) : newString((String) object);
  }

  private static Value array(Object... elements) {
    return newArray(Arrays.stream(elements).map(SimkubeTraceTest::value).toArray(Value[]::new));
  }

  private static Value deployment(long replicas) {
    return map(
        "apiVersion",
        "apps/v1",
        "kind",
        "Deployment",
        "metadata",
        map("name", "web", "namespace", "shop", "annotations", map("a", "SECRET")),
        "spec",
        map(
            "replicas",
            replicas,
            "template",
            map(
                "spec",
                map(
                    "containers",
                    array(
                        map(
                            "name", "c",
                            "args", array("SECRET"),
                            "resources", map("requests", map("cpu", "250m"))))))));
  }

  private static Value event(long ts, Value applied, Value deleted) {
    return map("ts", ts, "applied_objs", applied, "deleted_objs", deleted);
  }

  private static Value trace(long version) {
    Value lifecycles =
        map(
            array("apps/v1.Deployment", "shop/web"),
            map(
                77L, array(map("Finished", array(T + 2, T + 62)), map("Running", T + 3), "Empty"),
                78L, array(map("start_ts", T + 1, "end_ts", T + 31))));
    return map(
        "version", version,
        "config",
            map(
                "trackedObjects",
                map("apps/v1.Deployment", map("podSpecTemplatePath", "/spec/template"))),
        "events",
            array(
                event(T, array(deployment(2)), array()),
                event(T + 10, array(deployment(5)), array()),
                event(T + 20, array(), array(deployment(5)))),
        "index", map(),
        "pod_lifecycles", lifecycles);
  }

  @Test
  @Tag("Q07")
  void objectsAndLivesBecomeEvents() throws IOException {
    SimkubeTrace read = SimkubeTrace.read(write(trace(2)));

    assertThat(read.header().started().getEpochSecond()).isEqualTo(T);
    assertThat(read.events())
        .filteredOn(event -> !(event instanceof PodLived))
        .extracting(event -> event.getClass().getSimpleName() + event.at())
        .containsExactly(
            "WorkloadAdded0", "WorkloadScaled10000", "WorkloadDeleted20000", "RecordingEnded62000");
    assertThat(read.events()).anyMatch(WorkloadAdded.class::isInstance);
    assertThat(read.events())
        .anyMatch(event -> event instanceof WorkloadScaled s && s.replicas() == 5);
    assertThat(read.events()).anyMatch(WorkloadDeleted.class::isInstance);
    assertThat(read.events().toString()).doesNotContain("SECRET");
    assertThat(read.events()).extracting(TraceEvent::at).isSorted();
    Map<String, PodLife> lives = new java.util.TreeMap<>();
    for (TraceEvent event : read.events()) {
      if (event instanceof PodLived lived) {
        PodLife life = lived.life();
        lives.put(life.times().started() + "-" + life.times().ended(), life);
      }
    }
    assertThat(lives.keySet()).containsExactly("1000-31000", "2000-62000", "3000-null");
    assertThat(requireNonNull(lives.get("1000-31000")).identity().template()).isZero();
    assertThat(requireNonNull(lives.get("2000-62000")).identity().template()).isEqualTo(1);
    assertThat(requireNonNull(lives.get("3000-null")).outcome().phase()).isEqualTo("Running");
    assertThat(requireNonNull(lives.get("2000-62000")).demand().cpuMillis()).isEqualTo(250);
    assertThat(requireNonNull(lives.get("2000-62000")).containers().get(0).runs().get(0).exitCode())
        .isZero();
  }

  @Test
  @Tag("Q07")
  void otherVersionsAreRefusedByName() throws IOException {
    Path file = write(trace(3));
    assertThatThrownBy(() -> SimkubeTrace.read(file))
        .isInstanceOf(TraceException.class)
        .hasMessage(file + ": is a SimKube trace of version 3, version 2 can be read");
    Path old = write(array("a"));
    assertThatThrownBy(() -> SimkubeTrace.read(old)).hasMessageContaining("as before version 2");
  }

  @Test
  void brokenTracesAreRefusedByTheirField() throws IOException {
    byte[] whole = Files.readAllBytes(write(trace(2)));
    Path cut = Files.write(dir.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> SimkubeTrace.read(cut)).hasMessageContaining("not whole msgpack");
    assertThatThrownBy(() -> SimkubeTrace.read(dir.resolve("none")))
        .hasMessageContaining("does not exist");
    Path noEvents = write(map("version", 2L));
    assertThatThrownBy(() -> SimkubeTrace.read(noEvents))
        .hasMessageContaining("field events is missing");
  }
}
