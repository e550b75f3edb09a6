package dev.vertlet.sources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.manifest.SourceContents.Problem;
import dev.vertlet.model.PodRef;
import dev.vertlet.testing.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
  private final List<ObjectEvent> events = new ArrayList<>();
  private final Complaints complaints = new Complaints("node", events::add);

  private static Problem of(@Nullable String pod, String reason) {
    return new Problem(
        "http://pods",
        reason,
        pod == null ? null : new PodRef("default", pod, "uid-" + pod),
        "Error validating pod");
  }

  @Test
  void severalProblemsOfOnePlaceAreToldOnceEach() {
    List<Problem> page =
        List.of(of(null, "has no name"), of(null, "is a Node"), of("a", "x"), of("a", "y"));
    try (LogLines lines = LogLines.of(Complaints.class)) {
      complaints.of(page);
      complaints.of(page);
      complaints.of(page);

      assertThat(lines.withKey("error")).containsExactly("has no name", "is a Node", "x", "y");
    }
    assertThat(events).extracting(ObjectEvent::name).containsExactly("a", "a");
  }

  @Test
  void theSameProblemTwiceInOneReadingIsOne() {
    try (LogLines lines = LogLines.of(Complaints.class)) {
      complaints.of(List.of(of(null, "has no name"), of(null, "has no name")));
      assertThat(lines.withKey("error")).containsExactly("has no name");
    }
  }

  @Test
  void whatWasMendedAndComesBackIsToldAgain() {
    try (LogLines lines = LogLines.of(Complaints.class)) {
      complaints.of(List.of(of("a", "x")));
      complaints.of(List.of());
      complaints.of(List.of(of("a", "x")));
      complaints.of(List.of(of("a", "y")));
      assertThat(lines.withKey("error")).containsExactly("x", "x", "y");
    }
    assertThat(events).hasSize(3);
  }
}
