package io.bloomkit.cli.interop;

import static io.bloomkit.cli.interop.FooterProtocol.BINARY;
import static io.bloomkit.cli.interop.FooterProtocol.I32;
import static io.bloomkit.cli.interop.FooterProtocol.STRUCT;
import static io.bloomkit.cli.interop.FooterProtocol.field;
import static io.bloomkit.cli.interop.FooterProtocol.malformed;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/**
 * Reads the columns of a schema, a list of the struct {@code SchemaElement} of parquet.thrift. A
 * group is followed by its members, and a column has a physical type.
 */
final class SchemaReader {

  // SchemaElement
  private static final int TYPE = field(1, I32);
  private static final int TYPE_LENGTH = field(2, I32);
  private static final int NAME = field(4, BINARY);
  private static final int NUM_CHILDREN = field(5, I32);
  private static final int CONVERTED_TYPE = field(6, I32);
  private static final int SCALE = field(7, I32);
  private static final int PRECISION = field(8, I32);
  private static final int LOGICAL_TYPE = field(10, STRUCT);
  private static final long OF_SCHEMA_ELEMENT = FooterProtocol.required(NAME);

  private static final byte[] NO_NAME = {};

  private final FooterProtocol in;
  private final FooterProtocol.Fields element = this::readElementField;
  private final LogicalTypeReader logicalTypes;

  // Fields of the element that is being read.
  private final ByteArrayOutputStream name = new ByteArrayOutputStream();
  private boolean hasType;
  private @Nullable Type type;
  private int length;
  private int children;
  private boolean hasConvertedType;
  private int convertedType;
  private int scale;
  private int precision;
  private @Nullable LogicalType logical;

  SchemaReader(FooterProtocol in) {
    this.in = in;
    this.logicalTypes = new LogicalTypeReader(in);
  }

  /** Reads the list and returns the columns in its order. */
  List<ColumnSchema> read() throws TException {
    List<ColumnSchema> columns = new ArrayList<>();
    long count = in.readListStart(STRUCT);
    if (count == 0) {
      return columns;
    }
    readElement();
    ColumnPath group = ColumnPath.ROOT;
    IntArrayList missing = new IntArrayList(); // members of the group and of those around it
    missing.push(children);
    for (long left = count - 1; left > 0; left--) {
      readElement();
      while (missing.topInt() == 0 && !group.isRoot()) {
        missing.popInt();
        group = group.parent();
      }
      if (missing.topInt() == 0) {
        throw malformed("the schema has %d elements that no group contains", left);
      }
      missing.push(missing.popInt() - 1);
      ColumnPath path = group.child(name.size() == 0 ? NO_NAME : name.toByteArray());
      if (hasType) {
        columns.add(column(path));
      } else {
        group = path;
        missing.push(children);
      }
    }
    if (missing.intStream().anyMatch(members -> members > 0)) {
      throw malformed("the schema ends within a group");
    }
    return columns;
  }

  private void readElement() throws TException {
    name.reset();
    hasType = false;
    type = null;
    length = 0;
    children = 0;
    hasConvertedType = false;
    scale = 0;
    precision = 0;
    logical = null;
    in.readStruct("SchemaElement", OF_SCHEMA_ELEMENT, element);
    if (children < 0) {
      throw malformed("num_children must be at least 0, got %d", children);
    }
  }

  private boolean readElementField(int field) throws TException {
    if (field == NAME) {
      name.reset();
      in.readBinaryTo(name);
    } else if (field == TYPE) {
      hasType = true;
      type = Type.findByValue(in.readI32());
    } else if (field == TYPE_LENGTH) {
      length = in.readI32();
    } else if (field == NUM_CHILDREN) {
      children = in.readI32();
    } else if (field == CONVERTED_TYPE) {
      hasConvertedType = true;
      convertedType = in.readI32();
    } else if (field == SCALE) {
      scale = in.readI32();
    } else if (field == PRECISION) {
      precision = in.readI32();
    } else if (field == LOGICAL_TYPE) {
      logical = logicalTypes.read();
    } else {
      return false;
    }
    return true;
  }

  private ColumnSchema column(ColumnPath path) throws TException {
    if (type == null) {
      throw malformed("column %s has a type unknown to Parquet", path);
    }
    if (children > 0) {
      throw malformed("column %s has both a type and members", path);
    }
    boolean isFixed = type == Type.FIXED_LEN_BYTE_ARRAY;
    if (isFixed && length < 1) {
      throw malformed(
          "the values of column %s must have a length of at least 1, got %d", path, length);
    }
    LogicalType converted =
        hasConvertedType ? LogicalTypeReader.converted(convertedType, precision, scale) : null;
    return new ColumnSchema(
        path, type, isFixed ? length : 0, LogicalTypeReader.agreed(converted, logical));
  }
}
