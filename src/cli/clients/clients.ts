import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isPlainObject, membersOf, parseJson } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';
import type { MemberPath } from './edit-json.ts';
import type { Environment, Server } from './server.ts';

export const SCOPES = ['local', 'project', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/** Where a client keeps a server: in a file that is documented, or behind a program of its own. */
export interface Registration {
  readonly program?: ClientProgram;
  readonly file?: ClientFile;
}

/** The program of a client, with what it is called with. */
export interface ClientProgram {
  readonly name: string;
  readonly add: readonly string[];
  /** What has to run before a server of the same name can be added. */
  readonly remove?: readonly string[];
  readonly show?: ShowServer;
}

/** How a program shows a server that it knows. */
export interface ShowServer {
  readonly args: readonly string[];
  /** The server without its variables. */
  readonly read: (output: string) => unknown;
  /** Whether it replaces a server in silence, so that it has to be asked first. */
  readonly isAskedFirst: boolean;
}

export interface ClientFile {
  readonly path: string;
  readonly member: MemberPath;
  readonly entry: object;
  /** A file that belongs to the client alone is only looked at. */
  readonly isOurs: boolean;
}

/** A client of the protocol, and how servers are registered with it. */
export interface Client {
  readonly title: string;
  /** The first one is the default, where it can be done. */
  readonly scopes: readonly Scope[];
  readonly register: (server: Server, scope: Scope, folder: string) => Registration;
  /** A link that has the client ask whether to add the server. */
  readonly link?: (server: Server) => string;
}

export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    scopes: ['local', 'project', 'user'],
    register: (server, scope, folder) =>
      scope === 'project'
        ? { file: ours(join(folder, '.mcp.json'), server, entryWithType(server)) }
        : { program: claude(server, scope) },
  },
  codex: {
    title: 'Codex',
    scopes: ['user'],
    register: (server) => ({
      program: {
        name: 'codex',
        add: ['mcp', 'add', server.name, ...codexArguments(server)],
        show: { args: ['mcp', 'get', server.name, '--json'], read: readCodexServer, isAskedFirst: true },
      },
    }),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    scopes: ['project', 'user'],
    // Its program (0.61) cuts values at their second =, drops empty ones, and in a folder that it does not trust
    // drops all servers that were there
    register: (server, scope, folder) => ({
      file: ours(inFolder(scope, folder, '.gemini', 'settings.json'), server, commonEntry(server)),
    }),
  },
  cursor: {
    title: 'Cursor',
    scopes: ['project', 'user'],
    register: (server, scope, folder) => ({
      file: ours(inFolder(scope, folder, '.cursor', 'mcp.json'), server, plainEntry(server)),
    }),
    link: (server) => {
      const config = Buffer.from(JSON.stringify(plainEntry(server))).toString('base64');
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=${server.name}&config=${encodeURIComponent(config)}`;
    },
  },
  vscode: {
    title: 'VS Code',
    scopes: ['user', 'project'],
    register: (server, scope, folder) => {
      const entry = entryWithType(server);
      const member = ['servers', server.name] as const;
      if (scope === 'project')
        return { file: { path: join(folder, '.vscode', 'mcp.json'), member, entry, isOurs: true } };
      return {
        program: { name: 'code', add: ['--add-mcp', JSON.stringify({ name: server.name, ...entry })] },
        file: { path: join(settingsFolder(), 'Code', 'User', 'mcp.json'), member, entry, isOurs: false },
      };
    },
  },
};

/** The clients, and `json` for all others. */
export const CLIENT_NAMES: readonly string[] = [...Object.keys(CLIENTS), 'json'];

/** What most clients have under `mcpServers`. */
export function commonEntry(server: Server): object {
  return server.kind === 'remote' ? entryWithType(server) : plainEntry(server);
}

function plainEntry(server: Server): object {
  if (server.kind === 'remote') return { url: server.url };
  const { command, args, env } = server;
  return { command, args, ...(isEmpty(env) ? {} : { env }) };
}

function entryWithType(server: Server): object {
  return { type: server.kind === 'remote' ? 'http' : 'stdio', ...plainEntry(server) };
}

function inFolder(scope: Scope, folder: string, ...path: readonly string[]): string {
  return join(scope === 'user' ? home() : folder, ...path);
}

function ours(path: string, { name }: Server, entry: object): ClientFile {
  return { path, member: ['mcpServers', name], entry, isOurs: true };
}

function claude(server: Server, scope: Scope): ClientProgram {
  const what =
    server.kind === 'remote'
      ? ['--transport', 'http', server.url]
      : [...variables(server.env), '--', server.command, ...server.args];
  return {
    name: 'claude',
    // The name comes first: --env takes every word up to the next option
    add: ['mcp', 'add', server.name, '--scope', scope, ...what],
    remove: ['mcp', 'remove', server.name, '--scope', scope],
    show: { args: ['mcp', 'get', server.name], read: readClaudeServer, isAskedFirst: false },
  };
}

function codexArguments(server: Server): readonly string[] {
  if (server.kind === 'remote') return ['--url', server.url];
  return [...variables(server.env), '--', server.command, ...server.args];
}

function variables(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

/** `claude mcp get` is for people; the lines about variables and headers are left out. */
function readClaudeServer(output: string): unknown {
  const lines = output.matchAll(/^ {2}(Scope|Type|Command|Args|URL): (.*)$/gm);
  return Object.fromEntries([...lines].map(([, label = '', text = '']) => [label.toLowerCase(), text]));
}

function readCodexServer(output: string): unknown {
  const { transport } = membersOf(parseJson(output));
  if (!isPlainObject(transport)) return {};
  const { command, args, url, env } = transport;
  if (typeof url === 'string') return { type: 'http', url };
  return { command, args, ...(isPlainObject(env) && !isEmpty(env) ? { env } : {}) };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

/** Where programs keep settings of the user. */
function settingsFolder(): string {
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env['APPDATA'] ?? join(home(), 'AppData', 'Roaming');
  const folder = process.env['XDG_CONFIG_HOME'] ?? '';
  return isAbsolute(folder) ? folder : join(home(), '.config');
}

function home(): string {
  let folder = '';
  try {
    folder = homedir();
  } catch {
    // no HOME, and a user whom the system does not know
  }
  if (isAbsolute(folder)) return folder;
  throw new CliError('TW_CLI_CLIENT_FILE', {
    where: 'The home folder',
    what: 'is not known, and this client keeps its configuration there.',
    fix: 'set HOME, or use --scope project where the client has it',
  });
}
