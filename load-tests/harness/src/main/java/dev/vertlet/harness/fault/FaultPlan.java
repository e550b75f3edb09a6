package dev.vertlet.harness.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Faults in force. Test threads add and remove them and the proxy's event loop reads them, hence
 * the concurrent list and counters.
 */
final class FaultPlan {
  private final List<Injected> faults = new CopyOnWriteArrayList<>();
  private final RandomGenerator random;

  /**
   * @param random used on the proxy's event loop only
   */
  FaultPlan(RandomGenerator random) {
    this.random = random;
  }

  InjectedFault add(Fault fault) {
    Injected injected = new Injected(fault);
    faults.add(injected);
    return injected;
  }

  void clear() {
    faults.clear();
  }

  /** Decides about a request: delays add up; of all other effects, the one injected first wins. */
  Verdict judge(ApiRequest request) {
    Duration delay = Duration.ZERO;
    for (Injected injected : faults) {
      if (!injected.happensTo(request)) {
        continue;
      }
      if (!(injected.fault.effect() instanceof Fault.Delay late)) {
        return new Verdict(delay, injected.fault.effect());
      }
      delay = delay.plus(late.by());
    }
    return new Verdict(delay, null);
  }

  /**
   * Decision about one request.
   *
   * @param delay delay before the effect
   * @param effect null to forward the request
   */
  record Verdict(Duration delay, Fault.@Nullable Effect effect) {}

  private final class Injected implements InjectedFault {
    private final Fault fault;
    private final AtomicLong hits = new AtomicLong();

    Injected(Fault fault) {
      this.fault = fault;
    }

    boolean happensTo(ApiRequest request) {
      if (!fault.on().matches(request) || random.nextDouble() >= fault.probability()) {
        return false;
      }
      if (hits.incrementAndGet() >= fault.times()) {
        remove();
      }
      return true;
    }

    @Override
    public long hits() {
      return hits.get();
    }

    @Override
    public void remove() {
      faults.remove(this);
    }
  }
}
