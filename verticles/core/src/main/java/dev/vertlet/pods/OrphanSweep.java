package dev.vertlet.pods;

import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.PodProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Ends pods that a provider runs without a request: after a node's pods have been listed, and every
 * 10 s if the provider does not report late ones itself. Confined to its loop.
 */
final class OrphanSweep {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

  /** From the end of one list call, also a failed one, to the next. */
  static final long PERIOD_MILLIS = 10_000;

  private final PodProvider provider;
  private final CoreLoop loop;
  private final PodSync.Surroundings around;
  private final Predicate<PodReport> orphan;

  /** UIDs of the orphans in the newest list. */
  private Set<String> ending = new HashSet<>();

  private boolean due;
  private boolean repeating;
  private boolean closed;
  private long timer = -1;

  /**
   * Creates a sweep.
   *
   * @param orphan whether a pod in the provider should be ended; evaluated for each list
   */
  OrphanSweep(
      PodProvider provider,
      CoreLoop loop,
      PodSync.Surroundings around,
      Predicate<PodReport> orphan) {
    this.provider = provider;
    this.loop = loop;
    this.around = around;
    this.orphan = orphan;
  }

  /** Lists the provider's pods every 10 s from now on. */
  void repeat() {
    repeating = true;
    again();
  }

  /** Stops listing. */
  void close() {
    closed = true;
    loop.cancelTimer(timer);
  }

  /** Lists the provider's pods once for all nodes that begin in this turn of the loop. */
  void sweep() {
    if (!due) {
      due = true;
      loop.later(this::look);
    }
  }

  private void look() {
    due = false;
    around
        .ask(provider::list)
        .onSuccess(
            reports -> {
              if (repeating) {
                again();
              }
              compare(reports);
            })
        .onFailure(
            failure -> {
              PodSync.warn("list", "", failure);
              again();
            });
  }

  private void compare(List<PodReport> reports) {
    Set<String> before = ending;
    ending = new HashSet<>();
    for (PodReport held : reports) {
      if (orphan.test(held)) {
        ending.add(held.pod().uid());
        end(held, !before.contains(held.pod().uid()));
      }
    }
  }

  /** The provider holds this pod: ends it if it is an orphan. */
  void held(PodReport held) {
    if (orphan.test(held)) {
      end(held, true);
    }
  }

  private void end(PodReport held, boolean first) {
    LOG.atLevel(first ? Level.INFO : Level.DEBUG)
        .addKeyValue("node", held.node())
        .addKeyValue("pod", held.pod().display())
        .addKeyValue("podUid", held.pod().uid())
        .log("ending a pod that no source holds, or that the API server holds as ended");
    around
        .ask(() -> provider.kill(held.pod()))
        .onFailure(
            failure -> {
              if (ProviderException.kindOf(failure) != ProviderException.Kind.NOT_FOUND) {
                PodSync.warn("kill", held.pod().display(), failure);
                again();
              }
            });
  }

  /** One timer is enough: the next list also finds an orphan that could not be ended. */
  private void again() {
    loop.cancelTimer(timer);
    if (!closed) {
      timer = loop.setTimer(PERIOD_MILLIS, this::look);
    }
  }
}
