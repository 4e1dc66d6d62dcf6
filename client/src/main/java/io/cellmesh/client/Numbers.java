package io.cellmesh.client;

/** Reads numbers of answers. */
final class Numbers {
  private Numbers() {}

  static int integer(Part.Fields fields, String name) throws WrongAnswerException {
    try {
      return Integer.parseInt(fields.required(name));
    } catch (NumberFormatException e) {
      throw new WrongAnswerException(name + ": no integer");
    }
  }
}
