import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { isObject } from '../shared/json.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { shownPath } from './transform.ts';

/** The `paths` of a tsconfig.json, with what they are relative to. */
interface PathTable {
  readonly base: string;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

/** The only option of tsconfig.json that matters here: other names of files. */
export class TsconfigPaths {
  /** By directory; undefined where there is none in it or above. */
  readonly #tables = new Map<string, PathTable | undefined>();

  /** The files that a specifier may stand for, without endings, best first. */
  candidates(specifier: string, directory: string): readonly string[] {
    const table = this.#tableOf(directory);
    if (table === undefined) return [];
    // As tsc: an exact name wins, then the longest text before the star.
    const [match] = Object.keys(table.paths)
      .flatMap((pattern) => matchOf(pattern, specifier) ?? [])
      .sort((left, right) => right.length - left.length);
    if (match === undefined) return [];
    return (table.paths[match.pattern] ?? []).map((target) =>
      join(table.base, target.replace('*', match.rest)),
    );
  }

  #tableOf(directory: string): PathTable | undefined {
    if (this.#tables.has(directory)) return this.#tables.get(directory);
    const file = join(directory, 'tsconfig.json');
    const parent = dirname(directory);
    const table = existsSync(file)
      ? readTable(file)
      : parent === directory
        ? undefined
        : this.#tableOf(parent);
    this.#tables.set(directory, table);
    return table;
  }
}

function matchOf(
  pattern: string,
  specifier: string,
): { readonly pattern: string; readonly rest: string; readonly length: number } | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === specifier ? { pattern, rest: '', length: Infinity } : undefined;
  const fits = specifier.length >= before.length + after.length;
  if (!fits || !specifier.startsWith(before) || !specifier.endsWith(after)) return undefined;
  const rest = specifier.slice(before.length, specifier.length - after.length);
  return { pattern, rest, length: before.length };
}

function readTable(file: string): PathTable | undefined {
  for (const { file: own, options } of configsOf(file)) {
    const { paths, baseUrl } = options;
    if (!isObject(paths)) continue;
    const base = typeof baseUrl === 'string' ? resolve(dirname(own), baseUrl) : dirname(own);
    return { base, paths: paths as PathTable['paths'] };
  }
  return undefined;
}

/**
 * The value of a compiler option, of a file or of what it extends; undefined where none of them has it.
 * @throws ToolwrightError TW_LOADER_TSCONFIG for a file that cannot be read
 */
export function compilerOption(file: string, name: string): unknown {
  for (const { options } of configsOf(file)) if (Object.hasOwn(options, name)) return options[name];
  return undefined;
}

/** A tsconfig.json and all that it extends, the one that counts more first. */
function* configsOf(
  file: string,
  known: readonly string[] = [],
): Generator<{ readonly file: string; readonly options: Readonly<Record<string, unknown>> }> {
  const config = readConfig(file);
  yield { file, options: isObject(config['compilerOptions']) ? config['compilerOptions'] : {} };
  const bases = [config['extends'] ?? []].flat().filter((base) => typeof base === 'string');
  for (const base of bases.reverse()) {
    const found = resolveBase(base, file);
    if (found !== undefined && !known.includes(found)) yield* configsOf(found, [...known, file]);
  }
}

/** The file that `extends` names: a path, with or without its ending, or a file of a package. */
function resolveBase(base: string, file: string): string | undefined {
  if (/^(\.{0,2}[\\/]|[a-z]:)/i.test(base)) {
    const path = resolve(dirname(file), base);
    return [path, `${path}.json`, join(path, 'tsconfig.json')].find(
      (each) => /\.json$/.test(each) && existsSync(each),
    );
  }
  const { resolve: find } = createRequire(file);
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      return find(name);
    } catch {
      // the next form of the name
    }
  }
  return undefined;
}

function readConfig(file: string): Readonly<Record<string, unknown>> {
  try {
    const config: unknown = JSON.parse(withoutComments(readFileSync(file, 'utf8')));
    return isObject(config) ? config : {};
  } catch (cause) {
    throw new ToolwrightError('TW_LOADER_TSCONFIG', {
      where: shownPath(file),
      what: 'cannot be read.',
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'correct it; it is read for its `paths`, when an import names nothing that Node finds',
      cause,
    });
  }
}

/** Comments, and commas before a closing bracket, which tsconfig.json may have. */
function withoutComments(text: string): string {
  const PARTS =
    /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*(?:(?:\/\/[^\n]*\n|\/\*[^]*?\*\/)\s*)*[}\]])/g;
  return text.replace(/^\uFEFF/, '').replace(PARTS, (part) => (part.startsWith('"') ? part : ''));
}
