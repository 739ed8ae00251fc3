package io.bloomkit.cli.dedup;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineWriter;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the lines that occur once, exactly, in two passes. The first pass asks a filter for each
 * line and holds the lines that may have come before: each distinct repeated line, and a new line
 * at the false-positive rate. The second pass prints the other lines, and those held by mistake.
 */
final class UniqueLines {

  private static final long REPEATED = -1;

  /** What an entry of the map takes beside the bytes of its line. */
  private static final long ENTRY_BYTES = 120;

  private final SeenLines seen;

  /** By held line: the number of the line where it was held, or {@link #REPEATED}. */
  private final Map<ByteBuffer, Long> held = new HashMap<>();

  private long heldBytes;
  private long unique;

  UniqueLines(SeenLines seen) {
    this.seen = seen;
  }

  /** Returns a copy of a line, or of its fields, as the key of a map. */
  private static ByteBuffer copy(byte[] bytes, int from, int to) {
    return ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to));
  }

  /** The first pass. */
  void collect(LineElements elements, PrintWriter err) {
    elements.forEach(
        (bytes, from, to) -> {
          if (!seen.isFirst(SeenLines.STRATEGY.hashBytes(bytes, from, to - from), 0)) {
            if (held.merge(copy(bytes, from, to), elements.lines(), (first, now) -> REPEATED)
                == elements.lines()) {
              heldBytes += ENTRY_BYTES + (to - from);
            }
          }
        },
        err);
  }

  /**
   * The second pass, over the same lines.
   *
   * @param out receives the lines that occur once, and those without the field; null to count them
   */
  void print(LineElements elements, LineWriter out, boolean isCounted, PrintWriter err) {
    elements.forEach(
        new LineElements.Handler() {
          @Override
          public void element(byte[] bytes, int from, int to) {
            if (isUnique(bytes, from, to)) {
              select();
            }
          }

          private boolean isUnique(byte[] bytes, int from, int to) {
            ByteBuffer line = ByteBuffer.wrap(bytes, from, to - from);
            Long heldAt = held.get(line);
            if (heldAt == null || heldAt == elements.lines()) {
              return true; // held by mistake at this line, if at all, and nowhere before
            }
            held.put(copy(bytes, from, to), REPEATED);
            return false;
          }

          @Override
          public void missing() {
            select();
          }

          private void select() {
            unique++;
            if (!isCounted) {
              elements.writeLine(out);
            }
          }

          @Override
          public void pause() {
            out.flush();
          }
        },
        err);
  }

  /** Returns the number of lines that occur once. */
  long unique() {
    return unique;
  }

  /** Returns the memory of the filter and the lines held, in bytes; the latter is an estimate. */
  long memoryBytes() {
    return seen.memoryBytes() + heldBytes;
  }
}
