package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class FilterTypeInfoTest {

  /** Reads counting filters of texts. */
  public static final class Counting implements FilterLoader<CountingBloomFilter<CharSequence>> {

    @Override
    public CountingBloomFilter<CharSequence> readFrom(InputStream in) throws IOException {
      return CountingBloomFilter.readFrom(in, HashStrategies.utf8());
    }
  }

  /** Reads the same with another strategy. */
  public static final class Bytes implements FilterLoader<CountingBloomFilter<byte[]>> {

    @Override
    public CountingBloomFilter<byte[]> readFrom(InputStream in) throws IOException {
      return CountingBloomFilter.readFrom(in, HashStrategies.bytes());
    }
  }

  /** Reads dynamic cuckoo filters of texts. */
  public static final class Dynamic implements FilterLoader<DynamicCuckooFilter<CharSequence>> {

    @Override
    public DynamicCuckooFilter<CharSequence> readFrom(InputStream in) throws IOException {
      return DynamicCuckooFilter.readFrom(in, HashStrategies.utf8());
    }
  }

  private static final FilterTypeInfo<CountingBloomFilter<CharSequence>> TYPE =
      FilterTypeInfo.of(CountingBloomFilter.class, Counting.class);

  private static <F> TypeSerializer<F> serializer(TypeInformation<F> type) {
    return type.createSerializer(new SerializerConfigImpl());
  }

  private static CountingBloomFilter<CharSequence> filter(String... texts) {
    CountingBloomFilter<CharSequence> filter =
        CountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    for (String text : texts) {
      filter.add(text);
    }
    return filter;
  }

  @Test
  void filtersAreWrittenAndReadOneAfterAnother() throws IOException {
    TypeSerializer<CountingBloomFilter<CharSequence>> serializer = serializer(TYPE);
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(filter("a"), out);
    serializer.serialize(filter("b", "c"), out);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    DataOutputSerializer copied = new DataOutputSerializer(16);
    serializer.copy(in, copied);
    assertEquals(filter("b", "c"), serializer.deserialize(filter(), in));
    assertEquals(0, in.available());
    assertEquals(
        filter("a"),
        serializer.duplicate().deserialize(new DataInputDeserializer(copied.getCopyOfBuffer())));
  }

  @Test
  void aCopyIsIndependent() {
    TypeSerializer<CountingBloomFilter<CharSequence>> serializer = serializer(TYPE);
    CountingBloomFilter<CharSequence> original = filter("a");
    CountingBloomFilter<CharSequence> copy = serializer.copy(original, filter());
    assertNotSame(original, copy);
    copy.add("b");
    assertEquals(filter("a"), original);
    assertFalse(serializer.isImmutableType());
  }

  @Test
  void aSnapshotNamesTheLoaderAndAnotherIsIncompatible() throws Exception {
    TypeSerializer<CountingBloomFilter<CharSequence>> serializer = serializer(TYPE);
    DataOutputSerializer out = new DataOutputSerializer(16);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    ClassLoader classes = getClass().getClassLoader();
    TypeSerializerSnapshot<CountingBloomFilter<CharSequence>> read =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), classes);
    assertEquals(serializer, read.restoreSerializer());
    assertTrue(
        serializer.snapshotConfiguration().resolveSchemaCompatibility(read).isCompatibleAsIs());
    FilterSerializer.Snapshot<CountingBloomFilter<CharSequence>> other =
        new FilterSerializer.Snapshot<>();
    DataOutputSerializer name = new DataOutputSerializer(16);
    name.writeUTF(Dynamic.class.getName());
    other.readSnapshot(1, new DataInputDeserializer(name.getCopyOfBuffer()), classes);
    assertTrue(
        serializer.snapshotConfiguration().resolveSchemaCompatibility(other).isIncompatible());

    DataOutputSerializer gone = new DataOutputSerializer(16);
    gone.writeUTF("not.There");
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                other.readSnapshot(1, new DataInputDeserializer(gone.getCopyOfBuffer()), classes));
    assertTrue(String.valueOf(e.getMessage()).contains("not.There, which must keep its name"));
    assertThrows(
        IOException.class,
        () -> other.readSnapshot(2, new DataInputDeserializer(gone.getCopyOfBuffer()), classes));
  }

  @Test
  void aFilterOfAnotherStrategyIsRefused() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer(TYPE).serialize(filter("a"), out);
    FilterTypeInfo<CountingBloomFilter<byte[]>> bytes =
        FilterTypeInfo.of(CountingBloomFilter.class, Bytes.class);
    assertThrows(
        FilterFormatException.class,
        () -> serializer(bytes).deserialize(new DataInputDeserializer(out.getCopyOfBuffer())));
  }

  @Test
  void onlyAClassWithANameIsALoader() {
    FilterLoader<CountingBloomFilter<CharSequence>> lambda =
        in -> CountingBloomFilter.readFrom(in, HashStrategies.utf8());
    @SuppressWarnings("unchecked")
    Class<? extends FilterLoader<CountingBloomFilter<CharSequence>>> type =
        (Class<? extends FilterLoader<CountingBloomFilter<CharSequence>>>) lambda.getClass();
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> FilterTypeInfo.of(CountingBloomFilter.class, type));
    assertTrue(String.valueOf(e.getMessage()).contains("must be a public"), e.getMessage());
  }

  @Test
  void onlyAClassOfFiltersIsAType() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> FilterTypeInfo.of(Object.class, Counting.class));
    assertEquals("type must be a class of StorableFilter, got java.lang.Object", e.getMessage());
  }

  @Test
  void typesAreEqualByTheirClasses() throws Exception {
    assertEquals(TYPE, InstantiationUtil.clone(TYPE));
    assertEquals(TYPE.hashCode(), InstantiationUtil.clone(TYPE).hashCode());
    assertNotEquals(TYPE, FilterTypeInfo.of(DynamicCuckooFilter.class, Dynamic.class));
    assertEquals(serializer(TYPE).hashCode(), InstantiationUtil.clone(serializer(TYPE)).hashCode());
    assertTrue(TYPE.toString().contains("CountingBloomFilter"));
    assertFalse(TYPE.isKeyType() || TYPE.isBasicType() || TYPE.isTupleType());
  }

  /** Counts, for each first letter, the texts that it has seen less than twice. */
  private static final class Second extends KeyedProcessFunction<String, String, String> {

    private static final long serialVersionUID = 1;

    private transient ValueState<CountingBloomFilter<CharSequence>> state;

    @Override
    public void open(OpenContext context) {
      state = getRuntimeContext().getState(new ValueStateDescriptor<>("filter", TYPE));
    }

    @Override
    public void processElement(String text, Context context, Collector<String> out)
        throws Exception {
      CountingBloomFilter<CharSequence> filter = state.value() == null ? filter() : state.value();
      if (filter.mightContain(text)) {
        filter.remove(text);
        out.collect(text);
      } else {
        filter.add(text);
      }
      state.update(filter);
    }
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, String, String> harness(
      StateBackend backend) throws Exception {
    KeyedOneInputStreamOperatorTestHarness<String, String, String> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new Second()), text -> text.substring(0, 1), Types.STRING);
    harness.setStateBackend(backend);
    harness.setup();
    return harness;
  }

  @Test
  void filtersAreStateOnTheHeapAndSurviveARestart() throws Exception {
    KeyedOneInputStreamOperatorTestHarness<String, String, String> first =
        harness(new HashMapStateBackend());
    first.open();
    first.processElement("apple", 0);
    first.processElement("bean", 0);
    OperatorSubtaskState state = first.snapshot(1, 1);
    first.processElement("apple", 0);
    first.close();
    KeyedOneInputStreamOperatorTestHarness<String, String, String> second =
        harness(new HashMapStateBackend());
    second.initializeState(state);
    second.open();
    second.processElement("avocado", 0);
    second.processElement("bean", 0);
    second.processElement("apple", 0);
    assertEquals(List.of("bean", "apple"), second.extractOutputValues());
    second.close();
  }
}
