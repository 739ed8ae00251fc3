package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Words;
import java.util.Arrays;

/** What {@link DeltaTest}, {@link DeltaSizeTest} and {@link ForgedDeltaTest} have in common. */
final class DeltaSamples {

  static final int MINE = 0x8001;
  static final StrategyIdentity STRATEGY = new StrategyIdentity("mine/1", 77);

  private DeltaSamples() {}

  static FilterContents.Builder builder() {
    return FilterContents.of(MINE, STRATEGY, 42);
  }

  static FilterContents of(long... words) {
    return builder().section(SectionRole.WORDS, words).build();
  }

  static FilterContents withOverflow(long[] words, long... overflow) {
    return builder()
        .section(SectionRole.WORDS, words)
        .section(SectionRole.OVERFLOW, overflow)
        .build();
  }

  static FilterContents parts(byte[] bytes) {
    try {
      return FilterReader.fromBytes(bytes, FilterContents::read);
    } catch (FilterFormatException e) {
      throw new AssertionError(e);
    }
  }

  static long[] wordsOf(FilterContents contents, int section) {
    Words words = contents.sections().get(section).words();
    long[] array = new long[(int) words.size()];
    Arrays.setAll(array, words::get);
    return array;
  }

  static void assertLeads(FilterContents base, FilterContents changed)
      throws FilterFormatException {
    ContentsDelta delta = ContentsDelta.between(base, changed);
    byte[] bytes = delta.contents().toBytes();
    ContentsDelta read = FilterReader.fromBytes(bytes, ContentsDelta::read);
    assertArrayEquals(bytes, read.contents().toBytes());
    for (ContentsDelta each : new ContentsDelta[] {delta, read}) {
      assertArrayEquals(changed.toBytes(), each.apply(base).toBytes());
      assertEquals(base.fingerprint(), each.baseFingerprint());
      assertEquals(changed.fingerprint(), each.resultFingerprint());
    }
  }

  /** Returns how many words the code of a delta takes that leads where it should. */
  static int codeWordCount(long[] before, long... changes) throws FilterFormatException {
    long[] after = before.clone();
    Arrays.setAll(after, i -> before[i] ^ changes[i]);
    assertLeads(of(before), of(after));
    return codeWordCount(ContentsDelta.between(of(before), of(after)));
  }

  static int codeWordCount(ContentsDelta delta) {
    return wordsOf(parts(delta.contents().toBytes()), 1).length;
  }
}
