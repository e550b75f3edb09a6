package dev.vertlet.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Objects of an interface of which a test says what its methods do, all of them at once. */
public final class Fakes {
  private Fakes() {}

  /** What a method answers. */
  @FunctionalInterface
  public interface Answer {
    @Nullable Object to(String method, Object[] arguments) throws Throwable;
  }

  /** What happens before a method does what it does. */
  @FunctionalInterface
  public interface Hook {
    void before(String method, Object[] arguments) throws Throwable;
  }

  /** One whose methods all answer by this. */
  public static <T> T answering(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) ->
                answer.to(method.getName(), given == null ? new Object[0] : given)));
  }

  /** The same as {@code real}, after something else has happened. */
  public static <T> T hooked(Class<T> type, T real, Hook hook) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              hook.before(method.getName(), given == null ? new Object[0] : given);
              method.setAccessible(true); // the interface may be its package's own
              try {
                return method.invoke(real, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
