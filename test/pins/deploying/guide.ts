import ts from 'typescript';
import { fencedBlocks, readText } from '../docs/example.ts';
import type { Data } from './read-yaml.ts';

export const PAGE = 'docs/guides/deploying.md';

/** The only block of the page in a language that has the text. */
export function blockWith(language: string, text: string): string {
  const found = fencedBlocks(PAGE, language).filter((block) => block.text.includes(text));
  const [block] = found;
  if (block === undefined || found.length > 1)
    throw new Error(`${PAGE} has ${String(found.length)} blocks of ${language} with "${text}"`);
  return block.text;
}

/** A number of milliseconds in code. */
function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]?.replaceAll('_', ''));
}

/** The program of the page, without its module. */
export const program = (): string => blockWith('ts', 'ConfigModule.read');

/** The variables that the program reads, with the defaults that the text has. */
export function variables(): ReadonlyMap<string, string | undefined> {
  const source = ts.createSourceFile('main.ts', program(), ts.ScriptTarget.ES2022, true);
  const fields = source.statements.filter(ts.isClassDeclaration).flatMap(({ members }) => members);
  return new Map(
    fields.filter(ts.isPropertyDeclaration).map(({ name, initializer }) => [
      // As ConfigModule names them
      name
        .getText()
        .replace(/[A-Z]/g, (letter) => `_${letter}`)
        .toUpperCase(),
      initializer?.getText(),
    ]),
  );
}

/** Seconds that the program may take to end after SIGTERM. */
export function secondsToEnd(): number {
  const drainDelay = numberIn(
    readText('src/application/operations/operations.ts'),
    /^const DRAIN_DELAY = ([\d_]+);/m,
  );
  return (drainDelay + numberIn(program(), /drainTimeout: ([\d_]+)/)) / 1000 + 5;
}

/** Seconds in which load balancers have to notice that an instance leaves. */
export const secondsToNotice = (): number =>
  numberIn(readText('src/application/operations/operations.ts'), /^const DRAIN_DELAY = ([\d_]+);/m) / 1000;

/** Seconds after which the server closes an idle connection. */
export const secondsKept = (): number =>
  numberIn(
    readText('src/transports/http/listening.ts'),
    /^(?:export )?const KEEP_ALIVE_TIMEOUT = ([\d_]+);/m,
  ) / 1000;

/** What stands at a place: names, and numbers of items. */
export function at(data: Data | undefined, ...path: readonly (string | number)[]): Data | undefined {
  return path.reduce<Data | undefined>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, Data>>)[name]
        : undefined,
    data,
  );
}

/** The text at a place. */
export function textAt(data: Data | undefined, ...path: readonly (string | number)[]): string {
  const value = at(data, ...path);
  if (typeof value !== 'string') throw new Error(`There is not a text at ${path.join('.')}`);
  return value;
}

/** An image with a version of three numbers: the same one each time it is pulled. */
export const PINNED = /^[\w./-]+:\d+\.\d+\.\d+(-\w+)?$/;
