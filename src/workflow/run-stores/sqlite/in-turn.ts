type Turns = Map<string, Promise<void>>;

const TURNS = Symbol.for('toolwright:sqlite-turns');

/** The process itself: module state would be another one in every copy of the package. */
const holder: { [TURNS]?: Turns | undefined } = process as object;

/**
 * Runs work on one database file after the work before it. SQLite waits for a lock by blocking the event loop: two
 * transactions of one process would wait for each other until the time is over.
 */
export async function inTurn<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const waiting = (holder[TURNS] ??= new Map<string, Promise<void>>());
  const result = (waiting.get(file) ?? Promise.resolve()).then(work);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  waiting.set(file, settled);
  await settled;
  if (waiting.get(file) === settled) waiting.delete(file);
  return result;
}
