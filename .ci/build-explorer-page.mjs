/**
 * Builds dist/explorer/page.html, the page of the explorer: one file without requests to anywhere. Called alone, it
 * builds nothing else.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = `${root}src/explorer/page/`;
const output = `${root}dist/explorer/`;

/** In bytes. */
const MOST = { raw: 700_000, compressed: 220_000 };

/** @returns what esbuild says of its inputs */
export async function buildExplorerPage() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: `${source}main.tsx`, style: `${source}style/page.css` },
    outdir: output,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    tsconfig: `${source}tsconfig.json`,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const textOf = (extension) => outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
  const [style, script] = [textOf('.css'), textOf('.js').replaceAll('</script', '<\\/script')];
  const html = readFileSync(`${source}page.html`, 'utf8')
    .replace('content=""', () => `content="${policyOf(style, script)}"`)
    .replace('<style></style>', () => `<style>${style}</style>`)
    // A text in the script that looks like its end would end it
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
  const sizes = { raw: Buffer.byteLength(html), compressed: gzipSync(html).length };
  for (const [kind, size] of Object.entries(sizes)) {
    if (size > MOST[kind])
      throw new Error(`The page of the explorer has ${size} bytes ${kind}, of at most ${MOST[kind]}`);
  }
  mkdirSync(output, { recursive: true });
  // As a whole: tests build it while other tests serve it
  const written = `${output}page.${process.pid}.html`;
  writeFileSync(written, html);
  renameSync(written, `${output}page.html`);
  return metafile;
}

/** Opened from a file the page has no headers, so its policy stands in it as well. */
function policyOf(style, script) {
  const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExplorerPage();
