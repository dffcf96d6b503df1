/** What the site has for programs: each page as it was written, and all that is most read in one file. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOCS, INDEX, readDoc, readPages } from '../../.ci/doc-pages.mjs';
import { leaveOutComments } from './markdown.mjs';

/** Too long for a model to read at once, or for contributors. */
const LEFT_OUT = /^(?:reference\/(?!decorators)|errors\.md|security-model\.md)/;

export function writePlainFiles(outDir) {
  const { pages, files } = readPages();
  for (const path of [...files, INDEX, 'llms.txt']) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    cpSync(`${DOCS}${path}`, join(outDir, path));
  }
  const read = pages.filter(({ section, path }) => section !== 'Optional' && !LEFT_OUT.test(path));
  const texts = read.map(({ path }) => `<!-- ${path} -->\n\n${squeeze(readDoc(path))}`);
  const body = texts.join('\n\n');
  const head = [
    '# Toolwright',
    '',
    `> Guides, commands and decorators in one file: ${String(read.length)} pages of ${String(body.length)} characters. Types, errors and the rest of the reference are linked in llms.txt.`,
  ];
  writeFileSync(join(outDir, 'llms-full.txt'), `${head.join('\n')}\n\n${body}\n`);
}

/** Tables without their padding, and no comments. */
function squeeze(text) {
  return leaveOutComments(text)
    .replaceAll(/^\|.*$/gm, (row) => row.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---'))
    .trim();
}
