package io.bloomkit.flink;

import io.bloomkit.MergeableFilter;
import io.bloomkit.format.StorableFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.java.typeutils.runtime.DataInputViewStream;
import org.apache.flink.api.java.typeutils.runtime.DataOutputViewStream;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Writes filters in their file format and reads them by a {@link FilterLoader}. */
final class FilterSerializer<F extends StorableFilter<?>> extends TypeSerializer<F> {

  private static final long serialVersionUID = 1;

  private final Class<? extends FilterLoader<F>> type;
  private transient @Nullable FilterLoader<F> loader;

  FilterSerializer(Class<? extends FilterLoader<F>> type) {
    this.type = type;
  }

  /**
   * Returns a loader of a class.
   *
   * @throws IllegalArgumentException if a savepoint cannot name the class
   */
  static <F extends StorableFilter<?>> FilterLoader<F> instanceOf(
      Class<? extends FilterLoader<F>> type) {
    try {
      if (Modifier.isPublic(type.getModifiers())) {
        return type.getConstructor().newInstance();
      }
      throw new IllegalArgumentException(
          "a FilterLoader must be a public class, got " + type.getName());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "a FilterLoader must be a public static or top-level class with a public constructor"
              + " without parameters, got "
              + type.getName(),
          e);
    }
  }

  private FilterLoader<F> loader() {
    FilterLoader<F> present = loader;
    if (present == null) {
      present = instanceOf(type);
      loader = present;
    }
    return present;
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<F> duplicate() {
    return new FilterSerializer<>(type);
  }

  /** Returns null: the size of a filter is not known. */
  @Override
  public @Nullable F createInstance() {
    return null;
  }

  @Override
  public F copy(F filter) {
    try {
      return filter instanceof MergeableFilter<?> mergeable
          ? copyOf(mergeable)
          : loader().readFrom(new ByteArrayInputStream(filter.toBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy " + filter, e);
    }
  }

  @SuppressWarnings("unchecked") // a copy has the class of its original
  private F copyOf(MergeableFilter<?> filter) {
    return (F) filter.copy();
  }

  @Override
  public F copy(F filter, @Nullable F reuse) {
    return copy(filter);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(F filter, DataOutputView target) throws IOException {
    filter.writeTo(new DataOutputViewStream(target));
  }

  @Override
  public F deserialize(DataInputView source) throws IOException {
    return loader().readFrom(new DataInputViewStream(source));
  }

  @Override
  public F deserialize(@Nullable F reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FilterSerializer<?> serializer && type.equals(serializer.type);
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<F> snapshotConfiguration() {
    return new Snapshot<>(type);
  }

  /**
   * What a savepoint contains of a serializer: the name of the loader. The kind of the filters and
   * their strategy are in each filter, and checked when it is read.
   */
  public static final class Snapshot<F extends StorableFilter<?>>
      implements TypeSerializerSnapshot<F> {

    private static final int VERSION = 1;

    private @Nullable Class<? extends FilterLoader<F>> type;

    /** For Flink, which reads the snapshot afterwards. */
    public Snapshot() {}

    private Snapshot(Class<? extends FilterLoader<F>> type) {
      this.type = type;
    }

    @Override
    public int getCurrentVersion() {
      return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.writeUTF(Objects.requireNonNull(type).getName());
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classes)
        throws IOException {
      if (version != VERSION) {
        throw new IOException(
            "the serializer of filters must have version " + VERSION + ", got " + version);
      }
      String name = in.readUTF();
      try {
        @SuppressWarnings("unchecked") // checked by Flink's state: it was written for F
        Class<? extends FilterLoader<F>> read =
            (Class<? extends FilterLoader<F>>)
                Class.forName(name, false, classes).asSubclass(FilterLoader.class);
        type = read;
      } catch (ClassNotFoundException | ClassCastException e) {
        throw new IOException(
            "the state was written with the FilterLoader " + name + ", which must keep its name",
            e);
      }
    }

    @Override
    public TypeSerializer<F> restoreSerializer() {
      return new FilterSerializer<>(Objects.requireNonNull(type));
    }

    @Override
    public TypeSerializerSchemaCompatibility<F> resolveSchemaCompatibility(
        TypeSerializerSnapshot<F> old) {
      return old instanceof Snapshot<F> snapshot
              && Objects.requireNonNull(type).equals(snapshot.type)
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
