package dev.vertlet.trace.tool;

import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeChanged;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadChanged;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Events as lines for people. */
final class EventText {
  private EventText() {}

  static String line(TraceEvent event) {
    return "%10s  %s".formatted(offset(event.at()), text(event));
  }

  /** Returns {@code 1:02:03.456}, hours only where there are some. */
  static String offset(long millis) {
    long abs = Math.abs(millis);
    long hours = abs / 3_600_000;
    String sign = millis < 0 ? "-" : "";
    String rest =
        String.format(
            Locale.ROOT, "%02d:%02d.%03d", abs / 60_000 % 60, abs / 1000 % 60, abs % 1000);
    return sign + (hours > 0 ? hours + ":" : "") + rest;
  }

  private static String text(TraceEvent event) {
    if (event instanceof NodeAdded added) {
      return "node " + node(added.node()) + " joins";
    } else if (event instanceof NodeChanged changed) {
      return "node " + node(changed.node()) + " changes";
    } else if (event instanceof NodeLeft left) {
      return "node " + left.name() + " leaves";
    } else if (event instanceof WorkloadAdded added) {
      return added.workload() + " is created";
    } else if (event instanceof WorkloadChanged changed) {
      return changed.workload() + " changes";
    } else if (event instanceof WorkloadScaled scaled) {
      return scaled.workload() + " is scaled to " + scaled.replicas();
    } else if (event instanceof WorkloadDeleted deleted) {
      return deleted.workload() + " is deleted";
    } else if (event instanceof PodLived lived) {
      return pod(lived.life());
    } else if (event instanceof Gap gap) {
      return "gap from %s to %s (%s)%s"
          .formatted(
              offset(gap.from()),
              offset(gap.to()),
              gap.cause(),
              gap.resource() == null ? "" : " of " + gap.resource());
    }
    return "the recording ends";
  }

  private static String node(RecordedNode node) {
    String allocatable =
        node.allocatable().entrySet().stream()
            .filter(each -> each.getKey().matches("cpu|memory|pods"))
            .map(each -> each.getKey() + " " + each.getValue())
            .sorted()
            .collect(Collectors.joining(", "));
    return node.name() + (allocatable.isEmpty() ? "" : " (" + allocatable + ")");
  }

  private static String pod(PodLife life) {
    PodTimes times = life.times();
    StringBuilder line =
        new StringBuilder("pod ")
            .append(life.identity().namespace())
            .append('/')
            .append(life.identity().name());
    if (!life.identity().owner().isBarePod()) {
      line.append(" of ").append(life.identity().owner().kind()).append(' ');
      line.append(life.identity().owner().name());
    }
    line.append(": ").append(life.outcome().phase());
    if (life.outcome().reason() != null) {
      line.append(" (").append(life.outcome().reason()).append(')');
    }
    if (life.node() != null) {
      line.append(" on ").append(life.node());
    }
    line.append("; created ").append(offset(times.created()));
    append(line, "scheduled", times.scheduled());
    append(line, "started", times.started());
    append(line, "ready", times.ready());
    append(line, "ended", times.ended());
    append(line, "gone", times.gone());
    int restarts = life.containers().stream().mapToInt(ContainerLife::restarts).sum();
    if (restarts > 0) {
      line.append(", ").append(restarts).append(" restarts");
    }
    return line.toString();
  }

  private static void append(StringBuilder line, String what, @Nullable Long offset) {
    if (offset != null) {
      line.append(", ").append(what).append(' ').append(offset(offset));
    }
  }
}
