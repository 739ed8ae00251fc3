package io.bloomkit.cli.text;

import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads flat objects and arrays of them, with values as they are written. */
public final class FlatJson {

  private FlatJson() {}

  /** Returns the members of an object. */
  public static Map<String, String> object(String json) {
    return members(JsonReader.GSON.fromJson(json, JsonObject.class));
  }

  /** Returns the objects of an array. */
  public static List<Map<String, String>> parse(String json) {
    return Stream.of(JsonReader.GSON.fromJson(json, JsonObject[].class))
        .map(FlatJson::members)
        .toList();
  }

  private static Map<String, String> members(JsonObject object) {
    Map<String, String> members = new LinkedHashMap<>();
    object.asMap().forEach((name, value) -> members.put(name, value.toString()));
    return members;
  }
}
