import { decodings } from './http/decodings.ts';

/** What a server answers: a method or `ALL`, and a path with `{name}`, `{name?}`, and `*` for any rest. */
export interface RouteTemplate {
  readonly method: string;
  readonly path: string;
}

/** One segment of a path, before and after its values were put in. */
export interface WrittenSegment {
  readonly template: string;
  readonly text: string;
}

/**
 * Compiles what finds out that a written path is the one of another route: `/tasks/{id}` with the id `all`, where
 * `/tasks/all` exists. It gives the name of the value that leads there; undefined for none.
 *
 * Routers differ in letter case, slashes at the end and the order that counts, so the widest reading of each is taken.
 */
export function compileRouteCheck(
  own: RouteTemplate,
  routes: readonly RouteTemplate[],
): (written: readonly WrittenSegment[]) => string | undefined {
  const segments = own.path.split('/').filter((segment) => segment !== '');
  const others = routes
    .filter(({ method, path }) => path !== own.path && isReached(own.method, method))
    .map(({ path }) => parsePath(path));
  return (written) => {
    const paths = readingsFor(written.filter(({ text }) => text !== ''));
    for (const other of others) {
      for (const path of paths) {
        const value = findValue({ other, path, at: 0, from: 0 });
        if (value !== undefined) return value;
      }
    }
    const omitted = segments.find((segment) => written.every(({ template }) => template !== segment));
    if (omitted === undefined) return undefined;
    const shapes = segments.filter((segment) => segment !== omitted).map((segment) => parse(segment).shape);
    return others.some((other) => isShaped(other, shapes)) ? valueIn(omitted) : undefined;
  };
}

/** Servers answer HEAD by routes of GET. */
function isReached(own: string, other: string): boolean {
  const plain = (method: string): string => (method === 'HEAD' ? 'GET' : method);
  return own === 'ALL' || other === 'ALL' || plain(own) === plain(other);
}

interface Segment {
  /** What stands before its first value and after its last one; one text where it has none. */
  readonly texts: readonly [string] | readonly [before: string, after: string];
  /** The same for segments that differ in the names of values only. */
  readonly shape: string;
  readonly hasText: boolean;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

function parsePath(path: string): readonly Segment[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(parse);
}

function parse(segment: string): Segment {
  const shape = plainText(segment.replace(/\{[^}]*\}/g, '{}'));
  const [before = '', ...further] = shape.split('{}');
  return {
    texts: further.length === 0 ? [before] : [before, further.at(-1) ?? ''],
    shape,
    hasText: shape.replaceAll('{}', '') !== '',
    isOptional: /^\{[^}]*\?\}$/.test(segment),
    isRest: segment.includes('*'),
  };
}

function plainText(text: string): string {
  return (decodings(text)[1] ?? text).toLowerCase();
}

interface ReadSegment {
  readonly text: string;
  readonly shape: string;
  readonly value: string | undefined;
}

/** The path in each round of decoding, with slashes in values as a part of them and as what ends a segment. */
function readingsFor(written: readonly WrittenSegment[]): readonly (readonly ReadSegment[])[] {
  const read = written.map(({ template, text }) => ({
    shape: parse(template).shape,
    value: valueIn(template),
    texts: decodings(text).map((each) => each.toLowerCase()),
  }));
  const rounds = Math.max(1, ...read.map(({ texts }) => texts.length));
  return Array.from({ length: rounds }, (_, round) =>
    read.map(({ texts, ...rest }) => ({ ...rest, text: texts[round] ?? texts.at(-1) ?? '' })),
  )
    .flatMap((path) => (path.some(({ text }) => text.includes('/')) ? [path, splitAtSlashes(path)] : [path]))
    .flatMap((path) =>
      path.some(({ text }) => text.includes(';')) ? [path, withoutParameters(path)] : [path],
    );
}

/** Servers for Java leave out what stands behind a semicolon. */
function withoutParameters(path: readonly ReadSegment[]): readonly ReadSegment[] {
  return path.map((segment) => ({ ...segment, text: segment.text.replace(/;.*$/s, '') }));
}

function splitAtSlashes(path: readonly ReadSegment[]): readonly ReadSegment[] {
  return path.flatMap((segment) =>
    segment.text
      .split('/')
      .filter((text) => text !== '')
      .map((text) => ({ ...segment, text })),
  );
}

function valueIn(template: string): string | undefined {
  return /\{([^}?]+)\??\}/.exec(template)?.[1];
}

/** A template and a path, each from one segment on. */
interface Comparison {
  readonly other: readonly Segment[];
  readonly path: readonly ReadSegment[];
  readonly at: number;
  readonly from: number;
  readonly found?: string | undefined;
}

/** The first value of the path that stands where another template has a text; undefined where it does not fit. */
function findValue(comparison: Comparison): string | undefined {
  const { other, path, at, from, found } = comparison;
  const segment = other[at];
  const own = path[from];
  if (segment === undefined) return own === undefined ? found : undefined;
  const next = { ...comparison, at: at + 1 };
  if (segment.isRest) return findAfterRest(next);
  const without = segment.isOptional ? findValue(next) : undefined;
  if (without !== undefined || own === undefined || !fits(segment, own.text)) return without;
  const isLed = segment.hasText && segment.shape !== own.shape;
  return findValue({ ...next, from: from + 1, found: found ?? (isLed ? own.value : undefined) });
}

function findAfterRest(next: Comparison): string | undefined {
  const { other, path, at, found } = next;
  if (at === other.length) return found;
  for (let { from } = next; from <= path.length; from += 1) {
    const value = findValue({ ...next, from });
    if (value !== undefined) return value;
  }
  return undefined;
}

function fits({ texts: [before, after] }: Segment, text: string): boolean {
  return after === undefined ? text === before : text.startsWith(before) && text.endsWith(after);
}

function isShaped(other: readonly Segment[], shapes: readonly string[]): boolean {
  const required = other.filter(({ isOptional }) => !isOptional);
  return required.length === shapes.length && required.every(({ shape }, index) => shape === shapes[index]);
}
