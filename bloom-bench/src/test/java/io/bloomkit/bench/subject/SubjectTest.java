package io.bloomkit.bench.subject;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.bench.subject.Subject.Trait;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SubjectTest {

  /** A warm-up does the operations of one kind with the other, too. */
  @ParameterizedTest
  @EnumSource
  void otherKindHasTheSameOperations(Subject subject) {
    Subject other = subject.otherKind().orElse(subject);
    for (Trait trait : Trait.values()) {
      assertEquals(subject.has(trait), other.has(trait), trait::name);
    }
  }
}
