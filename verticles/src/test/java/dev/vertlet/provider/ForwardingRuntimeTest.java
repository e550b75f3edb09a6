package dev.vertlet.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ForwardingRuntimeTest {
  private final List<String> calls = new ArrayList<>();

  private final ContainerRuntime wrapped =
      (ContainerRuntime)
          Proxy.newProxyInstance(
              ContainerRuntime.class.getClassLoader(),
              new Class<?>[] {ContainerRuntime.class},
              (proxy, method, arguments) -> {
                calls.add(method.toString());
                return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
              });

  /** So that what is added to the interface is not forgotten here. */
  @Test
  void handsOnEverything() throws Exception {
    ContainerRuntime runtime = new ForwardingRuntime(wrapped) {};
    List<String> expected = new ArrayList<>();
    for (Method method : ContainerRuntime.class.getMethods()) {
      Object[] arguments =
          Stream.of(method.getParameterTypes()).map(type -> type == int.class ? 0 : null).toArray();
      Object unused = method.invoke(runtime, arguments);
      expected.add(method.toString());
    }
    assertThat(calls).containsExactlyElementsOf(expected).hasSizeGreaterThan(20);
  }
}
