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
  return ['README.md', ...(existsSync(`${ROOT}docs`) ? pagesIn('docs') : [])].sort();
}

/** What builds the site is in a folder whose name begins with a dot, with the pages of its packages. */
function pagesIn(folder: string): readonly string[] {
  return readdirSync(`${ROOT}${folder}`, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pagesIn(path);
      return path.endsWith('.md') ? [path] : [];
    });
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
