import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { membersOf } from '../../shared/json.ts';
import { packageRoot } from '../package-version.ts';
import { DocLibrary } from './doc-library.ts';
import { readSections, type DocKind, type DocPage } from './doc-page.ts';

/** The folder of the documentation, which the package brings along. */
export function docsFolder(): string {
  return join(packageRoot(), 'docs');
}

/** Reads the documentation of this release. */
export function readLibrary(folder = docsFolder()): DocLibrary {
  const listed = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as readonly unknown[];
  const order = listed.map((each) => String(membersOf(each)['path']));
  const paths = [...walkPages(folder, '')].filter((path) => path !== INDEX);
  // As the index has them; the pages that it does not list come last
  paths.sort((left, right) => rank(order, left) - rank(order, right) || (left < right ? -1 : 1));
  return new DocLibrary(
    paths.map((path) =>
      readPage(path, readFileSync(join(folder, path), 'utf8'), listed[order.indexOf(path)]),
    ),
  );
}

/** The list of all pages, which says nothing that they do not say. */
const INDEX = 'README.md';

/** What builds the site is in a folder whose name begins with a dot. */
function* walkPages(folder: string, before: string): Iterable<string> {
  for (const entry of readdirSync(join(folder, before), { withFileTypes: true })) {
    const path = `${before}${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* walkPages(folder, `${path}/`);
    else if (path.endsWith('.md')) yield path;
  }
}

function rank(order: readonly string[], path: string): number {
  const place = order.indexOf(path);
  return place === -1 ? order.length : place;
}

function readPage(path: string, text: string, listed: unknown): DocPage {
  const { section = '', summary = '', also = '' } = membersOf(listed) as Readonly<Record<string, string>>;
  const sections = readSections(path, text);
  const isCommand = readKind(path) === 'command';
  return {
    path,
    title: sections[0]?.title ?? path,
    summary: summary === '' && isCommand ? commandSummary(text) : summary,
    part: section === '' && isCommand ? 'Commands' : section,
    also,
    kind: readKind(path),
    text,
    sections,
  };
}

/** The page of a command says first what it does. */
function commandSummary(text: string): string {
  return /<!-- generated -->\s+(.+)\.\n/.exec(text)?.[1] ?? '';
}

function readKind(path: string): DocKind {
  if (path.startsWith('commands/')) return 'command';
  if (path.startsWith('reference/')) return 'reference';
  return path === 'errors.md' ? 'error' : 'guide';
}
