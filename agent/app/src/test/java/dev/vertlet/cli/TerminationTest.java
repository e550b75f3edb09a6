package dev.vertlet.cli;

import static dev.vertlet.testsupport.Waits.exit;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TerminationTest {
  private static Process start(String mode) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), Program.class.getName(), mode)
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void aSignalEndsInOrderWithOurOwnExitCode() throws Exception {
    Process process = start("wait");
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo("started");

      // Process.destroy would also close the output that is read next
      assertThat(process.toHandle().destroy()).isTrue();

      assertThat(out.readLine()).isEqualTo("stopped");
      assertThat(exit(process)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProgramThatEndsByItselfKeepsItsExitCode() throws Exception {
    Process process = start("end");
    try {
      assertThat(exit(process)).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs in a process of its own. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      Termination termination = Termination.ofProcess();
      if (args[0].equals("end")) {
        termination.exit(2);
        return;
      }
      System.out.println("started");
      termination.requested().join();
      System.out.println("stopped");
      termination.exit(0);
    }
  }
}
