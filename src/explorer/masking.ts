import { REDACTED, redactValue } from '../errors/redact.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { TOKEN_HEADER } from './contract.ts';

export { REDACTED } from '../errors/redact.ts';

/** Names of members that are secrets wherever they stand: credentials, and what seals the state of a call. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'mcp-session-id',
  TOKEN_HEADER,
  'requeststate',
  'confirmation',
]);
/** Shorter values occur in any text by chance, and are masked in their places alone. */
const SHORTEST = 4;

/** ECMAScript 2026: a number as it was typed. */
const { isRawJSON } = JSON as { readonly isRawJSON?: (value: unknown) => boolean };

/** What must not be shown of a value: at paths as `card.number` and `people[].secret`, and by the names of members. */
export class Mask {
  readonly #paths: Paths;
  readonly #names: ReadonlySet<string> | undefined;
  /** The values that were found; they are left out of texts as well. */
  readonly found = new Set<string>();

  /** @param names all names that are declared: where a place is below, a member with another one may be it, misspelt */
  constructor(paths: readonly string[] = [], names?: ReadonlySet<string>) {
    // A list stands for its items: a client may send one in the place of the other
    this.#paths = paths.map((path) => path.replaceAll('[]', '').split('.'));
    this.#names = names;
  }

  /** The value with `[redacted]` in these places. Texts are left alone: {@link withoutTexts} comes after all places. */
  places(value: unknown): unknown {
    return this.#masked(value, this.#paths);
  }

  #masked(value: unknown, paths: Paths): unknown {
    if (Array.isArray(value)) {
      const inner = [...belowOf(paths, '*'), ...paths];
      return value.map((item) => this.#maskedMember('', item, inner));
    }
    if (!isPlainObject(value) || isRawJSON?.(value) === true) return value;
    const members = Object.entries(value).map(([name, inner]) => {
      const below = [...belowOf(paths, name), ...belowOf(paths, '*')];
      const isStray = paths.length > 0 && below.length === 0 && this.#names?.has(name) === false;
      return [name, this.#maskedMember(name, inner, isStray ? [[]] : below)] as const;
    });
    return Object.fromEntries(members);
  }

  #maskedMember(name: string, value: unknown, paths: Paths): unknown {
    const isSecret = SECRET_NAMES.has(name.toLowerCase()) || paths.some(({ length }) => length === 0);
    // A text in the place of an object may be the object as JSON
    if (!isSecret && !(paths.length > 0 && isLeaf(value))) return this.#masked(value, paths);
    this.#learn(value);
    return REDACTED;
  }

  #learn(value: unknown): void {
    if (typeof value === 'object' && value !== null)
      return Object.values(value).forEach((each) => this.#learn(each));
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text.length >= SHORTEST && text !== REDACTED) this.found.add(text);
  }
}

type Paths = readonly (readonly string[])[];

function belowOf(paths: Paths, name: string): Paths {
  return paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
}

function isLeaf(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || isRawJSON?.(value) === true;
}

/** A value without these texts, in names of members as well. */
export function withoutTexts(value: unknown, texts: Iterable<string>): unknown {
  return redactValue(value, [...texts]);
}

interface Exchange {
  readonly request: PlainObject;
  readonly response: PlainObject;
}

/** What passed between the application and another client. @param outputs paths in what the tool declares as its output */
export function maskExchange(passed: Exchange, outputs: readonly string[]): Exchange {
  const mask = new Mask(
    outputs.flatMap((path) => [
      `response.result.structuredContent.${path}`,
      `response.result.structuredContent.result.${path}`,
    ]),
  );
  return withoutTexts(mask.places(passed), mask.found) as Exchange;
}
