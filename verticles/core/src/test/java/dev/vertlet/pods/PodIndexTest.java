package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.testing.Pods;
import org.junit.jupiter.api.Test;

class PodIndexTest {
  private final PodIndex index = new PodIndex();

  private static PodView ofUid(String name, String uid) {
    return Pods.of(pod(name).view()).ref(new PodRef("default", name, uid)).build();
  }

  @Test
  void findsPodsByUidAndByName() {
    PodMailbox old = index.add(ofUid("web", "1"));
    PodMailbox young = index.add(ofUid("web", "2"));
    PodMailbox other = index.add(ofUid("db", "3"));

    assertThat(index.size()).isEqualTo(3);
    assertThat(index.get("1")).isSameAs(old);
    assertThat(index.get("none")).isNull();
    assertThat(index.named("default", "web")).containsExactlyInAnyOrder(old, young);
    assertThat(index.named("default", "db")).containsExactly(other);
    assertThat(index.named("other", "web")).isEmpty();
  }

  @Test
  void keepsNothingOfWhatIsRemoved() {
    PodMailbox old = index.add(ofUid("web", "1"));
    PodMailbox young = index.add(ofUid("web", "2"));

    index.remove(old);
    assertThat(index.get("1")).isNull();
    assertThat(index.named("default", "web")).containsExactly(young);
    index.remove(old);
    assertThat(index.named("default", "web")).containsExactly(young);
    index.remove(young);
    assertThat(index.named("default", "web")).isEmpty();
    assertThat(index.size()).isZero();
  }

  /** A manifest with a UID of its own whose pod got another name. */
  @Test
  void followsAPodOfTheSameUidToItsNewName() {
    PodMailbox mailbox = index.add(ofUid("web", "1"));
    index.renamed(mailbox);
    assertThat(index.named("default", "web")).containsExactly(mailbox);

    mailbox.gone(0);
    mailbox.observed(ofUid("site", "1"));
    mailbox.next(0);
    index.renamed(mailbox);

    assertThat(mailbox.ref().name()).isEqualTo("site");
    assertThat(index.named("default", "web")).isEmpty();
    assertThat(index.named("default", "site")).containsExactly(mailbox);
    index.remove(mailbox);
    assertThat(index.named("default", "site")).isEmpty();
  }
}
