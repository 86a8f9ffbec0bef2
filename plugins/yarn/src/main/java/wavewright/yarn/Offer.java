package wavewright.yarn;

/**
 * A step of the assignment iterator: an application, and the kind of containers that its turn is for. YARN's iterator can
 * only tell the application. The placement allocator, which YARN asks next in the same thread, reads the kind here.
 */
final class Offer<S> {
  private static final ThreadLocal<Offer<?>> CURRENT = new ThreadLocal<>();

  final S entity;
  /** Null where no document names it. */
  final Application application;
  /** Null for all kinds. */
  final Kind kind;
  final long rank;

  Offer(S entity, Application application, Kind kind, long rank) {
    this.entity = entity;
    this.application = application;
    this.kind = kind;
    this.rank = rank;
  }

  static void begin(Offer<?> offer) {
    CURRENT.set(offer);
  }

  static void end() {
    CURRENT.remove();
  }

  /** Whether this thread's offer, if it is one to the application, is for the kind, too. */
  static boolean allows(Application application, Kind kind) {
    Offer<?> offer = CURRENT.get();
    return offer == null || offer.application != application || offer.kind == null || offer.kind == kind;
  }
}
