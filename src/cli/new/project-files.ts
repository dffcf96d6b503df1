import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import type { PackedPackage } from '../package-source.ts';
import { packageManifest, packageRoot } from '../package-version.ts';

/** The kinds of projects, with what makes the choice. */
export const TEMPLATES = {
  http: 'a server with an address, at which clients find it',
  stdio: 'a package, which clients start and speak with over stdin and stdout',
  'api-key': 'a server with an address, for clients that have a key',
  'sign-in': 'a server with an address, for people who sign in with an identity provider',
  openapi: 'the operations of an API that has an OpenAPI document',
  nest: 'the routes of an application of NestJS',
} as const;

export type Template = keyof typeof TEMPLATES;

type Copied = Readonly<Record<string, string>>;

const copiedAs = (...paths: readonly string[]): Copied =>
  Object.fromEntries(paths.map((path) => [path, path]));

/** What coding agents read before they write code. */
export const AGENT_FILES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];
/** Copied from the example, which the tests of this package run. */
const FILES = copiedAs(
  ...AGENT_FILES,
  '.github/workflows/ci.yml',
  'README.md',
  'toolwright.lock.json',
  'tsconfig.build.json',
  'tsconfig.json',
);
/** Classes that keep notes, which the projects have that begin with classes. */
const NOTES = copiedAs('src/note-store.ts', 'src/notes-controller.ts', 'src/server.ts', 'test/notes.test.ts');
/** What one kind of project has besides, or has otherwise: the path, and that of the example. */
export const TEMPLATE_FILES: Readonly<Record<Template, Copied>> = {
  http: NOTES,
  stdio: { ...NOTES, 'src/main.ts': 'src/main.ts' },
  'api-key': {
    ...NOTES,
    'src/api-keys.ts': 'src/api-keys.ts',
    'src/server.ts': 'src/server-api-key.ts',
    'test/server.test.ts': 'test/server-api-key.test.ts',
  },
  'sign-in': {
    ...NOTES,
    'provider.mjs': 'provider.mjs',
    'src/server.ts': 'src/server-sign-in.ts',
    'test/server.test.ts': 'test/server-sign-in.test.ts',
  },
  openapi: {
    'api.json': 'openapi/api.json',
    'test/api.ts': 'openapi/test/api.ts',
    'src/server.ts': 'openapi/src/server.ts',
    'test/server.test.ts': 'openapi/test/server.test.ts',
    'toolwright.lock.json': 'openapi/toolwright.lock.json',
  },
  nest: {
    'src/app.ts': 'nest/src/app.ts',
    'src/mcp.ts': 'nest/src/mcp.ts',
    'src/server.ts': 'nest/src/server.ts',
    'test/server.test.ts': 'nest/test/server.test.ts',
    'toolwright.lock.json': 'nest/toolwright.lock.json',
  },
};

/** The parts of the README that one kind of project has. */
const PARTS: Readonly<Record<Template, readonly string[]>> = {
  http: ['http', 'address', 'notes'],
  stdio: ['stdio', 'notes'],
  'api-key': ['api-key', 'notes'],
  'sign-in': ['sign-in', 'notes'],
  openapi: ['http', 'address', 'openapi'],
  nest: ['nest', 'address'],
};

/** Where the packed file of this package is in a project that cannot get it from a registry. */
const VENDOR = 'vendor/';

/** The files of a new project by their paths. @param packed this package, for a project that is to have its file */
export function projectFiles(
  name: string,
  template: Template,
  packed?: PackedPackage,
): ReadonlyMap<string, string | Uint8Array> {
  const copied = { ...FILES, ...TEMPLATE_FILES[template] };
  const vendored = packed === undefined ? undefined : `${VENDOR}${packed.name}`;
  const parts = [...PARTS[template], ...(vendored === undefined ? [] : ['vendored'])];
  return new Map<string, string | Uint8Array>([
    ['package.json', `${JSON.stringify(createManifest(name, template, vendored), null, 2)}\n`],
    // npm leaves a .gitignore out of packages, so that it cannot be copied
    ['.gitignore', 'node_modules/\ndist/\n'],
    ...Object.entries(copied).map(([path, from]) => [path, filledIn(from, name, parts)] as const),
    ...(packed === undefined ? [] : [[`${VENDOR}${packed.name}`, packed.bytes] as const]),
  ]);
}

/** A part between `<!-- http -->` and `<!-- /http -->` is for projects that have it; the others leave it out. */
function filledIn(path: string, name: string, parts: readonly string[]): string {
  const text = readFileSync(join(packageRoot(), 'examples/starter', path), 'utf8');
  return text
    .replaceAll(/<!-- ([\w-]+) -->\n+([^]*?)<!-- \/\1 -->\n+/g, (_all, part: string, inner: string) =>
      parts.includes(part) ? inner : '',
    )
    .replaceAll(/server-(?:api-key|sign-in)/g, 'server')
    .replaceAll(/\bstarter\b/g, name);
}

