import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the package, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** One example as it stands in a file. */
export interface Example {
  /** Relative to the root of the package. */
  readonly file: string;
  /** The line of the example's first line, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** README.md and every page below docs/, relative to the root. */
export function docFiles(): readonly string[] {
  const pages = existsSync(`${ROOT}docs`) ? readdirSync(`${ROOT}docs`, { recursive: true }) : [];
  return [
    'README.md',
    ...pages
      .map(String)
      .filter((page) => page.endsWith('.md'))
      .map((page) => `docs/${page}`),
  ].sort();
}

export function readText(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8');
}

/** The fenced blocks of a page that are marked with exactly this language. */
export function fencedBlocks(file: string, language: string): readonly Example[] {
  const lines = readText(file).split('\n');
  const blocks: Example[] = [];
  let start: number | undefined;
  lines.forEach((line, index) => {
    if (!line.startsWith('```')) return;
    if (start !== undefined) {
      if (lines[start] === `\`\`\`${language}`) {
        blocks.push({ file, line: start + 2, text: lines.slice(start + 1, index).join('\n') });
      }
      start = undefined;
    } else {
      start = index;
    }
  });
  return blocks;
}
