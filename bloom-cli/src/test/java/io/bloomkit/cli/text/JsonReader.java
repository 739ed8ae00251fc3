package io.bloomkit.cli.text;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.reflect.TypeToken;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON by the grammar of RFC 8259, strictly: objects as maps, arrays as lists, numbers as
 * doubles.
 */
public final class JsonReader {

  static final Gson GSON = new GsonBuilder().setStrictness(Strictness.STRICT).create();

  private JsonReader() {}

  /** Returns the object that a text is. */
  public static Map<String, @Nullable Object> object(String json) {
    return GSON.fromJson(json, new TypeToken<Map<String, @Nullable Object>>() {});
  }
}
