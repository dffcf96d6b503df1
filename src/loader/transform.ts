import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OxcError, TransformOptions } from 'oxc-transform';
import { ToolwrightError } from '../errors/toolwright-error.ts';

/** JavaScript, and its way back to the source. */
export interface Transformed {
  readonly code: string;
  readonly map: { sources: string[]; sourcesContent?: (string | null | undefined)[] } & Readonly<
    Record<string, unknown>
  >;
  /** Whether anything in the file is decorated. */
  readonly isDecorated: boolean;
}

/** Makes JavaScript of one TypeScript file. */
export type Transform = (file: string, source: string) => Transformed;

const OPTIONS = Object.freeze({
  lang: 'ts',
  sourceType: 'module',
  target: 'es2022',
  sourcemap: true,
  decorator: { legacy: true, emitDecoratorMetadata: true },
  // Calls of a global object, which `helpersImport` declares
  helpers: { mode: 'External' },
}) as TransformOptions;

/** The exact version that the package is tested with. */
const VERSION = '0.158.0';

/** Loads the compiler. Where it is missing, the first file that needs it fails with TW_LOADER_MISSING. */
export async function loadTransform(): Promise<Transform> {
  const compiler = await import('oxc-transform').catch((cause: unknown) => compilerMissing(cause));
  return (file, source) => {
    if (ToolwrightError.is(compiler)) throw compiler;
    const { transformSync } = compiler;
    const { code, map, helpersUsed, errors } = transformSync(file, source, OPTIONS);
    const faults = errors.filter(({ severity }) => (severity as string) === 'Error');
    if (faults.length > 0 || map === undefined) throw doesNotCompile(file, source, faults);
    return {
      code,
      map: { ...map, sources: [pathToFileURL(file).href] },
      isDecorated: Object.keys(helpersUsed).length > 0,
    };
  };
}

/**
 * Imports are hoisted, so that the import may follow the code: lines and columns of the source map stay right.
 * @param helpers where the functions are that decorated code calls
 */
export function withHelpers({ code, isDecorated }: Transformed, helpers: string): string {
  return isDecorated ? `${code}\nimport * as babelHelpers from ${JSON.stringify(helpers)};\n` : code;
}

/** The path as a person in this directory would write it. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

function doesNotCompile(file: string, source: string, errors: readonly OxcError[]): ToolwrightError {
  const [first] = errors;
  const where = `${shownPath(file)}${placeIn(source, first?.labels[0]?.start)}`;
  const what = `does not compile: ${first?.message ?? 'the compiler gives no reason'}`;
  const help = errors.flatMap(({ helpMessage }) => helpMessage ?? []);
  const fix = help[0] ?? 'correct the line; only syntax is checked here, types are the task of tsc';
  const frames = errors.map(({ codeframe, message }) => codeframe ?? `  ${message}\n`).join('');
  const shown = frames.replaceAll(file, shownPath(file));
  return withoutFrames(
    new ToolwrightError('TW_LOADER_SYNTAX', {
      where,
      what,
      why: shown.trim(),
      fix,
      message: `TW_LOADER_SYNTAX: ${where} ${what}\n${shown}  fix: ${fix}`,
    }),
  );
}

/** The mistake is in a file of the user: the way through the loader says nothing. */
export function withoutFrames(error: ToolwrightError): ToolwrightError {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function placeIn(source: string, offset: number | undefined): string {
  if (offset === undefined) return '';
  const before = source.slice(0, offset).split('\n');
  return `:${String(before.length)}:${String((before.at(-1)?.length ?? 0) + 1)}`;
}

function compilerMissing(cause: unknown): ToolwrightError {
  return withoutFrames(
    new ToolwrightError('TW_LOADER_MISSING', {
      where: 'the TypeScript loader',
      what: 'needs oxc-transform, which cannot be loaded.',
      why: 'it is an optional dependency: it is left out with --omit=optional, and where npm has no binary of it for this machine.',
      fix: `npm install oxc-transform@${VERSION}, or compile with tsc and run the JavaScript`,
      cause,
    }),
  );
}
