package dev.vertlet.sources;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.manifest.SourceContents.Problem;
import dev.vertlet.model.PodRef;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the unusable manifests of one source: once when a problem is new, not with each reading.
 */
final class Complaints {
  private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);

  private final String node;
  private final Consumer<ObjectEvent> events;

  /** Problems of the last reading; one manifest can have several. */
  private Set<Complaint> logged = Set.of();

  private record Complaint(String place, String pod, String reason) {}

  Complaints(String node, Consumer<ObjectEvent> events) {
    this.node = node;
    this.events = events;
  }

  void of(List<Problem> problems) {
    Set<Complaint> now = new HashSet<>();
    for (Problem problem : problems) {
      PodRef pod = problem.pod();
      Complaint each =
          new Complaint(problem.place(), pod == null ? "" : pod.display(), problem.reason());
      if (now.add(each) && !logged.contains(each)) {
        tell(problem);
      }
    }
    logged = now;
  }

  private void tell(Problem problem) {
    LOG.atWarn()
        .addKeyValue("node", node)
        .addKeyValue("manifest", problem.place())
        .addKeyValue("error", problem.reason())
        .log("manifest not used");
    PodRef pod = problem.pod();
    if (pod != null) {
      events.accept(
          new ObjectEvent(
              "Pod",
              pod.namespace(),
              pod.name(),
              pod.uid(),
              "",
              ObjectEvent.WARNING,
              "FailedValidation",
              problem.event(),
              node));
    }
  }
}
