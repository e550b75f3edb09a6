package dev.vertlet.stages.play;

import dev.vertlet.model.DecodeException;
import dev.vertlet.stages.play.Played.State;
import dev.vertlet.stages.template.TemplateException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the stages of one kind.
 *
 * <p>An object has one stage at a time. Its delay counts from when the stage was chosen; a change
 * of the object that leaves the choice as it is does not begin the delay anew. A write that fails
 * is repeated from its step on; a version of the object that the stage was not chosen for is never
 * written.
 */
public final class Player {
  private static final Logger LOG = LoggerFactory.getLogger(Player.class);

  /** A template that fails may succeed once an address is free or a node is known. */
  private static final Duration RENDER_RETRY = Duration.ofSeconds(10);

  private final Settings settings;
  private final Clock clock;
  private final Delays delays;
  private final Sender sender;
  private final Map<String, Played> objects = new HashMap<>();
  private final PlayQueue queue = new PlayQueue();
  private final Complaints complaints;
  private LifeCycle lifeCycle;
  private boolean open;
  private int generation;
  private int inFlight;
  private long plays;

  /**
   * Settings of a player.
   *
   * @param name of the kind, for logs
   * @param seed of all draws
   * @param window stages that are played at the same time at most
   */
  public record Settings(String name, long seed, int window) {}

  /** Sends writes. */
  public interface Sender {
    /** Called before an object's templates are rendered, for functions that depend on it. */
    default void rendering(StageObject object) {}

    /**
     * Sends a write; {@link Player#answered} follows, never within this call.
     *
     * @param object version that the write was made for
     * @param whole whether the answer must contain the object
     */
    void send(StageObject object, Write write, boolean whole);
  }

  public Player(
      Settings settings, LifeCycle lifeCycle, Clock clock, DelayJournal journal, Sender sender) {
    this.settings = settings;
    this.lifeCycle = lifeCycle;
    this.clock = clock;
    this.delays = new Delays(settings.seed(), clock, journal);
    this.sender = sender;
    this.complaints = new Complaints(settings.name());
  }

  /** An object is new or has changed. */
  public void upserted(StageObject object) {
    Played played = objects.get(object.uid());
    if (played == null) {
      played = new Played(object);
      objects.put(object.uid(), played);
      delays.recall(played);
    } else if (object.resourceVersion() < played.seen
        || object.resourceVersion() == played.seen && played.generation == generation) {
      return;
    }
    played.generation = generation;
    played.seen = object.resourceVersion();
    if (played.state == State.PLAYING) {
      played.newest = object;
    } else {
      decide(played, object);
    }
  }

  /** An object is gone, or not this agent's any more. */
  public void deleted(String uid) {
    Played played = objects.remove(uid);
    if (played != null) {
      delays.forget(played);
      played.rest();
    }
  }

  /** Every object follows once more with {@link #upserted}, then {@link #synced}. */
  public void relisting() {
    generation++;
  }

  /**
   * All objects have been delivered: those that were not are gone. Stages are played from now on.
   *
   * @return UIDs of those that are gone
   */
  public List<String> synced() {
    open = true;
    List<String> gone = new ArrayList<>();
    objects
        .values()
        .forEach(p -> gone.addAll(p.generation < generation ? List.of(p.uid) : List.of()));
    gone.forEach(this::deleted);
    return gone;
  }

  /** Uses other stages from now on; {@link #relisting} follows. */
  public void use(LifeCycle other) {
    lifeCycle = other;
    complaints.clear();
  }

  /** Time of the next call of {@link #run} that is needed; null for none. */
  public @Nullable Instant nextDue() {
    return !open || inFlight >= settings.window() ? null : queue.next();
  }

  /** Plays the stages that are due. */
  public void run() {
    Instant now = clock.instant();
    while (open && inFlight < settings.window()) {
      Played due = queue.poll(now);
      if (due == null) {
        return;
      }
      begin(due, now);
    }
  }

  private void decide(Played played, StageObject object) {
    List<LifeCycle.Candidate> candidates = lifeCycle.candidates(object);
    if (candidates.isEmpty()) {
      played.rest();
      delays.forget(played);
      return;
    }
    SplittableRandom draws = delays.draws(played);
    CompiledStage stage = LifeCycle.choose(candidates, draws.nextDouble());
    if (stage == null) {
      throw new IllegalStateException("one of the candidates is chosen");
    }
    Instant due = delays.begin(played, stage, object, draws);
    played.object = object;
    played.stage = stage;
    played.state = State.WAITING;
    played.newest = null;
    queue.add(played, due);
  }

  private void begin(Played played, Instant now) {
    if (played.state == State.WAITING) {
      Duration wait = played.rate.take(now);
      if (wait.compareTo(Duration.ZERO) > 0) {
        slowDown(played, now.plus(wait));
        return;
      }
      delays.forget(played);
      played.state = State.PLAYING;
      played.step = 0;
      played.written = 0;
      played.failures = 0;
    }
    inFlight++;
    step(played);
  }

  private void slowDown(Played played, Instant until) {
    if (!played.warned) {
      played.warned = true;
      LOG.warn(
          "{} {} goes from stage to stage for ever, now to {}: limited to one stage in {} s",
          settings.name(),
          played.key,
          played.stage == null ? "" : played.stage.name(),
          PlayRate.REFILL.toSeconds());
    }
    queue.add(played, until);
  }

