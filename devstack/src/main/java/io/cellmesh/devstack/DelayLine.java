package io.cellmesh.devstack;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Hands on what is written to it after a time, in its order, however much is under way: a long
 * cable, where {@link NetworkPath#slow} is a narrow one. Closing it waits until all has arrived.
 *
 * <p>A failure at the far end is thrown by the next write.
 */
final class DelayLine extends OutputStream {
  /** What is under way at most, as the window of a system that tunes itself (Linux: 4 to 6 MiB). */
  private static final int WINDOW = 4 << 20;

  private static final Piece END = new Piece(new byte[0], 0);

  private final OutputStream to;
  private final Supplier<Duration> delay;
  private final BlockingQueue<Piece> underWay = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(WINDOW);
  private final Thread thread = new Thread(this::arrive, "delay-line");
  private volatile IOException failure;

  /**
   * Starts it.
   *
   * @param delay asked for each piece when that sets out; one that grew shorter lets no piece
   *     overtake another
   */
  DelayLine(OutputStream to, Supplier<Duration> delay) {
    this.to = to;
    this.delay = delay;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * @param due in {@link System#nanoTime}
   */
  private record Piece(byte[] bytes, long due) {}

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Waits only while the window is full. */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int taken = Math.min(length, WINDOW);
    room.acquireUninterruptibly(taken);
    if (failure != null) {
      throw failure;
    }
    long due = System.nanoTime() + delay.get().toNanos();
    underWay.add(new Piece(Arrays.copyOfRange(bytes, offset, offset + taken), due));
    if (taken < length) {
      write(bytes, offset + taken, length - taken);
    }
  }

  @Override
  public void close() throws IOException {
    underWay.add(END);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    to.close();
  }

  private void arrive() {
    try {
      for (var piece = underWay.take(); piece != END; piece = underWay.take()) {
        for (long left = piece.due - System.nanoTime();
            left > 0;
            left = piece.due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        hand(piece);
        room.release(piece.bytes.length);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** After a failure what is under way is lost, as it would be. */
  private void hand(Piece piece) {
    try {
      if (failure == null) {
        to.write(piece.bytes);
      }
    } catch (IOException e) {
      failure = e;
    }
  }
}
