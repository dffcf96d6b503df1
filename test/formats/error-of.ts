/** What the work throws, which has to be an error of that class. */
export function errorOf<Thrown extends Error>(
  work: () => unknown,
  type: abstract new (...args: never[]) => Thrown,
): Thrown {
  try {
    work();
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
