package dev.vertlet.pods;

import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Ends what a provider runs and nobody asked for: once a node's pods are known, and every 10 s
 * where the provider does not tell by itself of what turns up later. Confined to its loop.
 */
final class OrphanSweep {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

  /** From the end of one look to the next one; also after one that failed. */
  static final long PERIOD_MILLIS = 10_000;

  private final PodProvider provider;
  private final CoreLoop loop;
  private final PodSync.Surroundings around;
  private final Predicate<PodReport> orphan;

  /** UIDs of the pods that the newest list had and should not have had. */
  private Set<String> ending = new HashSet<>();

  private boolean due;
  private boolean repeating;
  private boolean closed;
  private long timer = -1;

  /**
   * @param orphan whether what the provider holds should be ended; asked anew each time
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

  /** Looks every 10 s from now on. */
  void repeat() {
    repeating = true;
    again();
  }

  /** Looks no more. */
  void close() {
    closed = true;
    loop.cancelTimer(timer);
  }

  /** One look at the provider serves all nodes that begin in this turn of the loop. */
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

  /** The provider holds this pod; it is ended unless it should run. */
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

  /** One timer is enough: an orphan that could not be ended is found by the next look, too. */
  private void again() {
    loop.cancelTimer(timer);
    if (!closed) {
      timer = loop.setTimer(PERIOD_MILLIS, this::look);
    }
  }
}
