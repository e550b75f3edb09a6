package dev.vertlet.cri;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A Vert.x whose timers wait for {@link #advance}; all else is real, sockets too. Used by the
 * test's thread and by event loops.
 */
public final class ManualTimers {
  private final Vertx real;
  private final Vertx vertx;
  private final List<Timer> timers = new ArrayList<>();
  private long now;
  private long nextId;

  /** A timer that is set. */
  private static final class Timer {
    private final long id;
    private final long period;
    private final Context context;
    private final Handler<Long> handler;
    private long due;

    Timer(long id, long due, long period, Context context, Handler<Long> handler) {
      this.id = id;
      this.due = due;
      this.period = period;
      this.context = context;
      this.handler = handler;
    }
  }

  public ManualTimers(Vertx real) {
    this.real = real;
    this.vertx =
        (Vertx)
            Proxy.newProxyInstance(
                Vertx.class.getClassLoader(),
                new Class<?>[] {Vertx.class},
                (proxy, method, arguments) -> call(method, arguments));
  }

  public Vertx vertx() {
    return vertx;
  }

  @SuppressWarnings("unchecked")
  private Object call(Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "setTimer":
        return set((long) arguments[0], 0, (Handler<Long>) arguments[1]);
      case "setPeriodic":
        return set(
            (long) arguments[0],
            (long) arguments[arguments.length - 2],
            (Handler<Long>) arguments[arguments.length - 1]);
      case "cancelTimer":
        return cancel((long) arguments[0]);
      default:
        try {
          return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
          throw e.getTargetException();
        }
    }
  }

  private synchronized long set(long delay, long period, Handler<Long> handler) {
    long id = ++nextId;
    timers.add(new Timer(id, now + delay, period, real.getOrCreateContext(), handler));
    return id;
  }

  private synchronized boolean cancel(long id) {
    return timers.removeIf(timer -> timer.id == id);
  }

  /** Number of timers that are set and not periodic. */
  public synchronized long waiting() {
    return timers.stream().filter(timer -> timer.period == 0).count();
  }

  /**
   * Lets time pass. Each timer that is due runs once, those that were due first before the others,
   * on the context that has set it; those that they set wait for the next call.
   */
  public void advance(Duration time) throws InterruptedException {
    List<Timer> due = new ArrayList<>();
    synchronized (this) {
      now += time.toMillis();
      timers.stream()
          .filter(timer -> timer.due <= now)
          .sorted(Comparator.comparingLong(timer -> timer.due))
          .forEach(due::add);
      for (Timer timer : due) {
        timer.due = now + timer.period;
      }
    }
    CountDownLatch ran = new CountDownLatch(due.size());
    for (Timer timer : due) {
      timer.context.runOnContext(
          v -> {
            try {
              if (timer.period == 0 ? cancel(timer.id) : isSet(timer)) {
                timer.handler.handle(timer.id);
              }
            } finally {
              ran.countDown();
            }
          });
    }
    Waits.open(ran);
  }

  private synchronized boolean isSet(Timer timer) {
    return timers.contains(timer);
  }
}
