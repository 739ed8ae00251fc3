package io.bloomkit.cli.interop;

import org.apache.parquet.format.Type;

/**
 * A column of a row group.
 *
 * @param rowGroup the index of the row group
 * @param schema the column in the schema
 * @param place where its data and filter are
 * @param filterOffset the offset of the column's filter in the file; 0 or less if it has none
 * @param filterLength the recorded length of the filter in bytes, or {@link #UNKNOWN_LENGTH}
 */
record ParquetColumn(
    int rowGroup, ColumnSchema schema, Place place, long filterOffset, int filterLength) {

  /** The length of a filter if the footer does not record it, as old writers do not. */
  static final int UNKNOWN_LENGTH = -1;

  /** Where the data and the filter of a column of a row group are. */
  enum Place {
    HERE("here"),
    ENCRYPTED("encrypted"),
    ELSEWHERE("in another file");

    private final String text;

    Place(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns the path of the column. */
  String name() {
    return schema.path().toString();
  }

  /**
   * Returns whether the column has a Bloom filter in this file that is not encrypted. The format
   * has no filters for {@code BOOLEAN}.
   */
  boolean hasFilter() {
    return place == Place.HERE && filterOffset > 0 && schema.type() != Type.BOOLEAN;
  }
}
