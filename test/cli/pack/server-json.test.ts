import { describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  ConfigModule,
  Field,
  McpApplication,
  Module,
  Sensitive,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { createBundleManifest } from '../../../src/cli/pack/bundle.ts';
import type { PackedProject } from '../../../src/cli/pack/project.ts';
import { createServerJson, findListingFaults } from '../../../src/cli/pack/server-json.ts';
import { documentFaults } from '../../support/published-schemas.ts';

class Settings {
  @IsString() @Sensitive() @Field({ description: 'The key of your account' }) apiKey!: string;
  @IsOptional() @IsInt() maxNotes?: number;
}

@ToolGroup({ name: 'notes', description: 'Notes\nthat stay' })
class Notes {
  @Action('Add a note') add(): string {
    return 'added';
  }
}

const env = { API_KEY: 'a key that is long' };

@Module({ imports: [ConfigModule.forRoot({ schema: Settings, env })], controllers: [Notes] })
class NotesModule {}

@Module({ controllers: [Notes] })
class PlainModule {}

const PACKAGE = {
  name: '@ann/notes-mcp',
  version: '1.0.0',
  description: 'Keeps notes',
  mcpName: 'io.github.ann/notes',
  author: 'Ann <ann@example.com> (https://example.com)',
  license: 'MIT',
  homepage: 'https://example.com/notes',
  repository: { type: 'git', url: 'git+https://github.com/ann/notes.git', directory: 'server' },
  bin: { 'notes-mcp': './dist/main.js' },
  engines: { node: '>=20' },
};
const BUNDLE = {
  url: 'https://github.com/ann/notes-mcp/releases/download/v1/notes.mcpb',
  sha256: 'a'.repeat(64),
};

async function withProject<Result>(
  manifest: object,
  options: ApplicationOptions,
  look: (project: PackedProject) => Result,
  module: typeof PlainModule = PlainModule,
): Promise<Result> {
  const application = await McpApplication.create(module, options);
  try {
    const created = { application, options, rootModule: module, isWorker: false, servings: [] };
    return look({
      folder: '/notes',
      manifest: manifest as PackedProject['manifest'],
      created: created as never,
    });
  } finally {
    await application.close();
  }
}

const faultsOf = (
  manifest: object,
  options: ApplicationOptions = { version: '1.0.0' },
): Promise<readonly string[]> =>
  withProject(manifest, options, (project) =>
    findListingFaults(project, createServerJson(project)).map(
      ({ level, where, what, fix }) => `${level} ${where} ${what} fix: ${fix}`,
    ),
  );

test('a package is listed as its package.json says, with the variables of its configuration', async () => {
  const listing = await withProject(
    PACKAGE,
    {
      version: '1.0.0',
      title: 'Notes',
      icons: [{ src: 'data:image/png;base64,' }, { src: 'https://example.com/i.png' }],
    },
    (project) => createServerJson(project, BUNDLE),
    NotesModule,
  );
  const environmentVariables = [
    {
      name: 'API_KEY',
      description: 'The key of your account',
      format: 'string',
      isRequired: true,
      isSecret: true,
    },
    { name: 'MAX_NOTES', format: 'number', isRequired: false, isSecret: false },
  ];
  const transport = { type: 'stdio' };
  expect(documentFaults('server.json', listing)).toEqual([]);
  expect(listing).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...{ name: 'io.github.ann/notes', description: 'Keeps notes', version: '1.0.0', title: 'Notes' },
    websiteUrl: 'https://example.com/notes',
    repository: { url: 'https://github.com/ann/notes', source: 'github', subfolder: 'server' },
    icons: [{ src: 'https://example.com/i.png' }],
    packages: [
      {
        registryType: 'npm',
        identifier: '@ann/notes-mcp',
        version: '1.0.0',
        transport,
        environmentVariables,
      },
      {
        registryType: 'mcpb',
        identifier: BUNDLE.url,
        fileSha256: BUNDLE.sha256,
        transport,
        environmentVariables,
      },
    ],
  });
});

