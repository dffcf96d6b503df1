import { ERROR_META_KEY } from '../index.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isObject } from '../shared/json.ts';

/** A result of a tool, as `call` and the clients of the SDKs give it. */
export interface ReadableResult {
  /** The blocks of the result. */
  readonly content?: unknown;
  /** The result as data, where the action publishes an output. */
  readonly structuredContent?: unknown;
  /** Whether the call has failed. */
  readonly isError?: unknown;
  /** What the result says beside its content. */
  readonly _meta?: unknown;
}

/**
 * The text of a result; of several blocks of text, all of them with a line break between.
 *
 * @throws ToolwrightError `TW_TESTING_RESULT` for a result without text
 * @example
 * const tasks = await createTestApplication(AppModule);
 * console.log(text(await tasks.call('tasks.list')));
 */
export function text(result: ReadableResult): string {
  const texts = textsIn(result);
  if (texts.length > 0) return texts.join('\n');
  const types = blocksIn(result).map(({ type }) => String(type));
  throw unreadable('text()', types.length === 0 ? 'no content' : `no text: ${types.join(', ')}`);
}

/**
 * The data of a result: its structured content, or else what its text says in JSON. Its type is what you say.
 *
 * @throws ToolwrightError `TW_TESTING_RESULT` for the result of a failed call, and for a text that is not JSON
 * @example
 * const tasks = await createTestApplication(AppModule);
 * const titles = json<string[]>(await tasks.call('tasks.list'));
 */
export function json<Data = unknown>(result: ReadableResult): Data {
  if (result.isError === true) throw unreadable('json()', `an error: ${textsIn(result).join('\n')}`);
  if (result.structuredContent !== undefined) return result.structuredContent as Data;
  const written = text(result);
  try {
    return JSON.parse(written) as Data;
  } catch (cause) {
    throw unreadable('json()', `a text that is not JSON: ${written}`, cause);
  }
}

/** What a matcher of Jest and Vitest gives. */
export interface Matched {
  /** Whether it is as expected. */
  readonly pass: boolean;
  /** What is said where the expectation fails, or where its opposite does. */
  readonly message: () => string;
}

/** The type of {@link matchers}, for the declaration by which `expect` gets them. */
export interface ToolMatchers<Returned = unknown> {
  /** The call has failed, with this code if one is given. */
  toBeToolError(code?: string): Returned;
  /** The text of the result is this one, or fits the pattern. */
  toHaveText(expected: string | RegExp): Returned;
}

/**
 * Matchers for Jest and Vitest: `expect.extend(matchers)`.
 *
 * @example
 * console.log(Object.keys(matchers)); // toBeToolError, toHaveText
 */
export const matchers = Object.freeze({
  toBeToolError(result: ReadableResult, code?: string): Matched {
    const found = result.isError === true ? codeOf(result) : undefined;
    const pass = result.isError === true && (code === undefined || code === found);
    const wanted = code === undefined ? 'an error' : `the error ${code}`;
    return matched(pass, wanted, result);
  },
  toHaveText(result: ReadableResult, expected: string | RegExp): Matched {
    const found = textsIn(result).join('\n');
    const pass = typeof expected === 'string' ? found === expected : found.search(expected) >= 0;
    const wanted = `the text ${typeof expected === 'string' ? JSON.stringify(expected) : String(expected)}`;
    return matched(pass, wanted, result);
  },
});

function matched(pass: boolean, wanted: string, result: ReadableResult): Matched {
  const kind = result.isError === true ? `the error ${codeOf(result) ?? 'without a code'}` : 'a success';
  const found = `${kind} with the text ${JSON.stringify(textsIn(result).join('\n'))}`;
  return { pass, message: () => `Expected ${pass ? 'anything but ' : ''}${wanted}, and got ${found}.` };
}

function codeOf({ _meta: meta }: ReadableResult): string | undefined {
  const facts = isObject(meta) ? meta[ERROR_META_KEY] : undefined;
  const code = isObject(facts) ? facts['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

type Block = { readonly type?: unknown; readonly text?: unknown };

function blocksIn({ content }: ReadableResult): readonly Block[] {
  return Array.isArray(content) ? content.filter((block): block is Block => isObject(block)) : [];
}

function textsIn(result: ReadableResult): readonly string[] {
  return blocksIn(result).flatMap(({ type, text: written }) =>
    type === 'text' && typeof written === 'string' ? [written] : [],
  );
}

function unreadable(where: string, found: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('TW_TESTING_RESULT', {
    where,
    what: `was given a result with ${found}.`,
    fix: 'look at the result as a whole: console.log(result)',
    cause,
  });
}
