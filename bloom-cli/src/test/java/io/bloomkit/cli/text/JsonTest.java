package io.bloomkit.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @Test
  void membersKeepTheirOrderAndTypes() {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("text", "classic");
    object.put("whole", 1L << 40);
    object.put("int", -3);
    object.put("fraction", 1.5e-12);
    object.put("truth", true);
    object.put("nothing", null);
    assertEquals(
        """
        [
          {"text": "classic", "whole": 1099511627776, "int": -3, "fraction": 1.5E-12, "truth": true, \
        "nothing": null},
          {}
        ]""",
        Json.array(List.of(object, Map.of())));
  }

  @Test
  void quotesBackslashesAndControlCharactersAreEscaped() {
    assertEquals(
        "[\n  {\"a\\\"b\": \"c\\\\d\\u000a\\u0000\u20ac\"}\n]",
        Json.array(List.of(Map.of("a\"b", "c\\d\n\0\u20ac"))));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void numbersThatJsonDoesNotKnowAreRefused(double number) {
    assertThrows(
        IllegalArgumentException.class, () -> Json.array(List.of(Map.of("number", number))));
  }

  @Test
  void nestedValuesAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Json.array(List.of(Map.of("list", List.of(1)))));
  }

  @Test
  void aDocumentHasListsOfTextsAndOfObjects() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("verdict", "FIT");
    members.put("none", null);
    members.put("empty", List.of());
    members.put("filters", List.of("classic", "a \"b\""));
    members.put("tests", List.of(Map.of("p", 0.5), Map.of("q", true)));
    String json = Json.document(members);
    assertEquals(
        """
        {
          "verdict": "FIT",
          "none": null,
          "empty": [],
          "filters": ["classic", "a \\"b\\""],
          "tests": [
            {"p": 0.5},
            {"q": true}
          ]
        }""",
        json);
    assertEquals(members, JsonReader.object(json));
  }
}
