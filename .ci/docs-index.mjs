#!/usr/bin/env node
/**
 * Writes the index of the documentation from `docs/pages.json`: `docs/README.md` for people and `docs/llms.txt` for
 * coding agents (llmstxt.org). Titles are those of the pages; what a command does is said by its own page. With
 * `--check` it only compares. It fails where a page is missing in the list, or is not there.
 */
import { writeFileSync } from 'node:fs';
import { DOCS, INDEX, readDoc, readPages, SECTIONS } from './doc-pages.mjs';
import { layOut } from './format.mjs';

const { pages, faults } = readPages();
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

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

${sections(({ path, title, summary, also }) => `- [${title}](${path}): ${summary}.${also === undefined ? '' : ` _Also: ${also}._`}`)}`;

const agents = `# Toolwright

> A class framework for MCP servers in TypeScript: a class is a tool, its methods are the tool's actions, and a class with class-validator decorators is an input.

Rules that code for Toolwright keeps:
- Decorators are the legacy ones. The commands, \`node --import toolwright/register\` and Vitest with \`toolwright/vite\` need no tsconfig.json; tsc needs \`experimentalDecorators\` and \`emitDecoratorMetadata\`.
- A class that is the type of a parameter is imported as a value, never with \`import type\`.
- Every field of an input has a validator of class-validator; a property without one is refused as unknown.
- A failure that a model can act on is thrown as \`ToolError\`. Other errors are masked.
- A handler that asks the user runs again from its start after each answer; \`ctx.step\` does a thing once. Over stdio, nothing prints to stdout.
- After each edit: \`npx toolwright check\`, then the tests. After a change of what clients see: \`npx toolwright lock\`.

${sections(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)}`;

const written = new Map([
  [INDEX, await layOut(INDEX, people)],
  ['llms.txt', agents],
]);
for (const [path, text] of written) {
  let old = '';
  try {
    old = readDoc(path);
  } catch {
    // It is written for the first time
  }
  if (old === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`docs/${path} is out of date: npm run docs:index`);
    process.exitCode = 1;
  } else writeFileSync(`${DOCS}${path}`, text);
}
