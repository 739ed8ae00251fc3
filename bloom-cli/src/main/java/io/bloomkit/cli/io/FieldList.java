package io.bloomkit.cli.io;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A list of field numbers on the command line, such as {@code 1,3}.
 *
 * @param numbers the field numbers in the order of the list: at least one, each at least 1, no
 *     duplicates
 */
record FieldList(List<Integer> numbers) {

  /** Parses a list of field numbers. */
  static final class Converter implements ITypeConverter<FieldList> {

    @Override
    public FieldList convert(String value) {
      try {
        List<Integer> numbers = Arrays.stream(value.split(",", -1)).map(Integer::valueOf).toList();
        boolean isEachOnce = numbers.stream().distinct().count() == numbers.size();
        if (isEachOnce && numbers.stream().allMatch(number -> number >= 1)) {
          return new FieldList(numbers);
        }
      } catch (NumberFormatException e) {
        // falls through to the exception below
      }
      throw new TypeConversionException(
          "must list fields from 1, each once, such as 1,3, got '" + value + "'");
    }
  }
}
