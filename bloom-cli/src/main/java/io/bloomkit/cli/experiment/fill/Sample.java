package io.bloomkit.cli.experiment.fill;

import java.nio.charset.StandardCharsets;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The input of a trial: the elements that are added, and queries of which it is known whether they
 * are among these. An element is a text of ASCII characters that is written from a number when it
 * is needed.
 *
 * @param count the number of elements
 * @param elements returns the number of the element with an index, in the order of addition
 * @param queryCount the number of queries
 * @param queries starts the queries from the first one: it supplies the numbers of their texts
 * @param isElement returns whether the text that was queried is one of the elements
 * @param form how numbers are written
 */
record Sample(
    int count,
    IntToLongFunction elements,
    long queryCount,
    Supplier<LongSupplier> queries,
    LongPredicate isElement,
    Form form) {

  /**
   * The form of the texts.
   *
   * @param length the number of characters
   */
  record Form(int length, Writer writer) {
    String text(long number) {
      byte[] text = new byte[length];
      writer.write(number, text, 0);
      return new String(text, StandardCharsets.US_ASCII);
    }
  }

  /** Writes the text of a number. */
  @FunctionalInterface
  interface Writer {
    void write(long number, byte[] text, int offset);
  }

  long element(int index) {
    return elements.applyAsLong(index);
  }
}
