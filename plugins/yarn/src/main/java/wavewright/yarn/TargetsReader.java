package wavewright.yarn;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads a document of targets: a line with the lower-case hexadecimal HMAC-SHA256 of all that follows the line, then
 * JSON. Nothing of the JSON is looked at before the signature is found right. Fields that are not known are passed over,
 * so that a newer daemon can say more.
 */
final class TargetsReader {
  static final String SCHEMA = "wavewright/targets/1";
  static final int MOST_BYTES = 8 << 20;
  private static final int SIGNATURE_LENGTH = 64;

  private static final ObjectMapper JSON = new ObjectMapper()
      .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private TargetsReader() {}

  /** The text of the first line, or null where it cannot be a signature. */
  static String signature(byte[] bytes) {
    if (bytes.length <= SIGNATURE_LENGTH || bytes[SIGNATURE_LENGTH] != '\n') {
      return null;
    }
    return new String(bytes, 0, SIGNATURE_LENGTH, StandardCharsets.ISO_8859_1);
  }

  static Targets read(byte[] bytes, byte[] key) throws Refused {
    if (bytes.length >= MOST_BYTES) {
      throw new Refused(Refused.Reason.TOO_LARGE, "it has 8 MiB or more");
    }
    String told = signature(bytes);
    byte[] body = told == null ? bytes : Arrays.copyOfRange(bytes, SIGNATURE_LENGTH + 1, bytes.length);
    byte[] right = sign(body, key).getBytes(StandardCharsets.ISO_8859_1);
    // The comparison takes the same time wherever the two differ.
    if (told == null || !MessageDigest.isEqual(right, told.getBytes(StandardCharsets.ISO_8859_1))) {
      throw new Refused(Refused.Reason.SIGNATURE, "its signature is not right");
    }
    try {
      return parse(JSON.readTree(body), told);
    } catch (Refused e) {
      throw e;
    } catch (Exception | StackOverflowError e) {
      throw garbled("it is not JSON: " + firstLine(e));
    }
  }

  static String sign(byte[] body, byte[] key) throws Refused {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      StringBuilder hex = new StringBuilder();
      for (byte each : mac.doFinal(body)) {
        hex.append(Character.forDigit((each >> 4) & 15, 16)).append(Character.forDigit(each & 15, 16));
      }
      return hex.toString();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new Refused(Refused.Reason.KEY, "the key cannot sign: " + e.getMessage());
    }
  }

  private static Targets parse(JsonNode document, String signature) throws Refused {
    if (document == null || !document.isObject()) {
      throw garbled("it is not an object");
    }
    JsonNode schema = document.get("schema");
    if (schema == null || !SCHEMA.equals(schema.textValue())) {
      throw garbled("its schema is not " + SCHEMA);
    }
    JsonNode applications = document.get("applications");
    if (applications == null || !applications.isArray()) {
      throw garbled("it has no list 'applications'");
    }
    Map<String, Target> byTag = new HashMap<>();
    for (JsonNode each : applications) {
      Target target = target(each);
      if (byTag.put(target.tag, target) != null) {
        throw garbled("it names the tag '" + target.tag + "' twice");
      }
    }
    long generation = number(document, "generation", -1, Long.MAX_VALUE);
    long issued = number(document, "issued_ms", -1, Long.MAX_VALUE);
    if (generation < 0 || issued < 0) {
      throw garbled("it lacks 'generation' or 'issued_ms'");
    }
    return new Targets(generation, issued, signature, byTag);
  }

  private static Target target(JsonNode entry) throws Refused {
    JsonNode tag = entry.get("tag");
    if (tag == null || !tag.isTextual() || tag.textValue().isEmpty()) {
      throw garbled("an application has no 'tag'");
    }
    JsonNode placement = entry.get("placement");
    if (placement != null && !placement.isNull() && !placement.isTextual()) {
      throw garbled("a 'placement' is not a text");
    }
    return new Target(tag.textValue(),
        number(entry, "map_rank", Target.UNRANKED, Target.UNRANKED),
        number(entry, "reduce_rank", Target.UNRANKED, Target.UNRANKED),
        (int) number(entry, "map_target", Target.UNLIMITED, Target.UNLIMITED),
        (int) number(entry, "reduce_target", Target.UNLIMITED, Target.UNLIMITED),
        placement == null ? null : placement.textValue(),
        number(entry, "node_wait_ms", 0, Integer.MAX_VALUE),
        number(entry, "rack_wait_ms", 0, Integer.MAX_VALUE));
  }

  /** A whole number of 0 to `most`; `absent` where there is none or null. */
  private static long number(JsonNode object, String name, long absent, long most) throws Refused {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return absent;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0 || value.longValue() > most) {
      throw garbled("'" + name + "' is not a whole number of 0 to " + most);
    }
    return value.longValue();
  }

  private static Refused garbled(String why) {
    return new Refused(Refused.Reason.GARBLED, why);
  }

  private static String firstLine(Throwable e) {
    String text = String.valueOf(e.getMessage());
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
