import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../output/cli-error.ts';
import { packageManifest, packageRoot } from '../package-version.ts';
import { surfaceOfApplication } from '../surface/read-surface.ts';
import { loadEntry, readReference } from '../target/entry.ts';
import { isUrl, urlOf } from '../target/url.ts';
import { findNode } from './client-program.ts';

/** A server as it is registered with a client: a command that the client starts, or a URL. */
export type Server = LocalServer | RemoteServer;

export interface LocalServer {
  readonly kind: 'local';
  readonly name: string;
  /** An absolute path, as is every path in the arguments: clients start it from anywhere, and without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
}

export interface RemoteServer {
  readonly kind: 'remote';
  readonly name: string;
  readonly url: string;
}

export type Environment = Readonly<Record<string, string>>;

export interface ServerOptions {
  readonly name?: string;
  readonly env?: Environment;
  readonly timeout?: number;
}

/** What every client takes as a name. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** The server of a file or URL. A file is loaded once: what does not start is not registered. */
export async function describeServer(target: string, options: ServerOptions): Promise<Server> {
  const { name, env = {} } = options;
  checkName(name);
  if (!isUrl(target)) return describeEntry(target, options);
  if (Object.keys(env).length > 0) throw envOfUrl();
  const url = urlOf(target);
  if (url.username !== '' || url.password !== '') throw secretInUrl();
  return { kind: 'remote', name: name ?? safeName(url.host), url: url.href };
}

/** The server of the documentation of this package. */
export function describeDocs({ name = 'toolwright-docs', env = {} }: ServerOptions): LocalServer {
  checkName(name);
  const args = [binBeside(join(process.cwd(), 'package.json')), 'docs'];
  return { kind: 'local', name, command: findNode(), args, env };
}

function checkName(name: string | undefined): void {
  if (name !== undefined && !NAME.test(name)) throw badName(name);
}

async function describeEntry(
  reference: string,
  { name, env = {}, timeout }: ServerOptions,
): Promise<LocalServer> {
  const { file, name: exported } = readReference(reference);
  const ownName = await withVariables(env, () => nameOfApplication(reference, timeout));
  return {
    kind: 'local',
    name: name ?? safeName(ownName),
    command: findNode(),
    args: [binBeside(file), 'run', exported === undefined ? file : `${file}#${exported}`, '--stdio'],
    env,
  };
}

async function nameOfApplication(reference: string, timeout: number | undefined): Promise<string> {
  const entry = await loadEntry(reference, { timeout, trustsCallers: true });
  try {
    const { server } = await surfaceOfApplication(entry.created.application);
    return server.name ?? '';
  } finally {
    await entry.close();
  }
}

/** The application may need them to start; PATH and HOME among them are not for looking for clients. */
async function withVariables<Value>(env: Environment, work: () => Promise<Value>): Promise<Value> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

/**
 * The program of this package, by its path in the node_modules of the file: that of a package manager that links has
 * the version in it, and is gone after an update.
 */
function binBeside(file: string): string {
  const { bin } = packageManifest();
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const root = join(folder, 'node_modules', 'toolwright');
    if (realpathOf(root) === realpathOf(packageRoot())) return join(root, bin.toolwright);
    if (folder === dirname(folder)) return join(packageRoot(), bin.toolwright);
  }
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function safeName(text: string): string {
  const name = text
    .replaceAll(/[^a-z0-9_-]+/gi, '-')
    .replaceAll(/^[_-]+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}

function badName(name: string): CliError {
  return new CliError('TW_CLI_OPTION', {
    where: '--name',
    what: `takes letters, digits, - and _, beginning with a letter or digit, and got ${JSON.stringify(name)}.`,
    why: 'other names are refused by some of the clients.',
    fix: `--name ${safeName(name)}`,
  });
}

function envOfUrl(): CliError {
  return new CliError('TW_CLI_OPTION', {
    where: '--env',
    what: 'is for a server that the client starts, and this one has a URL.',
    fix: 'leave --env out, and give the variables to the server where it runs',
  });
}

function secretInUrl(): CliError {
  return new CliError('TW_CLI_TARGET', {
    where: 'The URL',
    what: 'has a user name or a password in it.',
    why: 'clients show URLs, and keep them in files that are shared.',
    fix: 'register the URL without them; the client signs in, or sends a header that you configure there',
  });
}
