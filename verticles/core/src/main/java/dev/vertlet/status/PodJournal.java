package dev.vertlet.status;

import dev.vertlet.bus.NodePodCounts;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import dev.vertlet.bus.PodTimeline.Step;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Counts a shard's pods by their status on the API server, and records the timelines of pods that
 * start or end, until the next {@code PodStats}. Pure; a pod that neither starts nor ends costs
 * nothing here.
 */
final class PodJournal implements StatusObserver {
  private final int shard;
  private final LongSupplier nanos;
  private final Runnable wake;
  private final Map<String, Tally> tallies = new HashMap<>();
  private final Set<String> recounted = new HashSet<>();

  /** Timelines of pods that start or end, the oldest first. */
  private final Map<StatusEntry, Way> starting = new LinkedHashMap<>();

  private final Map<StatusEntry, Way> ending = new LinkedHashMap<>();

  private List<PodTimeline> over = new ArrayList<>();
  private int started;
  private int gone;
  private boolean awake;

  /**
   * Creates an empty journal.
   *
   * @param nanos monotonic nanoseconds
   * @param wake called once when there is a change to publish, and again after {@link #tell}
   */
  PodJournal(int shard, LongSupplier nanos, Runnable wake) {
    this.shard = shard;
    this.nanos = nanos;
    this.wake = wake;
  }

  @Override
  public void seen(StatusEntry entry) {
    count(entry, 0, kind(entry));
    if (entry.deleting()) {
      ending.put(entry, new Way(nanos.getAsLong()));
    } else if (!Kind.ready(entry.counted()) && !entry.known().phase().terminal()) {
      starting.put(entry, new Way(nanos.getAsLong()));
    }
  }

  @Override
  public void changed(StatusEntry entry) {
    int before = entry.counted();
    int now = kind(entry);
    if (before == now || before == 0) {
      return; // a request for a removed pod may still be answered
    }
    count(entry, before, now);
    if (entry.deleting()) {
      starting.remove(entry);
      if (!Kind.ending(before)) {
        ending.put(entry, new Way(nanos.getAsLong()));
      }
    } else if (Kind.ready(now)) {
      Way way = starting.remove(entry);
      if (way != null) {
        started++;
        finish(entry, way, Step.WRITTEN, false);
      }
    } else if (entry.known().phase().terminal()) {
      starting.remove(entry);
    }
  }

  @Override
  public void reported(StatusEntry entry, PodReport report) {
    Way start = starting.get(entry);
    if (start != null) {
      start.mark(Step.TAKEN_UP, nanos);
      if (report.status().phase() == PodPhase.RUNNING) {
        start.mark(Step.RUNNING, nanos);
      }
      if (isReady(report.status())) {
        start.mark(Step.READY, nanos);
      }
    } else if (report.finished()) {
      Way end = ending.get(entry);
      if (end != null) {
        end.mark(Step.STOPPED, nanos);
      }
    }
  }

  @Override
  public void gone(StatusEntry entry) {
    count(entry, entry.counted(), 0);
    gone++;
    starting.remove(entry);
    Way way = ending.remove(entry);
    if (way != null) {
      finish(entry, way, Step.GONE, true);
    }
  }

  private void finish(StatusEntry entry, Way way, Step last, boolean end) {
    if (over.size() < PodStats.MOST_WAYS) {
      way.mark(last, nanos);
      over.add(way.told(entry, end));
    }
  }

  /**
   * Returns the changes since the last call.
   *
   * @param writes number of waiting status writes
   */
  PodStats tell(int writes) {
    List<NodePodCounts> nodes = new ArrayList<>(recounted.size());
    for (String node : recounted) {
      Tally tally = tallies.getOrDefault(node, Tally.NOTHING);
      nodes.add(tally.told(node));
      if (tally.isEmpty()) {
        tallies.remove(node);
      }
    }
    PodStats told =
        new PodStats(
            shard, nodes, over, oldest(), started, gone, starting.size(), ending.size(), writes);
    recounted.clear();
    over = new ArrayList<>();
    started = 0;
    gone = 0;
    awake = false;
    return told;
  }

