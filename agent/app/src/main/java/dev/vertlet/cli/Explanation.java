package dev.vertlet.cli;

import dev.vertlet.model.GoDuration;
import dev.vertlet.stages.expression.StageDelay;
import dev.vertlet.stages.play.CompiledStage;
import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.play.LifeCycle.Candidate;
import dev.vertlet.stages.play.RenderException;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.play.Write;
import dev.vertlet.stages.template.TemplateException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a life cycle does to an object, for people. */
final class Explanation {
  private final LifeCycle lifeCycle;
  private final StageObject object;
  private final Instant now;
  private final List<String> lines = new ArrayList<>();

  Explanation(LifeCycle lifeCycle, StageObject object, Instant now) {
    this.lifeCycle = lifeCycle;
    this.object = object;
    this.now = now;
  }

  List<String> lines() {
    List<Candidate> candidates = lifeCycle.candidates(object);
    double total = candidates.stream().mapToDouble(Candidate::weight).sum();
    for (CompiledStage stage : lifeCycle.stages()) {
      Optional<Candidate> candidate =
          candidates.stream().filter(each -> each.stage() == stage).findFirst();
      Optional<String> mismatch = stage.matcher().mismatch(object.json());
      if (mismatch.isPresent()) {
        lines.add(stage.name() + ": does not match: " + mismatch.get());
      } else if (candidate.isEmpty()) {
        lines.add(stage.name() + ": matches, but others have a weight and it has none");
      } else {
        chosen(stage, candidate.get().weight() / total);
      }
    }
    if (candidates.isEmpty()) {
      lines.add("The object rests: no stage matches it as it is.");
    }
    return lines;
  }

  private void chosen(CompiledStage stage, double chance) {
    String weight =
        stage.weight(object).isPresent()
            ? "weight " + stage.weight(object).getAsLong()
            : "no usable weight";
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: matches; chosen with a chance of %.4g %% (%s), played %s",
            stage.name(),
            chance * 100,
            weight,
            when(stage)));
    try {
      List<Write> writes = stage.writes(object);
      writes.forEach(write -> lines.add("  " + described(write)));
      if (writes.isEmpty()) {
        lines.add("  writes nothing: the object is as the stage wants it");
      }
      if (stage.stage().immediateNextStage()) {
        lines.add("  and looks for the next stage at once");
      }
    } catch (TemplateException | RenderException e) {
      lines.add("  fails: " + e.getMessage());
    }
  }

  private String when(CompiledStage stage) {
    Optional<StageDelay.Range> delay = stage.delay(object, now);
    if (delay.isEmpty() || delay.get().max().compareTo(Duration.ZERO) <= 0) {
      return "at once";
    }
    Duration min = delay.get().min().isNegative() ? Duration.ZERO : delay.get().min();
    return delay.get().min().equals(delay.get().max())
        ? "after " + GoDuration.brief(min)
        : "after %s to %s".formatted(GoDuration.brief(min), GoDuration.brief(delay.get().max()));
  }

  private static String described(Write write) {
    if (write instanceof Write.Event event) {
      return "event %s %s: %s".formatted(event.type(), event.reason(), event.message());
    }
    if (write instanceof Write.Delete) {
      return "deletes the object";
    }
    if (write instanceof Write.Apply apply) {
      return "applies (%s%s) %s"
          .formatted(apply.type().text(), to(apply.subresource(), apply.user()), apply.body());
    }
    Write.Patch patch = (Write.Patch) write;
    return "patches (%s%s) %s"
        .formatted(patch.type().text(), to(patch.subresource(), patch.user()), patch.body());
  }

  private static String to(String subresource, String user) {
    return (subresource.isEmpty() ? "" : ", " + subresource)
        + (user.isEmpty() ? "" : ", as " + user);
  }
}
