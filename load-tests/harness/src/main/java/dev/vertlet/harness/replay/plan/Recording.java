package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.WorkloadRef;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A whole trace in memory.
 *
 * @param events in order of their offsets, without lives of pods
 * @param lives last state of each pod, in order of creation
 * @param workloads all owners of pods and all recorded workloads, each once
 * @param millis offset of the last event
 */
public record Recording(
    TraceHeader header,
    List<TraceEvent> events,
    List<PodLife> lives,
    List<WorkloadRef> workloads,
    long millis) {
  public Recording {
    events = List.copyOf(events);
    lives = List.copyOf(lives);
    workloads = List.copyOf(workloads);
  }

  /**
   * Reads a file. Blocks.
   *
   * @param tail what to do with a file that was cut off
   * @throws TraceException for a file that is broken or newer, with place and reason
   */
  public static Recording read(Path file, TraceReader.Tail tail) {
    try (TraceReader reader = TraceReader.open(file, tail)) {
      List<TraceEvent> events = new ArrayList<>();
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        events.add(event);
      }
      return of(reader.header(), events);
    }
  }

  /** Sorts the events of a trace. */
  public static Recording of(TraceHeader header, List<TraceEvent> all) {
    List<TraceEvent> events = new ArrayList<>();
    Map<String, PodLife> lives = new LinkedHashMap<>();
    Set<WorkloadRef> workloads = new LinkedHashSet<>();
    long millis = 0;
    for (TraceEvent event : all) {
      millis = event.at();
      if (event instanceof TraceEvent.PodLived lived) {
        lives.put(lived.life().identity().id(), lived.life());
        workloads.add(lived.life().identity().owner());
      } else {
        events.add(event);
        if (event instanceof TraceEvent.WorkloadAdded added) {
          workloads.add(added.workload());
        }
      }
    }
    List<PodLife> byCreation = new ArrayList<>(lives.values());
    byCreation.sort(Comparator.comparingLong(life -> life.times().created()));
    return new Recording(header, events, byCreation, List.copyOf(workloads), millis);
  }

  /** Whether it has a node at any time. */
  public boolean hasNodes() {
    return events.stream().anyMatch(TraceEvent.NodeAdded.class::isInstance);
  }
}
