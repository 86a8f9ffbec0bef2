package wavewright.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of the plug-in: what repeats itself is told once. */
final class Log {
  private static final Logger LOG = LoggerFactory.getLogger("wavewright.yarn");
  private static final long AGAIN_AFTER_NANOS = 60_000_000_000L;
  private final Map<String, Long> told = new ConcurrentHashMap<>();
  private final Map<String, Long> toldAt = new ConcurrentHashMap<>();

  static void info(String text) {
    LOG.info(text);
  }

  static void error(String text) {
    LOG.error(text);
  }

  /** Tells it if nothing with this reason was told since `forget`, and not within a minute after such. */
  void once(String reason, String text, Throwable cause) {
    if (told.merge(reason, 1L, Long::sum) > 1) {
      return;
    }
    long now = System.nanoTime();
    Long last = toldAt.get(reason);
    if (last == null || now - last > AGAIN_AFTER_NANOS) {
      toldAt.put(reason, now);
      LOG.warn(text, cause);
    }
  }

  /** How often the reason came since `forget`. */
  long count(String reason) {
    return told.getOrDefault(reason, 0L);
  }

  void forget() {
    told.clear();
  }
}
