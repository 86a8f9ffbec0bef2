package wavewright.yarn;

import static org.junit.Assert.assertTrue;

import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Delay scheduling in Hadoop's own scheduler decides as Wavewright's simulator does. */
public class DelayReplayTest extends DecisionsReplay {
  private long nanos;

  public DelayReplayTest() {
    super("'placement':'delay','node_wait_ms':2000,'rack_wait_ms':1000");
  }

  @Before
  public void standStill() {
    TargetPlacementAllocator.clock = () -> nanos;
  }

  @After
  public void goOn() {
    TargetPlacementAllocator.clock = System::nanoTime;
  }

  @Override
  void pass(long ms) {
    nanos += ms * 1_000_000;
  }

  @Test
  public void itDecidesAsTheSimulatorDoes() throws Exception {
    assertTrue(play("delay-decisions.txt") > 300);
  }
}
