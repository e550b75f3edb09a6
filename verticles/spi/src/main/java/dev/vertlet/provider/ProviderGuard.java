package dev.vertlet.provider;

import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Guards calls to a provider from outside this project. A call that throws, returns no Future, or
 * completes with null where a value is required becomes a failure that names the method. Exceptions
 * of methods that return no Future reach the caller.
 */
public final class ProviderGuard implements InvocationHandler {
  private final Object provider;

  private ProviderGuard(Object provider) {
    this.provider = provider;
  }

  public static PodProvider of(PodProvider provider) {
    return guarded(PodProvider.class, provider);
  }

  public static ContainerRuntime of(ContainerRuntime runtime) {
    return guarded(ContainerRuntime.class, runtime);
  }

  private static PodStreams of(@Nullable PodStreams streams) {
    if (streams == null) {
      throw new IllegalStateException("the provider answered streams with null");
    }
    return guarded(PodStreams.class, streams);
  }

  private static <T> T guarded(Class<T> kind, T provider) {
    return kind.cast(
        Proxy.newProxyInstance(
            kind.getClassLoader(), new Class<?>[] {kind}, new ProviderGuard(provider)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getReturnType() == PodStreams.class) {
      return of((PodStreams) call(method, arguments));
    }
    if (method.getReturnType() != Future.class) {
      return call(method, arguments);
    }
    return ProviderCall.ask(() -> future(method, arguments));
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(provider, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private Future<?> future(Method method, Object @Nullable [] arguments) {
    try {
      if (call(method, arguments) instanceof Future<?> answer) {
        return mayBeNull(method)
            ? answer
            : answer.compose(value -> hole(value) ? failed(method) : Future.succeededFuture(value));
      }
      return failed(method);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      return Future.failedFuture(e); // a checked exception that the compiler could not see
    }
  }

  private static boolean mayBeNull(Method method) {
    return method.getGenericReturnType() instanceof ParameterizedType type
        && type.getActualTypeArguments()[0] == Void.class;
  }

  private static boolean hole(@Nullable Object value) {
    return value == null
        || (value instanceof List<?> list && list.stream().anyMatch(v -> v == null));
  }

  private static <T> Future<T> failed(Method method) {
    return Future.failedFuture(
        new IllegalStateException("the provider answered " + method.getName() + " with null"));
  }
}