  /**
   * Returns the oldest incomplete timelines: half of them ends, half of them starts, or more of one
   * if there are fewer of the other.
   */
  private List<PodTimeline> oldest() {
    int ends = Math.max(PodStats.OLDEST / 2, PodStats.OLDEST - starting.size());
    List<PodTimeline> ways = first(ending, false, ends);
    ways.addAll(first(starting, true, PodStats.OLDEST - ways.size()));
    ways.sort((one, other) -> Long.signum(one.seen() - other.seen()));
    return ways;
  }

  private static List<PodTimeline> first(Map<StatusEntry, Way> of, boolean start, int most) {
    List<PodTimeline> ways = new ArrayList<>(most);
    for (Map.Entry<StatusEntry, Way> each : of.entrySet()) {
      if (ways.size() == most) {
        break;
      }
      ways.add(each.getValue().told(each.getKey(), !start));
    }
    return ways;
  }

  /** Encodes what the pod counts as; never 0. */
  private static int kind(StatusEntry entry) {
    PodStatusView known = entry.known();
    return Kind.of(known.phase().ordinal(), isReady(known), entry.deleting());
  }

  private static boolean isReady(PodStatusView status) {
    for (ConditionView condition : status.conditions()) {
      if (condition.type().equals("Ready")) {
        return condition.status().equals("True");
      }
    }
    return false;
  }

  private void count(StatusEntry entry, int before, int now) {
    Tally tally = tallies.computeIfAbsent(entry.node(), node -> new Tally());
    tally.add(before, -1);
    tally.add(now, 1);
    entry.counted(now);
    recounted.add(entry.node());
    if (!awake) {
      awake = true;
      wake.run();
    }
  }

  /**
   * What a pod counts as, in one byte: 1 + its phase, whether it is ready, whether it is being
   * deleted.
   */
  private static final class Kind {
    private static final int READY = 8;
    private static final int ENDING = 16;

    static int of(int phase, boolean ready, boolean ending) {
      return 1 + phase + (ready ? READY : 0) + (ending ? ENDING : 0);
    }

    static int phase(int kind) {
      return (kind & (READY - 1)) - 1;
    }

    static boolean ready(int kind) {
      return (kind & READY) != 0;
    }

    static boolean ending(int kind) {
      return (kind & ENDING) != 0;
    }
  }

  /** Counts of one node's pods. */
  private static final class Tally {
    static final Tally NOTHING = new Tally();

    private final int[] phases = new int[5];
    private int ready;
    private int ending;

    void add(int kind, int more) {
      if (kind == 0) {
        return;
      }
      phases[Kind.phase(kind)] += more;
      ready += Kind.ready(kind) ? more : 0;
      ending += Kind.ending(kind) ? more : 0;
    }

    boolean isEmpty() {
      return phases[0] + phases[1] + phases[2] + phases[3] + phases[4] == 0;
    }

    NodePodCounts told(String node) {
      return new NodePodCounts(
          node, phases[0], phases[1], phases[2], phases[3], phases[4], ready, ending);
    }
  }

  /** An incomplete {@link PodTimeline}. */
  private static final class Way {
    private final long seen;
    private final List<PodTimeline.Mark> marks = new ArrayList<>(4);

    Way(long seen) {
      this.seen = seen;
    }

    void mark(Step step, LongSupplier nanos) {
      for (PodTimeline.Mark mark : marks) {
        if (mark.step() == step) {
          return;
        }
      }
      marks.add(new PodTimeline.Mark(step, nanos.getAsLong() - seen));
    }

    PodTimeline told(StatusEntry entry, boolean end) {
      return new PodTimeline(entry.ref(), entry.node(), end, seen, marks);
    }
  }
}
