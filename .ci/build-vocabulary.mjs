/**
 * Builds dist/tokens/o200k.js, the tokenizer with its vocabulary. The vocabulary is compressed: it is by far the largest
 * part of the package, and few need it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = `${root}dist/tokens/`;
const COMPRESSED = 'o200k.json.br';

const compressed = {
  name: 'compressed-vocabulary',
  setup: ({ onLoad }) => {
    onLoad({ filter: /bpeRanks[\\/]o200k_base\.js$/ }, async ({ path }) => {
      const { default: vocabulary } = await import(path);
      // Holes have no form in JSON
      const ranks = Array.from(vocabulary, (token) => token ?? null);
      mkdirSync(output, { recursive: true });
      writeFileSync(`${output}${COMPRESSED}`, brotliCompressSync(JSON.stringify(ranks)));
      const contents = `
        import { readFileSync } from 'node:fs';
        import { brotliDecompressSync } from 'node:zlib';
        const bytes = readFileSync(new URL('./${COMPRESSED}', import.meta.url));
        const ranks = JSON.parse(brotliDecompressSync(bytes).toString());
        ranks.forEach((token, rank) => { if (token === null) delete ranks[rank]; });
        export default ranks;`;
      return { contents, loader: 'js' };
    });
  },
};

/** @returns what esbuild says of its inputs */
export async function buildVocabulary() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${root}src/tokens/o200k.ts`],
    outdir: output,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'inline',
    logLevel: 'warning',
    metafile: true,
    plugins: [compressed],
  });
  return metafile;
}
