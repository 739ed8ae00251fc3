package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A memory-mapped file of a filter with a single, uncoded section.
 *
 * <p>An uncoded section stores its words unchanged: it is not {@linkplain FilterSection#gapCoded
 * gap-coded}.
 *
 * <p>Opening a file checks the header, the checksum of the header and the length of the file.
 * Mapping the section checks that the padding before the section is zero. It also reads the
 * checksum of the section, but none of the words. {@link MappedWords#verify()} checks the words
 * against this checksum.
 */
public final class MappedFile {

  private final FileChannel channel;
  private final FilterReader reader;
  private final ReceivedBytes received;

  private MappedFile(FileChannel channel) throws IOException {
    this.channel = channel;
    this.received = new ReceivedBytes(Channels.newInputStream(channel));
    this.reader = new FilterReader(received);
  }

  /** Checks the header, maps the section and returns the filter. */
  @FunctionalInterface
  public interface Body<F> {
    F open(MappedFile file) throws IOException;
  }

  /**
   * Opens a file that contains one filter and nothing else. The file is closed on return, but the
   * mapping stays valid.
   *
   * @throws FilterFormatException if the file is not a filter, if {@code body} rejects it, or if
   *     the length of the file differs from the length that its header states
   * @throws IOException if the file cannot be read or mapped
   */
  public static <F> F open(Path file, Body<F> body) throws IOException {
    try (FileChannel channel =
        FileChannel.open(Objects.requireNonNull(file, "file"), StandardOpenOption.READ)) {
      MappedFile mapped = new MappedFile(channel);
      mapped.requireLength(channel.size());
      return body.open(mapped);
    } catch (IOException e) {
      throw FileErrors.naming(file, e);
    }
  }

  private void requireLength(long length) throws FilterFormatException {
    long expected = reader.header().totalBytes();
    if (length != expected) {
      throw new FilterFormatException(
          Math.min(length, expected),
          String.format(
              Locale.ROOT,
              "the file has %d bytes but its header says that it has %d",
              length,
              expected));
    }
  }

  /**
   * Returns a reader whose methods check the variant, the strategy and the fields in the header. Do
   * not read the section from this reader; call {@link #section} of this class.
   */
  public FilterReader reader() {
    return reader;
  }

  /**
   * Maps the only section of the file. Call this method once, in {@link Body#open}.
   *
   * @throws FilterFormatException if the file does not have exactly one section, if the section has
   *     another role or size or is gap-coded, or if the padding before the section is not zero
   * @throws IOException if the file cannot be mapped
   */
  public MappedWords section(SectionRole role, long wordCount) throws IOException {
    List<FilterSection> sections = reader.header().sections();
    if (sections.size() != 1) {
      throw new FilterFormatException(
          FilterHeader.SECTIONS_OFFSET,
          "a filter that is mapped has one section but here are " + sections.size());
    }
    FilterSection section = sections.get(0);
    if (section.role() != role || section.wordCount() != wordCount) {
      throw wrongEntry(
          0,
          String.format(
              Locale.ROOT,
              "the section must be %s of %d words, got %s of %d words",
              role,
              wordCount,
              section.role(),
              section.wordCount()));
    }
    if (section.gapCoded()) {
      throw wrongEntry(
          2,
          "the section is gap-coded and cannot be mapped: read the filter and write it again, by"
              + " writeMappableTo(Path)");
    }
    received.skipZerosTo(section.offset());
    return MappedWords.map(channel, section);
  }

  private FilterFormatException wrongEntry(int offset, String fault) {
    return new FilterFormatException(reader.header().sectionEntryOffset(0) + offset, fault);
  }
}
