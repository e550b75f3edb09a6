package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts of the states of sandboxes. */
class SandboxBookTest {
  private static final PodRef POD = new PodRef("default", "a", "uid-a");

  private final List<PodRef> lost = new ArrayList<>();
  private final SandboxBook book =
      new SandboxBook(
          new SandboxBook.Effects() {
            @Override
            public void changed(PodRef pod, ContainerRecord container) {}

            @Override
            public void sandboxLost(PodRef pod) {
              lost.add(pod);
            }
          });

  private static SandboxState state(long revision) {
    SandboxRecord sandbox = new SandboxRecord("s", 0, List.of());
    return new SandboxState(new RuntimePod(POD, TestPods.NODE, sandbox, List.of()), revision);
  }

  @Test
  void ignoresLateStatesOfARemovedSandbox() {
    book.observed(state(1));

    book.forget(POD.uid());
    book.observed(state(2));

    assertThat(book.pods()).isEmpty();
    assertThat(lost).isEmpty();
  }

  @Test
  void takesAPodAgainWhoseEndTheStreamToldFirst() {
    book.observed(state(1));

    book.gone(POD.uid(), 2);
    book.forget(POD.uid());
    book.observed(state(3));

    assertThat(book.pods()).hasSize(1);
  }
}
