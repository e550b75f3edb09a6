package dev.vertlet.kube.watch;

import nl.jqno.equalsverifier.EqualsVerifier;
import nl.jqno.equalsverifier.Warning;
import org.junit.jupiter.api.Test;

class ReflectorIndexTest {
  @Test
  void aKeyHasForgottenNoComponent() {
    EqualsVerifier.forClass(ReflectorIndex.Key.class)
        .suppress(Warning.NULL_FIELDS, Warning.STRICT_INHERITANCE)
        .verify();
  }
}
