import { matcherFor } from '../operations/patterns.ts';
import { isBlankName, shortenTo } from '../shared/names.ts';
import { visibleLine } from '../shared/visible-text.ts';
import type { ProxyOptions } from './options.ts';

/** Clients drop longer names of tools. */
const MAX_NAME_LENGTH = 64;
const MAX_FOREIGN_LENGTH = 1024;
const URI = /^([a-z][a-z0-9+.-]*:)(\/\/)?(.*)$/is;

const DOT_SEGMENT = /[/\\:]\.{1,2}(?:[/\\?#]|$)/;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

type NameOptions = Pick<ProxyOptions, 'include' | 'exclude' | 'hide' | 'rename' | 'describe'>;

/** The names of a server, and what they are here. */
export class ProxyNames {
  readonly namespace: string;
  readonly #options: NameOptions;
  readonly #included: readonly ((text: string) => boolean)[];
  readonly #excluded: readonly ((text: string) => boolean)[];

  constructor(namespace: string, options: NameOptions) {
    const { include = ['*'], exclude = [] } = options;
    this.namespace = namespace;
    this.#options = options;
    this.#included = include.map(matcherFor);
    this.#excluded = exclude.map(matcherFor);
  }

  /** Whether a name or URI of the server is offered. */
  isOffered(theirs: string): boolean {
    return this.#included.some((fits) => fits(theirs)) && !this.#isExcluded(theirs);
  }

  /**
   * Whether a URI that a caller has written is offered. A server may take other spellings for the same resource, so none of
   * them may be left out, or lead out of what is included.
   */
  mayRead(theirs: string): boolean {
    if (!this.isOffered(theirs)) return false;
    const others = spellings(theirs);
    if (this.#options.include !== undefined && others.some((each) => DOT_SEGMENT.test(each))) return false;
    return !others.some((each) => this.#isExcluded(each));
  }

  isHidden(tool: string): boolean {
    return this.#options.hide?.includes(tool) === true;
  }

  /** The name of a tool or prompt here. */
  name(theirs: string): string {
    const own = this.#renamed(theirs);
    if (this.namespace === '') return own;
    const whole = `${this.namespace}_${own}`;
    return whole.length > MAX_NAME_LENGTH ? shortenTo(whole, MAX_NAME_LENGTH, whole) : whole;
  }

  /** Whether a name can be one of the server's. It asks nobody. */
  mayHave(ours: unknown): ours is string {
    return typeof ours === 'string' && (this.namespace === '' || ours.startsWith(`${this.namespace}_`));
  }

  /** The description that the options have; undefined where that of the server stays. */
  description(theirs: string): string | undefined {
    const { describe = {} } = this.#options;
    return ownMember(describe, this.#renamed(theirs));
  }

  /** A URI of the server, or a template of URIs, as it is here. Any other text stays as it is. */
  uri(theirs: string): string {
    const [, scheme, slashes = '', rest] = URI.exec(theirs) ?? [];
    if (this.namespace === '' || scheme === undefined) return theirs;
    return `${scheme}${slashes}${this.namespace}/${String(rest)}`;
  }

  /** The reverse of {@link uri}; undefined for a URI without the namespace. */
  theirUri(ours: string): string | undefined {
    if (this.namespace === '') return ours;
    const [, scheme, slashes = '', rest = ''] = URI.exec(ours) ?? [];
    const start = `${this.namespace}/`;
    if (scheme === undefined || !rest.startsWith(start)) return undefined;
    return `${scheme}${slashes}${rest.slice(start.length)}`;
  }

  #isExcluded(theirs: string): boolean {
    return this.#excluded.some((fits) => fits(theirs));
  }

  #renamed(theirs: string): string {
    return ownMember(this.#options.rename ?? {}, theirs) ?? theirs;
  }
}

/** A URI with its scheme in small letters, without escapes, and with its dot segments resolved. */
function spellings(uri: string): readonly string[] {
  const lowered = uri.replace(/^[^:]*/, (scheme) => scheme.toLowerCase());
  const plain = lowered.replaceAll(ESCAPES, unescaped);
  const resolved = [lowered, plain].flatMap((each) => (URL.canParse(each) ? [new URL(each).href] : []));
  return [lowered, plain, ...resolved, ...resolved.map((each) => each.replaceAll(ESCAPES, unescaped))];
}

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** Whether a name shows what it is: it has no characters that hide or turn others, and an end. */
export function isPlainName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= MAX_FOREIGN_LENGTH &&
    !isBlankName(name) &&
    visibleLine(name) === name
  );
}

function ownMember(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
