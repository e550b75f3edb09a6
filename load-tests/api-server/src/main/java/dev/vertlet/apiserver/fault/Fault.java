package dev.vertlet.apiserver.fault;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A scripted fault. Test threads script, read and lift it, the server's event loop applies it;
 * hence the atomics.
 */
public final class Fault {
  private final Predicate<ApiRequest> matching;
  private final Action action;
  private final long revision;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final long lastsNanos;
  private final AtomicInteger toSkip;
  private final AtomicInteger left;
  private final AtomicInteger hits = new AtomicInteger();

  Fault(FaultScript script, Action action, long revision, LongSupplier nanoTime) {
    this.matching = script.matching();
    this.action = action;
    this.revision = revision;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.lastsNanos = script.lastsNanos();
    this.toSkip = new AtomicInteger(script.skips());
    this.left = new AtomicInteger(script.count());
  }

  /** How often it has struck. */
  public int hits() {
    return hits.get();
  }

  /** Whether it can strike no more. */
  public boolean isSpent() {
    return left.get() <= 0 || nanoTime.getAsLong() - startNanos >= lastsNanos;
  }

  /** Ends it. */
  public void lift() {
    left.set(0);
  }

  /** What it does. */
  public Action action() {
    return action;
  }

  /** The store's revision when it was scripted. */
  public long revision() {
    return revision;
  }

  /** Whether it would strike this request, uncounted. */
  boolean wouldStrike(ApiRequest request) {
    return !isSpent() && toSkip.get() <= 0 && matching.test(request);
  }

  /** Strikes if the request matches; counts it. */
  boolean strikes(ApiRequest request) {
    if (isSpent() || !matching.test(request) || toSkip.getAndDecrement() > 0) {
      return false;
    }
    left.decrementAndGet();
    hits.incrementAndGet();
    return true;
  }
}
