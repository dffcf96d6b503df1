/** The pages of the documentation in the order of the index, for the index itself, for agents and for the site. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
/** The index, which is written from the list. */
export const INDEX = 'README.md';
export const SECTIONS = ['Start', 'Build', 'Secure', 'Test', 'Run', 'Commands', 'Reference', 'Optional'];

export const readDoc = (path) => readFileSync(`${DOCS}${path}`, 'utf8');

const isCommand = (path) => /^commands\/(?!README)/.test(path);
/** The page of all decisions links to each. */
const isDecision = (path) => /^decisions\/(?!README)/.test(path);

/** What builds the site is in a folder whose name begins with a dot, with the pages of its packages. */
function findPages(folder = '') {
  return readdirSync(`${DOCS}${folder}`, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) return findPages(`${path}/`);
      return path.endsWith('.md') && path !== INDEX ? [path] : [];
    });
}

/**
 * All pages that the index lists, with their titles. What a command does is said by its own page.
 * @returns the pages, and what is wrong with the list
 */
export function readPages() {
  const files = findPages();
  const listed = JSON.parse(readDoc('pages.json'));
  const faults = [
    ...listed
      .filter(({ path }) => !files.includes(path))
      .map(({ path }) => `docs/pages.json lists ${path}, which is not there`),
    ...listed
      .filter(({ section }) => !SECTIONS.includes(section))
      .map(({ path }) => `${path} is in no known section`),
    ...files
      .filter((path) => !isCommand(path) && !isDecision(path) && !listed.some((page) => page.path === path))
      .map((path) => `docs/pages.json does not list ${path}`),
  ];
  const commands = files
    .filter(isCommand)
    .toSorted()
    .map((path) => ({
      section: 'Commands',
      path,
      summary: /<!-- generated -->\s+(.+)\.\n/.exec(readDoc(path))?.[1] ?? '',
    }));
  const pages = [...listed, ...commands].filter(({ path }) => files.includes(path));
  const titled = pages.map((page) => ({
    ...page,
    title: /^# (.+)$/m.exec(readDoc(page.path))?.[1] ?? page.path,
  }));
  return { pages: titled, faults, files };
}
