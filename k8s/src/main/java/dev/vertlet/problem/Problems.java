package dev.vertlet.problem;

import dev.vertlet.model.GoDuration;
import dev.vertlet.model.Names;
import dev.vertlet.model.resource.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Collects the mistakes in a user's document, so that one message reports all of them. Every place
 * is below the pointer of the collector. For one thread.
 */
public final class Problems {
  private static final Duration SHORTEST_RENEWAL = Duration.ofMillis(100);

  private final String pointer;
  private final List<Problem> all;

  /** Collects the mistakes of a whole document. */
  public Problems() {
    this("");
  }

  /** Of what is at this pointer. */
  public Problems(String pointer) {
    this(pointer, new ArrayList<>());
  }

  private Problems(String pointer, List<Problem> all) {
    this.pointer = pointer;
    this.all = all;
  }

  /** Collects what is wrong with a part of the document among these. */
  public Problems at(String place) {
    return new Problems(pointer + place, all);
  }

  /** A value that is not allowed. */
  public void refuse(String place, Object value, String allowed) {
    add(Problem.of(place, value, allowed));
  }

  /** Something wrong that has no value to show. */
  public void about(String place, String message) {
    add(Problem.about(place, message));
  }

  public void add(Problem problem) {
    all.add(problem.under(pointer));
  }

  public void addAll(Collection<Problem> problems) {
    problems.forEach(this::add);
  }

  /** A value that is not allowed where something does not hold. */
  public Problems that(boolean holds, String place, Object value, String allowed) {
    if (!holds) {
      refuse(place, value, allowed);
    }
    return this;
  }

  /** Both ends are allowed. */
  public Problems range(String place, long value, long min, long max) {
    return that(value >= min && value <= max, place, value, "must be from " + min + " to " + max);
  }

  /** Both ends are allowed. */
  public Problems range(String place, Duration value, Duration min, Duration max) {
    return that(
        value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
        place,
        GoDuration.brief(value),
        "must be from \"%s\" to \"%s\"".formatted(GoDuration.brief(min), GoDuration.brief(max)));
  }

  /**
   * The keys {@code duration}, the term of a Lease in whole seconds, and {@code renewInterval}.
   *
   * @param section of the configuration that has the keys
   */
  public Problems leaseTerm(String section, Duration duration, Duration renewInterval) {
    String renewal = GoDuration.brief(renewInterval);
    return range("duration", duration, Duration.ofSeconds(1), Duration.ofHours(1))
        .that(
            duration.toNanosPart() == 0,
            "duration",
            GoDuration.brief(duration),
            "must be whole seconds, as Leases hold nothing finer")
        .that(
            renewInterval.compareTo(SHORTEST_RENEWAL) >= 0,
            "renewInterval",
            renewal,
            "must be at least \"100ms\"")
        .that(
            renewInterval.multipliedBy(2).compareTo(duration) <= 0,
            "renewInterval",
            renewal,
            "must be at most half of %s.duration \"%s\""
                .formatted(section, GoDuration.brief(duration)));
  }

  /**
   * A value that has to follow a rule, as names do.
   *
   * @param brokenRule as a check of {@link Names} says it; empty where none is broken
   */
  public Problems rule(Optional<String> brokenRule, String place, Object value) {
    brokenRule.ifPresent(rule -> refuse(place, value, Names.demand(rule)));
    return this;
  }

  /** Empty where the text is none. */
  public Optional<Duration> duration(String place, String text) {
    try {
      return Optional.of(GoDuration.parse(text));
    } catch (IllegalArgumentException e) {
      refuse(place, text, "must be a duration such as \"10s\" or \"1m30s\"");
      return Optional.empty();
    }
  }

  /**
   * Empty where the text is none, or is below 0.
   *
   * @param resource of which it is an amount
   */
  public Optional<Quantity> quantity(String place, String resource, String text) {
    try {
      return Optional.of(Quantities.parseNotNegative(resource, text));
    } catch (IllegalArgumentException e) {
      refuse(place, text, "must be a quantity from 0 up, such as \"4\", \"500m\" or \"8Gi\"");
      return Optional.empty();
    }
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** How many there are by now, in the whole document. */
  public int size() {
    return all.size();
  }

  /** In the order in which they were found. */
  public List<Problem> list() {
    return List.copyOf(all);
  }

  /** Throws what tells of them, when there are any. */
  public <E extends RuntimeException> void done(Function<List<Problem>, E> exception) {
    if (!all.isEmpty()) {
      throw exception.apply(list());
    }
  }
}
