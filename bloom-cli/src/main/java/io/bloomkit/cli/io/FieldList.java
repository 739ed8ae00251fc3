package io.bloomkit.cli.io;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A list of field numbers on the command line, such as {@code 1,3} or {@code 1-3}.
 *
 * @param numbers the field numbers in the order of the list: at least one, each at least 1, no
 *     duplicates
 */
record FieldList(List<Integer> numbers) {

  /** Parses a list of field numbers. */
  static final class Converter implements ITypeConverter<FieldList> {

    private static final int MAX_NUMBER = 1 << 16;

    /** One field, or a range of fields, from the first one by default. */
    private static final Pattern RANGE = Pattern.compile("(?:(\\d{0,5})-)?(\\d{1,5})");

    private static final int INVALID = 0;

    @Override
    public FieldList convert(String value) {
      List<Integer> numbers =
          Stream.of(value.split(",", -1)).flatMapToInt(Converter::range).boxed().toList();
      boolean isEachOnce = numbers.stream().distinct().count() == numbers.size();
      if (isEachOnce && numbers.stream().allMatch(number -> number >= 1 && number <= MAX_NUMBER)) {
        return new FieldList(numbers);
      }
      throw new TypeConversionException(
          "must list fields from 1 to "
              + MAX_NUMBER
              + ", each once, such as 1,3 or 1-3, got '"
              + value
              + "'");
    }

    private static IntStream range(String text) {
      Matcher range = RANGE.matcher(text);
      if (!range.matches()) {
        return IntStream.of(INVALID);
      }
      int last = Integer.parseInt(range.group(2));
      String from = range.group(1);
      int first = from == null ? last : from.isEmpty() ? 1 : Integer.parseInt(from);
      return first > last ? IntStream.of(INVALID) : IntStream.rangeClosed(first, last);
    }
  }
}
