import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Runtime } from './runtime.ts';
import type { Way } from './servers.ts';
import { BUN_VERSION, DENO_VERSION, NODE_VERSIONS, WORKERD_VERSION } from './versions.ts';

/** The pages that show the table, each between these two comments. */
const PAGES = ['README.md', 'docs/guides/running-typescript.md'];
const [START, END] = ['<!-- runtimes: npm run runtimes -- --write -->', '<!-- /runtimes -->'];

/** What was seen to work. */
export interface Seen {
  readonly ways: readonly Way[];
  readonly workers: readonly ('workerd' | 'sandbox')[];
}

/** The table of runtimes, with the versions that ran. */
export function runtimeTable({ ways, workers }: Seen): string {
  const worked = (name: Runtime['name'], versions: readonly string[], form: Way['form']): string => {
    const all = (transport: Way['transport']): boolean =>
      versions.every((version) =>
        ways.some(
          ({ runtime, ...way }) =>
            runtime.name === name &&
            runtime.version === version &&
            way.form === form &&
            way.transport === transport,
        ),
      );
    const [http, stdio] = [all('HTTP'), all('stdio')];
    if (http && stdio) return 'HTTP, stdio';
    return http ? 'HTTP' : stdio ? 'stdio' : 'no';
  };
  const rows = [
    ['Runtime', 'Compiled', 'From TypeScript'],
    ['---', '---', '---'],
    [`Node ${NODE_VERSIONS.join(', ')}`, worked('Node', NODE_VERSIONS, 'compiled'), 'with a loader'],
    [`Bun ${BUN_VERSION}`, worked('Bun', [BUN_VERSION], 'compiled'), worked('Bun', [BUN_VERSION], 'source')],
    [
      `Deno ${DENO_VERSION}`,
      worked('Deno', [DENO_VERSION], 'compiled'),
      worked('Deno', [DENO_VERSION], 'source'),
    ],
    [
      `Workers: workerd ${WORKERD_VERSION}`,
      workers.includes('workerd') && workers.includes('sandbox') ? '`app.fetch`, bundled' : 'no',
      'compile first',
    ],
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The page with another table; undefined where it has none. */
export function withTable(page: string, table: string): string | undefined {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  return after === undefined ? undefined : `${before ?? ''}${START}\n\n${table}\n\n${END}${after}`;
}

/** Two tables are the same whatever the width of their columns. */
export function sameText(left: string, right: string): boolean {
  const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-+/g, '-');
  return plain(left) === plain(right);
}

/** Writes the table into the pages, or gives those whose table says something else. */
export async function updatePages(table: string, writes: boolean): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const page of PAGES) {
    const file = fileURLToPath(new URL(`../../${page}`, import.meta.url));
    const text = await readFile(file, 'utf8');
    const wanted = withTable(text, table);
    if (wanted === undefined) throw new Error(`${page} has no table between ${START} and ${END}`);
    if (sameText(text, wanted)) continue;
    if (writes) await writeFile(file, wanted);
    else stale.push(page);
  }
  return stale;
}
