import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PEERS, PROJECT } from '../folders.ts';
import type { MeasuredRow } from './measured.ts';

/** What the server of the benchmarks imports in each framework, and so has to install. */
const INSTALLED: Readonly<Record<string, readonly string[]>> = {
  'SDK v1': ['@modelcontextprotocol/sdk', 'zod'],
  'SDK v2': ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
  fastmcp: ['fastmcp', 'zod'],
  '@rekog/mcp-nest': [
    ...['@rekog/mcp-nest', '@nestjs/common', '@nestjs/core', '@nestjs/microservices'],
    ...['@nestjs/platform-express', 'reflect-metadata', 'rxjs', 'zod'],
  ],
  'mcp-lite': ['mcp-lite', 'hono', '@hono/node-server', 'zod'],
  tmcp: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-http', '@remix-run/node-fetch-server', 'zod'],
};
const MEBIBYTE = 1024 * 1024;

/** How much is installed for a server: packages with all that they depend on, as they lie in `node_modules`. */
export function measureSize(): readonly MeasuredRow[] {
  const own = findClosure(PROJECT, [
    ...dependenciesIn(readManifest(PROJECT)),
    'class-validator',
    'class-transformer',
  ]);
  const folders: readonly (readonly [string, ReadonlySet<string>, number])[] = [
    ['toolwright', own, packedBytes()],
    ...Object.entries(INSTALLED).map(([name, roots]) => [name, findClosure(PEERS, roots), 0] as const),
  ];
  const size = folders.map(([name, closure, more]) => {
    const bytes = [...closure].reduce((sum, folder) => sum + bytesIn(folder), more);
    return [name, Number((bytes / MEBIBYTE).toFixed(1))] as const;
  });
  const count = folders.map(([name, closure, more]) => [name, closure.size + (more > 0 ? 1 : 0)] as const);
  return [
    { name: 'Installed size', unit: 'MiB', better: 'less', values: Object.fromEntries(size) },
    { name: 'Installed packages', unit: 'packages', better: 'less', values: Object.fromEntries(count) },
  ];
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** What npm installs with a package: not its optional peers. */
function dependenciesIn(manifest: Manifest): readonly string[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** The folders of packages and of all that they need. What is not installed on this platform is left out. */
function findClosure(from: string, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = roots.map((name) => ({ name, from }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const folder = findPackage(next.name, next.from);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    for (const name of dependenciesIn(readManifest(folder))) open.push({ name, from: folder });
  }
  return found;
}

function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Without what lies in a `node_modules` of its own, which is a package again. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + bytesIn(path);
      return entry.isFile() ? sum + statSync(path).size : sum;
    }, 0);
}

/** What the packed package takes when it is unpacked. */
function packedBytes(): number {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', args, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 64 * MEBIBYTE });
  const [packed] = JSON.parse(output.slice(output.indexOf('['))) as readonly {
    readonly unpackedSize: number;
  }[];
  return packed?.unpackedSize ?? 0;
}