test('a server with an address is listed as its card says', async () => {
  const card = {
    ...{ name: 'com.example/notes', description: 'Notes of a team' },
    remotes: [{ url: 'https://example.com/mcp' }],
  };
  const manifest = { ...PACKAGE, private: true, mcpName: undefined };
  const { listing, faults } = await withProject(manifest, { version: '1.0.0', card }, (project) => {
    const made = createServerJson(project);
    return { listing: made, faults: findListingFaults(project, made) };
  });
  expect(faults).toEqual([]);
  expect(documentFaults('server.json', listing)).toEqual([]);
  expect(listing).toMatchObject({ name: card.name, description: card.description });
  expect(listing.remotes).toEqual([{ type: 'streamable-http', url: 'https://example.com/mcp' }]);
  expect(listing).not.toHaveProperty('packages');
});

describe('what the registry would refuse', () => {
  test('is nothing of a sound package', async () => {
    expect(await faultsOf(PACKAGE)).toEqual([]);
  });

  test.each([
    [
      { description: 'd'.repeat(140) },
      'problem server.json, description has 140 characters, and 100 are allowed',
    ],
    [{ description: undefined }, 'description is missing. fix: "description" of package.json'],
    [{ mcpName: 'notes' }, 'problem server.json, name is "notes", not the reversed name of a domain'],
    [{ mcpName: undefined }, 'server.json, name is missing. fix: "mcpName" of package.json'],
    [
      { homepage: 'http://example.com' },
      'websiteUrl is "http://example.com", not an https URL. fix: "homepage" of',
    ],
    [{ version: '1.0.1' }, 'package.json, version is "1.0.1", and the application says "1.0.0"'],
    [{ private: true }, 'advice server.json names no package and no address'],
  ])('%j: %s', async (more, text) => {
    expect((await faultsOf({ ...PACKAGE, ...more })).join('\n')).toContain(text);
  });

  test('is a name in package.json that is not that of the card, and a range', async () => {
    const card = { name: 'com.example/notes', description: 'Notes' };
    expect(await faultsOf(PACKAGE, { version: '1.0.0', card })).toEqual([
      'problem package.json, mcpName is "io.github.ann/notes", and the server is called "com.example/notes". fix: "mcpName": "com.example/notes"',
    ]);
    expect(await faultsOf({ ...PACKAGE, version: '^1.0.0' }, {})).toEqual([
      expect.stringContaining('version is "^1.0.0", not one exact version. fix: "version" of package.json'),
    ]);
  });
});

test('a bundle asks a person for what its configuration reads, and fits the published schema', async () => {
  const manifest = await withProject(
    PACKAGE,
    { version: '1.0.0' },
    (project) => createBundleManifest(project, createServerJson(project), []),
    NotesModule,
  );
  expect(documentFaults('bundle', manifest)).toEqual([]);
  expect(manifest).toEqual({
    ...{ manifest_version: '0.3', name: 'notes-mcp', version: '1.0.0', description: 'Keeps notes' },
    author: { name: 'Ann', email: 'ann@example.com', url: 'https://example.com' },
    repository: { type: 'git', url: 'https://github.com/ann/notes' },
    ...{ homepage: 'https://example.com/notes', license: 'MIT' },
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/main.js'],
        env: { API_KEY: '${user_config.API_KEY}', MAX_NOTES: '${user_config.MAX_NOTES}' },
      },
    },
    tools: [{ name: 'notes', description: 'Notes that stay. Actions: add' }],
    compatibility: { runtimes: { node: '>=20' } },
    user_config: {
      API_KEY: {
        type: 'string',
        required: true,
        title: 'Api key',
        description: 'The key of your account',
        sensitive: true,
      },
      MAX_NOTES: { type: 'string', default: '', title: 'Max notes', description: 'Max notes' },
    },
  });
});

test('a bundle with compiled code is for this platform, and has an author in any case', async () => {
  const files = [{ name: 'node_modules/fast/fast.node', path: '/fast.node', bytes: 1 }];
  const { author, compatibility } = await withProject({ ...PACKAGE, author: { email: 'x' } }, {}, (project) =>
    createBundleManifest(project, createServerJson(project), files),
  );
  expect(author).toEqual({ name: 'io.github.ann' });
  expect(compatibility).toMatchObject({ platforms: [process.platform] });
});