/** Every caller that is let in may remove notes: the owner of the server knows them. */
const CHECK_GUARDED = 'toolwright check --accept TW_ADVICE_DESTRUCTIVE';
const CHECKS: Readonly<Record<Template, string>> = {
  http: 'toolwright check',
  stdio: 'toolwright check',
  'api-key': CHECK_GUARDED,
  'sign-in': CHECK_GUARDED,
  openapi: 'toolwright check',
  nest: 'toolwright check',
};

/** Directories let in servers of people who sign in, or of all, and never those that ask for a key. */
const CHECK_CLIENTS = 'toolwright check --for claude-directory,chatgpt-directory';
const CLIENT_CHECKS: Readonly<Record<Template, string>> = {
  http: CHECK_CLIENTS,
  stdio: CHECK_CLIENTS,
  'api-key': `${CHECK_CLIENTS} --accept TW_FOR_AUTH`,
  'sign-in': CHECK_CLIENTS,
  openapi: CHECK_CLIENTS,
  nest: CHECK_CLIENTS,
};

/** How a server starts without watching its files. */
const STARTS: Readonly<Record<Template, string>> = {
  http: 'toolwright run',
  stdio: 'toolwright run --stdio',
  'api-key': 'toolwright run',
  'sign-in': 'toolwright run',
  openapi: 'toolwright run',
  // The application listens itself
  nest: 'node --import toolwright/register src/server.ts',
};

/** Prints a key and its hash. */
const MAKE_KEY = `node -e "import('toolwright/auth').then((auth) => console.log(auth.createApiKey()))"`;

/** Scripts that one kind of project has besides. */
const SCRIPTS: Readonly<Partial<Record<Template, Readonly<Record<string, string>>>>> = {
  'api-key': { key: MAKE_KEY },
  'sign-in': { provider: 'node provider.mjs' },
  stdio: { prepack: 'npm run build' },
  openapi: {
    api: 'node --import toolwright/register test/api.ts',
    plan: 'toolwright import openapi api.json --plan',
  },
  nest: { plan: 'toolwright import nest --plan' },
};

/** Packages that one kind of project has besides. */
const PACKAGES: Readonly<Partial<Record<Template, readonly string[]>>> = {
  'sign-in': ['oidc-provider', 'openid-client'],
  nest: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
};

function createManifest(name: string, template: Template, vendored: string | undefined): object {
  const { version, engines, dependencies, devDependencies } = packageManifest();
  const tested = { ...devDependencies, ...dependencies };
  const published = { bin: { [name]: 'dist/main.js' }, files: ['dist'] };
  return {
    name,
    version: '0.1.0',
    description: `The MCP server ${name}`.slice(0, MAX_DESCRIPTION_CHARS),
    mcpName: registryName(name),
    ...(template === 'stdio' ? {} : { private: true }),
    type: 'module',
    engines,
    ...(template === 'stdio' ? published : {}),
    // What the commands take where a command line names no file
    toolwright: { entry: 'src/server.ts' },
    scripts: {
      start: STARTS[template],
      dev: 'toolwright dev',
      test: 'node --import toolwright/register --test test/*.test.ts',
      check: CHECKS[template],
      'check:clients': CLIENT_CHECKS[template],
      lock: 'toolwright lock',
      typecheck: 'tsc',
      build: 'tsc -p tsconfig.build.json',
      ...SCRIPTS[template],
    },
    dependencies: {
      ...pickVersions(tested, 'class-transformer', 'class-validator'),
      ...pickVersions(tested, ...(PACKAGES[template] ?? [])),
      toolwright: vendored === undefined ? `^${version}` : `file:${vendored}`,
    },
    devDependencies: pickVersions(tested, '@types/node', 'typescript'),
  };
}

const MAX_DESCRIPTION_CHARS = 100;
const MAX_REGISTRY_NAME_CHARS = 180;

/** A name as the MCP registry takes it; the domain is one that stands for that of the owner. */
function registryName(name: string): string {
  const own = name
    .replaceAll('~', '-')
    .slice(0, MAX_REGISTRY_NAME_CHARS)
    .replace(/[^a-z0-9]+$/, '');
  return `com.example/${own.length < 2 ? own + SUFFIX : own}`;
}

/** The versions with which this release was tested. */
function pickVersions(
  tested: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, tested[name] ?? '*']));
}

/** A package cannot have the name of another one that it imports, nor these two of npm. */
const TAKEN = [
  'toolwright',
  'class-transformer',
  'class-validator',
  'typescript',
  'node_modules',
  'favicon.ico',
];
const LONGEST_NAME = 214;
const SUFFIX = '-server';

/** The name of a package that fits its folder (docs.npmjs.com: package.json, name). */
export function packageNameOf(directory: string): string {
  const name = basename(directory)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .slice(0, LONGEST_NAME - SUFFIX.length)
    .replaceAll(/^[._~-]+|[._~-]+$/g, '');
  if (name === '') return 'mcp-server';
  return TAKEN.includes(name) || isBuiltin(name) ? name + SUFFIX : name;
}
