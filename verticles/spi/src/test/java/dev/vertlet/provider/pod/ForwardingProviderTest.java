package dev.vertlet.provider.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForwardingProviderTest {
  private static final Set<String> OWN = Set.of("reports", "usesEnvironment");

  private final List<String> calls = new ArrayList<>();

  /** Notes what it is asked, and answers what the interface does by itself. */
  private final PodProvider wrapped =
      (PodProvider)
          Proxy.newProxyInstance(
              PodProvider.class.getClassLoader(),
              new Class<?>[] {PodProvider.class},
              (proxy, method, arguments) -> {
                calls.add(method.getName());
                return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
              });

  /** So that what is added to the interface is not forgotten here. */
  @Test
  void handsOnAllButWhatWrappersAreFor() throws Exception {
    PodProvider provider = new ForwardingProvider(wrapped) {};
    List<String> expected = new ArrayList<>();
    for (Method method : PodProvider.class.getMethods()) {
      Object unused = method.invoke(provider, new Object[method.getParameterCount()]);
      if (!OWN.contains(method.getName())) {
        expected.add(method.getName());
      }
    }
    assertThat(calls).containsExactlyElementsOf(expected).contains("create", "drain", "release");
  }

  @Test
  void aProviderThatIsPolledIsDrained() {
    var unused = new PolledProvider(wrapped).drain(Duration.ofSeconds(5));
    assertThat(calls).containsExactly("drain");
  }
}
