package io.bloomkit.testkit.keys;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Kinds of keys on which to test a hash strategy. {@link #SEQUENTIAL} to {@link #TIMESTAMPS} are
 * common in practice. {@link #SPARSE} and {@link #LOW_ENTROPY} have very little entropy. {@link
 * #DOUBLED} to {@link #INTERLEAVED} reveal weak hash functions that consist of one or two
 * multiplications.
 *
 * <p>Each kind is available as numbers (except {@link #URLS} and {@link #UUIDS}), texts, bytes and
 * UUIDs, and as any other type by {@link #fromLongs} and {@link #fromTexts}. Unless a kind
 * describes another form, a text is the number in decimal digits, bytes are the eight bytes of the
 * number in little-endian order, and a UUID has the number as its lower half and 0 as its upper
 * half.
 *
 * <p>For each seed, the keys of a kind are a function of an index from 0 to {@link #LAST_INDEX}.
 * Distinct indexes give distinct keys. The same index and seed give the same key. The function is
 * thread-safe. It throws {@link IllegalArgumentException} for an index outside this range.
 */
public enum KeySource {

  /** 0, 1, 2, …: row numbers, counters. The seed does not matter. */
  SEQUENTIAL {
    @Override
    long number(long index, long seed) {
      return index;
    }
  },

  /**
   * Numbers of 64 random bits, texts of 24 random letters a to z, 16 random bytes, UUIDs of 128
   * random bits.
   */
  RANDOM {
    private static final int LETTERS = 24;

    @Override
    long number(long index, long seed) {
      return mix(index, seed);
    }

    @Override
    String text(long index, long seed) {
      char[] letters = new char[LETTERS];
      // Fourteen letters encode 64 bits, so no two texts are equal.
      long bits = mix(index, seed);
      for (int i = 0; i < LETTERS; i++) {
        if (i == LETTERS / 2 + 2) {
          bits = mix(index, ~seed);
        }
        letters[i] = (char) ('a' + Long.remainderUnsigned(bits, 26));
        bits = Long.divideUnsigned(bits, 26);
      }
      return new String(letters);
    }

    @Override
    byte[] byteString(long index, long seed) {
      return littleEndian(mix(index, seed), mix(index, ~seed));
    }

    @Override
    UUID uuid(long index, long seed) {
      return new UUID(mix(index, seed), mix(index, ~seed));
    }
  },

  /**
   * Numbers of twelve digits, as in a national identification number: a birth date as YYMMDD, a
   * digit for century and sex, a serial number of four digits, and a check digit (Luhn's). Texts
   * are the twelve digits, with leading zeros; bytes are the text in ASCII.
   */
  IDS {
    @Override
    long number(long index, long seed) {
      return IdNumbers.number(index, mix(seed, 0));
    }

    @Override
    String text(long index, long seed) {
      return IdNumbers.text(number(index, seed));
    }
  },

  /**
   * URLs of the pages of a shop: long texts that differ in a few characters. Bytes are the text in
   * ASCII, UUIDs are the name-based UUIDs of these bytes. Not available as numbers.
   */
  URLS {
    private static final String[] SECTIONS = {
      "books", "garden", "music", "shoes", "toys", "travel"
    };

    @Override
    public boolean isNumeric() {
      return false;
    }

    @Override
    String text(long index, long seed) {
      long bits = mix(index, seed);
      return "https://www.example.com/"
          + SECTIONS[(int) Long.remainderUnsigned(bits, SECTIONS.length)]
          + "/item-"
          + index
          + "/reviews?page="
          + (1 + (bits >>> 60));
    }

    @Override
    UUID uuid(long index, long seed) {
      return UUID.nameUUIDFromBytes(byteString(index, seed));
    }
  },

  /**
   * Random UUIDs (version 4). Texts have 36 characters; bytes are the 16 bytes of the UUID in
   * big-endian order. Not available as numbers.
   */
  UUIDS {
    private static final long VERSION = 0xf000L;

    @Override
    public boolean isNumeric() {
      return false;
    }

    @Override
    UUID uuid(long index, long seed) {
      long high = mix(index, seed);
      // The lower half has the four bits that the version replaces.
      long low = (mix(index, ~seed) >>> 6 << 4) | (high & VERSION) >>> 12;
      return new UUID((high & ~VERSION) | 0x4000L, (low & (-1L >>> 2)) | 1L << 63);
    }

    @Override
    String text(long index, long seed) {
      return uuid(index, seed).toString();
    }

    @Override
    byte[] byteString(long index, long seed) {
      UUID uuid = uuid(index, seed);
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
  },

  /**
   * Times of events, one in each second from 2026-01-01T00:00Z on, in milliseconds since
   * 1970-01-01T00:00Z. The seed selects a millisecond for each second separately. Texts are in ISO
   * 8601, in UTC.
   */
  TIMESTAMPS {
    private static final long BEGIN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final long INTERVAL = 1000;

    @Override
    long number(long index, long seed) {
      return BEGIN + INTERVAL * index + Long.remainderUnsigned(mix(index, seed), INTERVAL);
    }

    @Override
    String text(long index, long seed) {
      return Instant.ofEpochMilli(number(index, seed)).toString();
    }
  },

  /**
   * Numbers with few set bits: first 0, then all with one set bit, then all with two set bits, and
   * so on. Texts have 64 digits 0 or 1, one per bit, from the lowest bit to the highest. A key as
   * bytes has 64 bytes: those at the indexes 0, 8, …, 56 are the eight bytes of the number, and the
   * others are 0. The seed does not matter.
   */
  SPARSE {
    @Override
    long number(long index, long seed) {
      return SparseBits.number(index);
    }

    @Override
    String text(long index, long seed) {
      return bitsAs(number(index, seed), '0', '1');
    }

    @Override
    byte[] byteString(long index, long seed) {
      ByteBuffer spread = ByteBuffer.allocate(Long.SIZE);
      byte[] number = littleEndian(number(index, seed));
      for (int i = 0; i < number.length; i++) {
        spread.put(i * number.length, number[i]);
      }
      return spread.array();
    }
  },

  /**
   * Keys with few different values per digit: numbers whose hexadecimal digits are random from 0 to
   * 3, texts of 64 random letters a or b, 64 random bytes 0 or 1.
   */
  LOW_ENTROPY {
    private static final int BITS = 32;

    @Override
    long number(long index, long seed) {
      long bits = mixBits(index, seed, BITS);
      long number = 0;
      for (int i = 0; i < BITS; i += 2) {
        number |= (bits >>> i & 3) << (2 * i);
      }
      return number;
    }

    @Override
    String text(long index, long seed) {
      return bitsAs(mix(index, seed), 'a', 'b');
    }

    @Override
    byte[] byteString(long index, long seed) {
      return bitsAs(mix(index, seed), '\0', '\1').getBytes(StandardCharsets.ISO_8859_1);
    }
  },

  /**
   * Numbers with the same 32 bits twice, index · (2<sup>32</sup> + 1), as in packed coordinates of
   * points on a diagonal. A hash that begins with {@code x ^ x >>> 32} sets the lower half of every
   * such key to 0. The seed does not matter.
   */
  DOUBLED {
    @Override
    long number(long index, long seed) {
      return index << Integer.SIZE | index;
    }
  },

  /**
   * Multiples of a power of two, like addresses of aligned memory or identifiers with a counter in
   * the high bits. The seed selects the power, from 2 to 2<sup>35</sup>.
   */
  SHIFTED {
    private static final int MAX_ZEROS = 35;

    @Override
    long number(long index, long seed) {
      return index << (1 + Long.remainderUnsigned(mix(seed, 0), MAX_ZEROS));
    }
  },

  /** Row numbers with their 64 bits in reverse order. The seed does not matter. */
  BIT_REVERSED {
    @Override
    long number(long index, long seed) {
      return Long.reverse(index);
    }
  },

  /**
   * Row numbers with their eight bytes in reverse order, like little-endian numbers read as
   * big-endian. The seed does not matter.
   */
  BYTE_REVERSED {
    @Override
    long number(long index, long seed) {
      return Long.reverseBytes(index);
    }
  },

  /**
   * Two arithmetic progressions far apart, one for even and one for odd indexes. The seed selects
   * their steps, up to 2<sup>20</sup>, and their first numbers.
   */
  INTERLEAVED {
    private static final int BITS_OF_STEP = 20;
    private static final int BITS_OF_FIRST = 48;

    @Override
    long number(long index, long seed) {
      long progression = index & 1;
      long bits = mix(progression, seed);
      long step = 1 + (bits >>> (Long.SIZE - BITS_OF_STEP));
      long first =
          (progression << (Long.SIZE - 2)) | (bits & (-1L >>> (Long.SIZE - BITS_OF_FIRST)));
      return first + (index >>> 1) * step;
    }
  };

  /** The largest index of a key, 2<sup>29</sup> − 4. */
  public static final long LAST_INDEX = IdNumbers.COUNT - 1;

  /** Returns the name of this kind on the command line, such as "low-entropy". */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the kind with a label.
   *
   * @param label a result of {@link #label}
   * @throws IllegalArgumentException if there is no such kind; the message lists all labels
   */
  public static KeySource of(String label) {
    return Arrays.stream(values())
        .filter(source -> source.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no kind of keys is called \""
                        + label
                        + "\"; there are "
                        + Arrays.stream(values())
                            .map(KeySource::label)
                            .collect(Collectors.joining(", "))));
  }

  /**
   * Returns whether this kind is available as numbers: all except {@link #URLS} and {@link #UUIDS}.
   */
  public boolean isNumeric() {
    return true;
  }

  /**
   * Returns these keys as numbers.
   *
   * @param seed any number; most kinds have other keys for another seed
   * @throws UnsupportedOperationException if this kind has no numbers
   */
  public LongFunction<Long> longs(long seed) {
    return fromLongs(seed, Function.identity());
  }

  /**
   * Returns these keys as the results of a function of their numbers.
   *
   * @param seed any number; most kinds have other keys for another seed
   * @param function must return distinct results for distinct numbers
   * @param <T> the type of the keys
   * @throws UnsupportedOperationException if this kind has no numbers
   */
  public <T> LongFunction<T> fromLongs(long seed, Function<? super Long, ? extends T> function) {
    if (!isNumeric()) {
      throw new UnsupportedOperationException(
          label() + " keys have no numbers; use their texts, bytes or UUIDs");
    }
    return index -> function.apply(number(checkIndex(index), seed));
  }

  /**
   * Returns these keys as texts.
   *
   * @param seed any number; most kinds have other keys for another seed
   */
  public LongFunction<String> texts(long seed) {
    return fromTexts(seed, Function.identity());
  }

  /**
   * Returns these keys as the results of a function of their texts.
   *
   * @param seed any number; most kinds have other keys for another seed
   * @param function must return distinct results for distinct texts
   * @param <T> the type of the keys
   */
  public <T> LongFunction<T> fromTexts(long seed, Function<? super String, ? extends T> function) {
    return index -> function.apply(text(checkIndex(index), seed));
  }

  /**
   * Returns these keys as bytes. Each call of the function returns a new array.
   *
   * @param seed any number; most kinds have other keys for another seed
   */
  public LongFunction<byte[]> bytes(long seed) {
    return index -> byteString(checkIndex(index), seed);
  }

  /**
   * Returns these keys as UUIDs.
   *
   * @param seed any number; most kinds have other keys for another seed
   */
  public LongFunction<UUID> uuids(long seed) {
    return index -> uuid(checkIndex(index), seed);
  }

  long number(long index, long seed) {
    throw new UnsupportedOperationException(label());
  }

  String text(long index, long seed) {
    return Long.toString(number(index, seed));
  }

  byte[] byteString(long index, long seed) {
    return this == IDS || this == URLS
        ? text(index, seed).getBytes(StandardCharsets.UTF_8)
        : littleEndian(number(index, seed));
  }

  UUID uuid(long index, long seed) {
    return new UUID(0, number(index, seed));
  }

  private static long checkIndex(long index) {
    if (index < 0 || index > LAST_INDEX) {
      throw new IllegalArgumentException("index must be in [0, " + LAST_INDEX + "], got " + index);
    }
    return index;
  }

  private static byte[] littleEndian(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(Long.reverseBytes(number));
    }
    return bytes.array();
  }

  private static String bitsAs(long bits, char zero, char one) {
    char[] chars = new char[Long.SIZE];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (bits >>> i & 1) == 0 ? zero : one;
    }
    return new String(chars);
  }

  /** Returns 64 random-looking bits; distinct indexes have distinct results. */
  private static long mix(long index, long seed) {
    return mixBits(index + 0x9e3779b97f4a7c15L * (seed | 1), seed, Long.SIZE);
  }

  /**
   * Returns a permutation of the numbers of some bits: multiplication by an odd number and xor with
   * a shifted value are invertible.
   */
  private static long mixBits(long index, long seed, int bits) {
    long mask = -1L >>> (Long.SIZE - bits);
    long x = index + seed & mask;
    x = (x ^ x >>> (bits / 2 - 2)) * 0xbf58476d1ce4e5b9L & mask;
    x = (x ^ x >>> (bits / 2 - 5)) * 0x94d049bb133111ebL & mask;
    return x ^ x >>> (bits / 2 - 1);
  }
}
