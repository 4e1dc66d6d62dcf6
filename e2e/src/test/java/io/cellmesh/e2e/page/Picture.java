package io.cellmesh.e2e.page;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * A picture for the docs: with 64 colours at most it is small enough to be kept with the source.
 */
final class Picture {
  private static final int COLOURS = 64;

  private Picture() {}

  static void write(byte[] screenshot, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    ImageIO.write(
        reduced(ImageIO.read(new ByteArrayInputStream(screenshot))), "png", file.toFile());
  }

  private static BufferedImage reduced(BufferedImage image) {
    var frequent = frequent(image);
    var palette = new int[frequent.size()];
    for (int i = 0; i < palette.length; i++) {
      palette[i] = frequent.get(i);
    }
    var model = new IndexColorModel(8, palette.length, palette, 0, false, -1, 0);
    var reduced =
        new BufferedImage(
            image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
    Map<Integer, Integer> nearest = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int index = nearest.computeIfAbsent(image.getRGB(x, y), rgb -> nearest(rgb, palette));
        reduced.getRaster().setSample(x, y, 0, index);
      }
    }
    return reduced;
  }

  private static List<Integer> frequent(BufferedImage image) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        counts.merge(image.getRGB(x, y), 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
        .limit(COLOURS)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static int nearest(int rgb, int[] palette) {
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < palette.length; i++) {
      int distance = 0;
      for (int shift = 0; shift <= 16; shift += 8) {
        int part = (rgb >> shift & 0xff) - (palette[i] >> shift & 0xff);
        distance += part * part;
      }
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }
}
