package dev.vertlet.harness.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HeapHistogramTest {
  @Test
  void theLastLineHasTheSum() {
    String text =
        """
        4242:
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:          4242         424242  [B (java.base@17.0.15)
        Total         12345        9876543
        """;

    assertThat(HeapHistogram.total(text)).hasValue(9_876_543);
  }

  @Test
  void whatIsNoHistogramHasNone() {
    assertThat(HeapHistogram.total("4242:\nUnable to open socket file")).isEmpty();
  }

  @Test
  void whatIsHeldIsCounted() throws Exception {
    Path javaHome = Path.of(System.getProperty("java.home"));
    long before = HeapHistogram.liveBytes(ProcessHandle.current(), javaHome);
    byte[] held = new byte[50_000_000];

    assertThat(HeapHistogram.liveBytes(ProcessHandle.current(), javaHome) - before)
        .isBetween(held.length - 5_000_000L, held.length + 5_000_000L);
    assertThat(held).startsWith(0);
  }
}
