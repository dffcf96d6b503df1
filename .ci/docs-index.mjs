#!/usr/bin/env node
/**
 * Writes the index of the documentation from `docs/pages.json`: `docs/README.md` for people and `docs/llms.txt` for
 * coding agents (llmstxt.org). Titles are those of the pages; what a command does is said by its own page. With
 * `--check` it only compares. It fails where a page is missing in the list, or is not there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { layOut } from './format.mjs';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const INDEX = 'README.md';
const SECTIONS = ['Start', 'Build', 'Secure', 'Test', 'Run', 'Commands', 'Reference', 'Optional'];
const read = (path) => readFileSync(`${DOCS}${path}`, 'utf8');

const files = readdirSync(DOCS, { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md') && path !== INDEX && !/(?:^|\/)\./.test(path));
const listed = JSON.parse(read('pages.json'));
const isCommand = (path) => /^commands\/(?!README)/.test(path);
/** The page of all decisions links to each. */
const isDecision = (path) => /^decisions\/(?!README)/.test(path);

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
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

const titleOf = (path) => /^# (.+)$/m.exec(read(path))?.[1] ?? path;
const commands = files
  .filter(isCommand)
  .toSorted()
  .map((path) => ({
    section: 'Commands',
    path,
    summary: /<!-- generated -->\s+(.+)\.\n/.exec(read(path))?.[1] ?? '',
  }));
const pages = [...listed, ...commands];

/** The sections with a line for each of their pages. */
function sections(lineOf) {
  return SECTIONS.map((section) => {
    const lines = pages.filter((page) => page.section === section).map(lineOf);
    return `## ${section}\n${lines.join('\n')}\n`;
  }).join('\n');
}

const people = `# Documentation

A line for each page, with other words for what is in it. \`npx toolwright --help\` lists the commands.

<!-- Written by \`npm run docs:index\` from pages.json. -->

${sections(({ path, summary, also }) => `- [${titleOf(path)}](${path}): ${summary}.${also === undefined ? '' : ` _Also: ${also}._`}`)}`;

const agents = `# Toolwright

> A class framework for MCP servers in TypeScript: a class is a tool, its methods are the tool's actions, and a class with class-validator decorators is an input.

Rules that code for Toolwright keeps:
- Decorators are the legacy ones. The commands, \`node --import toolwright/register\` and Vitest with \`toolwright/vite\` need no tsconfig.json; tsc needs \`experimentalDecorators\` and \`emitDecoratorMetadata\`.
- A class that is the type of a parameter is imported as a value, never with \`import type\`.
- Every field of an input has a validator of class-validator; a property without one is refused as unknown.
- A failure that a model can act on is thrown as \`ToolError\`. Other errors are masked.
- A handler that asks the user runs again from its start after each answer; \`ctx.step\` does a thing once. Over stdio, nothing prints to stdout.
- After each edit: \`npx toolwright check\`, then the tests. After a change of what clients see: \`npx toolwright lock\`.

${sections(({ path, summary }) => `- [${titleOf(path)}](${path}): ${summary}`)}`;

const written = new Map([
  [INDEX, await layOut(INDEX, people)],
  ['llms.txt', agents],
]);
for (const [path, text] of written) {
  let old = '';
  try {
    old = read(path);
  } catch {
    // It is written for the first time
  }
  if (old === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`docs/${path} is out of date: npm run docs:index`);
    process.exitCode = 1;
  } else writeFileSync(`${DOCS}${path}`, text);
}
