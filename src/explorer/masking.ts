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
  readonly #paths: readonly (readonly string[])[];
  /** The values that were found; they are left out of texts as well. */
  readonly found = new Set<string>();

  constructor(paths: readonly string[] = []) {
    this.#paths = paths.map((path) => path.replaceAll('[]', '.*').split('.'));
  }

  /** The value with `[redacted]` in these places. Texts are left alone: {@link withoutTexts} comes after all places. */
  places(value: unknown): unknown {
    return this.#masked(value, this.#paths);
  }

  #masked(value: unknown, paths: readonly (readonly string[])[]): unknown {
    if (Array.isArray(value)) {
      const below = this.#below(paths, '*');
      // A list where a path expects its items, or the object that a union has in its place
      return value.map((item) => this.#masked(item, [...below, ...paths]));
    }
    if (!isPlainObject(value) || isRawJSON?.(value) === true) return value;
    const members = Object.entries(value).map(([name, inner]) => {
      const below = [...this.#below(paths, name), ...this.#below(paths, '*')];
      const isSecret = SECRET_NAMES.has(name.toLowerCase()) || below.some(({ length }) => length === 0);
      if (!isSecret) return [name, this.#masked(inner, below)] as const;
      this.#learn(inner);
      return [name, REDACTED] as const;
    });
    return Object.fromEntries(members);
  }

  #below(paths: readonly (readonly string[])[], name: string): readonly (readonly string[])[] {
    return paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
  }

  #learn(value: unknown): void {
    if (typeof value === 'object' && value !== null)
      return Object.values(value).forEach((each) => this.#learn(each));
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text.length >= SHORTEST && text !== REDACTED) this.found.add(text);
  }
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
