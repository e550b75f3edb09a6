package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The providers that are not part of the build pass the published test kit. */
class ProviderTckIT {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ExamplePodsTest", "ExampleContainersTest"})
  void theExampleKeepsEveryPromise(String test) throws Exception {
    Path classes = ExampleProvider.classes(folder);
    Path tests = ExampleProvider.testClasses(folder, classes);
    URL[] urls = {classes.toUri().toURL(), tests.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
      TestExecutionSummary summary = run(loader.loadClass("com.example.provider." + test));

      assertThat(summary.getFailures())
          .as("failures")
          .extracting(f -> f.getTestIdentifier().getDisplayName() + ": " + f.getException())
          .isEmpty();
      assertThat(summary.getTestsSucceededCount()).isGreaterThanOrEqualTo(20);
    }
  }

  private static TestExecutionSummary run(Class<?> tests) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
