import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { CommandFolder } from '../../support/command-line.ts';
import { documentFaults } from '../../support/published-schemas.ts';
import { ROOT } from '../../pins/docs/example.ts';

const SERVER = `
import { greeting } from 'greeter';
import { Action, McpApplication, Module, ReadOnly, ToolGroup } from '${join(ROOT, 'dist/index.js')}';

@ToolGroup({ name: 'greetings', description: 'Greets people' })
class Greetings {
  @Action('Greet somebody') @ReadOnly() hello(): string {
    return greeting;
  }
}
@Module({ controllers: [Greetings] })
class GreetingsModule {}

export default () => McpApplication.create(GreetingsModule, { name: 'greetings', version: '1.0.0' });
`;
const MAIN = "import createApplication from './server.ts';\nawait (await createApplication()).stdio();\n";
const MANIFEST = {
  ...{ name: 'greetings-mcp', version: '1.0.0', type: 'module', description: 'Greets people' },
  ...{ mcpName: 'com.example/greetings', bin: 'dist/main.js', files: ['dist'] },
  ...{ dependencies: { greeter: '1.0.0' }, toolwright: { entry: 'server.ts' } },
};

let folder: CommandFolder;
beforeAll(() => {
  folder = new CommandFolder({
    'package.json': JSON.stringify(MANIFEST),
    'server.ts': SERVER,
    'main.ts': MAIN,
    'node_modules/greeter/package.json': JSON.stringify({
      name: 'greeter',
      type: 'module',
      exports: './index.js',
    }),
    'node_modules/greeter/index.js': "export const greeting = 'Hello from a package';\n",
  });
});
afterAll(() => {
  folder.remove();
});

const pathOf = (name: string): string => join(folder.path, name);

/** What is compiled, with Toolwright in it, so that the bundle stays small; the package is one of its own. */
function compile(): void {
  buildSync({
    entryPoints: [pathOf('main.ts')],
    outfile: pathOf('dist/main.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'bundle',
    external: ['greeter', 'oxc-transform'],
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
}

describe('toolwright pack', () => {
  test('--check writes nothing, and ends with 1 where the registry would refuse it', async () => {
    expect(await folder.run(['pack', '--check'])).toEqual({
      exitCode: 0,
      stdout: 'server.json: no problems, no advice, no notes.\n',
      stderr: '',
    });
    folder.write(
      'package.json',
      JSON.stringify({ ...MANIFEST, version: '1.0.1', description: 'd'.repeat(140) }),
    );
    const { exitCode, stderr } = await folder.run(['pack']);
    folder.write('package.json', JSON.stringify(MANIFEST));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/TW_FOR_REGISTRY: server\.json, description has 140 characters/);
    expect(stderr).toMatch(/package\.json, version is "1\.0\.1", and the application says "1\.0\.0"/);
    expect(existsSync(pathOf('server.json'))).toBe(false);
  });

  test('refuses a bundle of what is not built, and a URL that the registry would not take', async () => {
    const unbuilt = await folder.run(['pack', '--mcpb']);
    expect([unbuilt.exitCode, unbuilt.stderr]).toEqual([
      2,
      expect.stringMatching(/TW_CLI_PACK: dist\/main\.js does not exist[^]*fix: npm run build/),
    ]);
    const misplaced = await folder.run(['pack', '--mcpb', '--bundle-url', 'https://example.com/notes.zip']);
    expect([misplaced.exitCode, misplaced.stderr]).toEqual([2, expect.stringContaining('with "mcp" in it')]);
  });

  test('writes a bundle that a client runs where nothing else is, and names it with its hash', async () => {
    compile();
    // Of an earlier release, where this one is written as well
    folder.write('dist/greetings-mcp-0.9.0.mcpb', 'old');
    folder.write('dist/server.json', '{}');
    const url = 'https://github.com/ann/greetings-mcp/releases/download/v1.0.0/greetings.mcpb';
    const { exitCode, stdout, stderr } = await folder.run([
      'pack',
      '--mcpb',
      '--bundle-url',
      url,
      '-o',
      'dist',
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const content = readFileSync(pathOf('dist/greetings-mcp-1.0.0.mcpb'));
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(stdout).toMatch(
      new RegExp(
        `^Wrote dist/greetings-mcp-1\\.0\\.0\\.mcpb: 4 files, [\\d.]+ MiB; [\\d.]+ MiB packed, sha256 ${sha256}\\.\n`,
      ),
    );
    const listing: unknown = JSON.parse(readFileSync(pathOf('dist/server.json'), 'utf8'));
    expect(documentFaults('server.json', listing)).toEqual([]);
    expect(listing).toMatchObject({
      packages: [
        { registryType: 'npm', identifier: 'greetings-mcp' },
        { registryType: 'mcpb', identifier: url, fileSha256: sha256 },
      ],
    });
    const files = unzipSync(content);
    expect(Object.keys(files)).toEqual([
      'manifest.json',
      'dist/main.js',
      'node_modules/greeter/index.js',
      'node_modules/greeter/package.json',
      'package.json',
    ]);
    const manifest = JSON.parse(strFromU8(files['manifest.json'] as Uint8Array)) as BundleManifest;
    expect(documentFaults('bundle', manifest)).toEqual([]);
    expect(await callFrom(files, manifest)).toEqual([{ type: 'text', text: 'Hello from a package' }]);
  }, 60_000);
});

interface BundleManifest {
  readonly server: { readonly mcp_config: { readonly command: string; readonly args: readonly string[] } };
}

/** Starts the bundle as a host does, from a folder that has no package above it. */
async function callFrom(
  files: Readonly<Record<string, Uint8Array>>,
  { server }: BundleManifest,
): Promise<unknown> {
  const home = mkdtempSync(join(tmpdir(), 'unpacked-'));
  try {
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), bytes);
    }
    expect(server.mcp_config.command).toBe('node');
    const args = server.mcp_config.args.map((arg) => arg.replace('${__dirname}', home));
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: home }));
    const { content } = await client.callTool({ name: 'greetings', arguments: { action: 'hello' } });
    await client.close();
    return content;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
