package io.bloomkit.cli.io;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Fields on the command line, such as {@code 1,3}.
 *
 * @param numbers at least one, from 1, each once, in the order of the list
 */
record FieldList(List<Integer> numbers) {

  /** Reads lists of fields. */
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
        // refused below, as is what is out of range
      }
      throw new TypeConversionException(
          "must list fields from 1, each once, such as 1,3, got '" + value + "'");
    }
  }
}
