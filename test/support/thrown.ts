import { ToolwrightError } from '../../src/errors/toolwright-error.ts';

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

/** The same of what a promise rejects with. */
export async function rejectionOf<Thrown extends Error>(
  work: Promise<unknown>,
  type: abstract new (...args: never[]) => Thrown,
): Promise<Thrown> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof type) return thrown;
  throw new Error('it did not reject with such an error', { cause: thrown });
}

/** The code of the error that is thrown; any other error is thrown on. */
export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (ToolwrightError.is(error)) return error.code;
    throw error;
  }
  return 'nothing was thrown';
}
