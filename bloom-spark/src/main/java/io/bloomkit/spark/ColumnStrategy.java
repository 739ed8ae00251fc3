package io.bloomkit.spark;

import io.bloomkit.hash.CompositeBuilder;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the values of a column in Spark's internal representation, without copying a string. Its
 * id and fingerprint are those of the corresponding ready-made strategy, with which plain Java code
 * can read the filter: {@link HashStrategies#utf8()}, {@link HashStrategies#bytes()}, {@link
 * HashStrategies#longs()}, {@link HashStrategies#ints()}, or, for a struct, the {@link
 * HashStrategies#composite()} of its fields with their names, in their order.
 */
final class ColumnStrategy implements HashStrategy<Object> {

  private final HashStrategy<Object> strategy;
  private final int fields;

  @SuppressWarnings("unchecked") // the values of a column are of its type
  private ColumnStrategy(HashStrategy<?> strategy, int fields) {
    this.strategy = (HashStrategy<Object>) strategy;
    this.fields = fields;
  }

  /** Returns the strategy of a type, or null if there is none. */
  static @Nullable ColumnStrategy of(DataType type) {
    if (type instanceof StructType struct) {
      return ofStruct(struct);
    }
    HashStrategy<?> strategy = ofField(type);
    return strategy == null ? null : new ColumnStrategy(strategy, 0);
  }

  /** Returns the supported types, for error messages. */
  static String types() {
    return "STRING, BINARY, BIGINT, INT or a STRUCT of these";
  }

  private static @Nullable HashStrategy<?> ofField(DataType type) {
    if (type.equals(DataTypes.StringType)) {
      return Utf8Strings.INSTANCE;
    } else if (type.equals(DataTypes.BinaryType)) {
      return HashStrategies.bytes();
    } else if (type.equals(DataTypes.LongType)) {
      return HashStrategies.longs();
    } else if (type.equals(DataTypes.IntegerType)) {
      return HashStrategies.ints();
    }
    return null;
  }

  private static @Nullable ColumnStrategy ofStruct(StructType struct) {
    StructField[] fields = struct.fields();
    if (fields.length == 0) {
      return null;
    }
    CompositeBuilder<InternalRow> composite = HashStrategies.composite();
    for (int i = 0; i < fields.length; i++) {
      DataType type = fields[i].dataType();
      if (type instanceof StructType || !addField(composite, fields[i].name(), i, type)) {
        return null;
      }
    }
    return new ColumnStrategy(composite.build(), fields.length);
  }

  @SuppressWarnings("unchecked") // the values of a field are of its type
  private static boolean addField(
      CompositeBuilder<InternalRow> composite, String name, int index, DataType type) {
    HashStrategy<?> strategy = ofField(type);
    if (strategy == null) {
      return false;
    }
    composite.field(name, row -> row.get(index, type), (HashStrategy<Object>) strategy);
    return true;
  }

  /** Returns whether a value cannot be hashed because it is null or a struct with a null field. */
  boolean isNull(@Nullable Object value) {
    if (value == null) {
      return true;
    }
    for (int i = 0; i < fields; i++) {
      if (((InternalRow) value).isNullAt(i)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long hash(Object value) {
    return strategy.hash(value);
  }

  @Override
  public String id() {
    return strategy.id();
  }

  @Override
  public long fingerprint() {
    return strategy.fingerprint();
  }

  private static final class Utf8Strings implements HashStrategy<UTF8String> {

    static final Utf8Strings INSTANCE = new Utf8Strings();

    private final StrategyIdentity identity = StrategyIdentity.of(HashStrategies.utf8());

    @Override
    public long hash(UTF8String text) {
      if (text.getBaseObject() instanceof byte[] bytes) {
        int offset = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
        return HashStrategies.bytes().hashBytes(bytes, offset, text.numBytes());
      }
      return HashStrategies.bytes().hash(text.getBytes()); // off-heap
    }

    @Override
    public String id() {
      return identity.id();
    }

    @Override
    public long fingerprint() {
      return identity.fingerprint();
    }
  }
}
