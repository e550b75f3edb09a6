package dev.vertlet.sources;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.manifest.Reading.Problem;
import dev.vertlet.model.PodRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what one source holds that cannot be used: when it is new, and not with each reading. */
final class Complaints {
  private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);

  private final String node;
  private final Consumer<ObjectEvent> events;

  /** What was told last, by place and pod. */
  private Map<String, String> told = Map.of();

  Complaints(String node, Consumer<ObjectEvent> events) {
    this.node = node;
    this.events = events;
  }

  void of(List<Problem> problems) {
    Map<String, String> now = new HashMap<>();
    for (Problem problem : problems) {
      PodRef pod = problem.pod();
      String subject = problem.place() + " " + (pod == null ? "" : pod.display());
      now.put(subject, problem.reason());
      if (!problem.reason().equals(told.get(subject))) {
        tell(problem);
      }
    }
    told = now;
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