  /** Takes the next step that writes something. */
  private void step(Played played) {
    StageObject object = played.object;
    CompiledStage stage = played.stage;
    if (object == null || stage == null) {
      throw new IllegalStateException("an object that is played has a stage");
    }
    try {
      sender.rendering(object);
      while (played.step < stage.steps().size()) {
        CompiledStep step = stage.steps().get(played.step);
        boolean after = played.written < 0 && !step.isEvent();
        Optional<Write> write = after ? Optional.empty() : step.write(object);
        if (write.isPresent()) {
          sender.send(object, write.get(), stage.stage().immediateNextStage());
          return;
        }
        played.step++;
      }
      done(played, object);
    } catch (TemplateException | RenderException | DecodeException e) {
      complaints.add(stage, played.key, String.valueOf(e.getMessage()));
      again(played, object, RENDER_RETRY);
    }
  }

  /**
   * The answer of the object's write.
   *
   * @param uid of the object that was passed to {@link Sender#send}
   */
  public void answered(StageObject object, Answer answer) {
    Played played = objects.get(object.uid());
    if (played == null || played.object != object) {
      // gone meanwhile
      inFlight--;
      return;
    }
    if (answer instanceof Answer.Written written) {
      written(played, object, written);
    } else if (answer instanceof Answer.Retry retry) {
      played.failures++;
      again(played, object, retry.delay());
    } else if (answer instanceof Answer.Stale) {
      stale(played, object);
    } else if (answer instanceof Answer.Refused refused) {
      complaints.add(played.stage, played.key, refused.message());
      finish(played, object.resourceVersion() + 1);
    }
  }

  /**
   * The object as it was read after a write that was {@linkplain Answer.Stale stale}: not every
   * conflict comes from a later version.
   */
  public void reread(StageObject object) {
    Played played = objects.get(object.uid());
    if (played != null
        && played.state == State.RESTING
        && played.stage != null
        && object.resourceVersion() >= played.seen) {
      played.seen = object.resourceVersion();
      decide(played, object);
    }
  }

  /** Failures of an object's current step so far. */
  public int failures(StageObject object) {
    Played played = objects.get(object.uid());
    return played == null ? 0 : played.failures;
  }

  private void written(Played played, StageObject object, Answer.Written answer) {
    CompiledStage stage = played.stage;
    if (stage == null) {
      throw new IllegalStateException("an object that is played has a stage");
    }
    boolean deletes = stage.steps().get(played.step).isDelete();
    played.failures = 0;
    played.step++;
    if (deletes) {
      played.written = -1;
    } else if (answer.resourceVersion() > object.resourceVersion()) {
      played.written++;
    }
    // the templates of later steps see the object as the stage was chosen for it, as in KWOK; the
    // version moves on, so that the next write does not conflict with this one
    StageObject next = object;
    if (answer.resourceVersion() > 0) {
      next =
          new StageObject(
              object.namespace(),
              object.name(),
              object.uid(),
              answer.resourceVersion(),
              object.json());
    }
    played.object = next;
    if (answer.object() != null && stage.stage().immediateNextStage()) {
      StageObject newest = played.newest;
      if (newest == null || newest.resourceVersion() < answer.object().resourceVersion()) {
        played.newest = answer.object();
      }
    }
    step(played);
  }

  private void done(Played played, StageObject object) {
    plays++;
    finish(played, object.resourceVersion());
  }

  /** The object has changed before it was written, or is gone: its next version decides. */
  private void stale(Played played, StageObject object) {
    if (played.written == 0) {
      inFlight--;
      reconsider(played, object);
    } else {
      finish(played, 0);
    }
  }

  /** Nothing has been written: the next version decides anew, and a running delay goes on. */
  private void reconsider(Played played, StageObject object) {
    StageObject newest = played.newest;
    played.newest = null;
    played.state = State.RESTING;
    played.ticket++;
    if (newest != null && newest.resourceVersion() > object.resourceVersion()) {
      decide(played, newest);
    }
  }

  /**
   * Ends a stage.
   *
   * @param version from which on the object shows the stage's effect
   */
  private void finish(Played played, long version) {
    inFlight--;
    StageObject newest = played.newest;
    boolean changed = played.written != 0;
    played.rest();
    if (changed) {
      played.visit++;
      // the watch delivers the stage's own version again, and earlier ones that are void by now
      played.seen = Math.max(played.seen, version - 1);
    }
    if (newest != null && newest.resourceVersion() >= version) {
      played.seen = newest.resourceVersion();
      decide(played, newest);
    }
  }

  private void again(Played played, StageObject object, Duration delay) {
    if (played.newest != null && played.written == 0) {
      inFlight--;
      reconsider(played, object);
      return;
    }
    inFlight--;
    queue.add(played, clock.instant().plus(delay));
  }

  /** Objects that are known. */
  public int size() {
    return objects.size();
  }

  /** Stages that are being played. */
  public int inFlight() {
    return inFlight;
  }

  /** Stages that were played to their end. */
  public long plays() {
    return plays;
  }
}
