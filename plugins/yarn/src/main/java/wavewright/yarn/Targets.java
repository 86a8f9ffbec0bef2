package wavewright.yarn;

import java.util.Collection;
import java.util.Map;

/** One document of targets that was taken. Immutable: threads of the scheduler read it without a lock. */
final class Targets {
  final long generation;
  final long issuedMs;
  /** The signature of its bytes, which tells whether other bytes are the same document. */
  final String signature;
  private final Map<String, Target> byTag;

  Targets(long generation, long issuedMs, String signature, Map<String, Target> byTag) {
    this.generation = generation;
    this.issuedMs = issuedMs;
    this.signature = signature;
    this.byTag = byTag;
  }

  int size() {
    return byTag.size();
  }

  /** The entry for an application with these tags, or null. Of several the one with the lowest tag. */
  Target of(Collection<String> tags) {
    Target found = null;
    for (String tag : tags) {
      Target each = byTag.get(tag);
      if (each != null && (found == null || each.tag.compareTo(found.tag) < 0)) {
        found = each;
      }
    }
    return found;
  }
}
