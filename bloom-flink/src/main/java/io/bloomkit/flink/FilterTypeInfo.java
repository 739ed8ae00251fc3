package io.bloomkit.flink;

import io.bloomkit.format.StorableFilter;
import java.util.Objects;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The type of a filter for Flink, so a filter can be a value of Flink's state or a field of a
 * record. It is written in the filter's file format.
 *
 * <pre>{@code
 * public static final class Loader implements FilterLoader<CountingBloomFilter<CharSequence>> {
 *   public CountingBloomFilter<CharSequence> readFrom(InputStream in) throws IOException {
 *     return CountingBloomFilter.readFrom(in, HashStrategies.utf8());
 *   }
 * }
 *
 * new ValueStateDescriptor<>("seen", FilterTypeInfo.of(CountingBloomFilter.class, Loader.class))
 * }</pre>
 *
 * <p>RocksDB reads and writes the whole filter at each access: use it for small filters of many
 * keys, and {@link StreamDeduplicator} to drop repeats. The heap state backend keeps the object;
 * call {@code update} after a change of it, since a checkpoint may otherwise contain a part of the
 * change.
 *
 * @param <F> the type of the filters
 */
public final class FilterTypeInfo<F extends StorableFilter<?>> extends TypeInformation<F> {

  private static final long serialVersionUID = 1;

  private final Class<F> type;
  private final Class<? extends FilterLoader<F>> loader;

  private FilterTypeInfo(Class<F> type, Class<? extends FilterLoader<F>> loader) {
    this.type = type;
    this.loader = loader;
  }

  /**
   * Returns the type of filters.
   *
   * @param type the class of the filters
   * @param loader the class that reads them
   * @throws IllegalArgumentException if {@code type} is no {@link StorableFilter}, or the loader is
   *     no class that a savepoint can name
   */
  public static <F extends StorableFilter<?>> FilterTypeInfo<F> of(
      Class<? super F> type, Class<? extends FilterLoader<F>> loader) {
    if (!StorableFilter.class.isAssignableFrom(Objects.requireNonNull(type, "type"))) {
      throw new IllegalArgumentException(
          "type must be a class of StorableFilter, got " + type.getName());
    }
    FilterSerializer.instanceOf(Objects.requireNonNull(loader, "loader"));
    @SuppressWarnings("unchecked") // a class literal has no type arguments
    Class<F> raw = (Class<F>) type;
    return new FilterTypeInfo<>(raw, loader);
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<F> getTypeClass() {
    return type;
  }

  /** Returns false: a filter cannot be a key. */
  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<F> createSerializer(SerializerConfig config) {
    return new FilterSerializer<>(loader);
  }

  /** As Flink 1 calls it. */
  @SuppressWarnings("deprecation") // it is on Flink 1.20
  public TypeSerializer<F> createSerializer(ExecutionConfig config) {
    return new FilterSerializer<>(loader);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof FilterTypeInfo;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FilterTypeInfo<?> info
        && type.equals(info.type)
        && loader.equals(info.loader);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, loader);
  }

  /** Returns the class of the filters and that of their loader. */
  @Override
  public String toString() {
    return "FilterTypeInfo[" + type.getSimpleName() + ", " + loader.getName() + "]";
  }
}
