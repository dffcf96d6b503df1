import { CLIENT_NAMES, CLIENTS, commonEntry, type Client, type Scope } from '../clients/clients.ts';
import { commandLine } from '../clients/client-program.ts';
import { hideValues } from '../clients/hidden-values.ts';
import { choosePlace, hasValues, register, type Place, type Registered } from '../clients/register.ts';
import { describeDocs, describeServer, type Server, type ServerOptions } from '../clients/server.ts';
import type { RunCommand } from '../command.ts';
import { notOneOf } from '../option-values.ts';
import { installLine } from '../package-source.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';

interface InstallOptions extends ServerOptions {
  readonly scope?: Scope;
  /** The documentation of this package in place of a server. */
  readonly docs?: boolean;
  readonly print?: boolean;
  readonly force?: boolean;
}

/** Registers a server with a client, or prints what would. The values of variables are never printed. */
export const run: RunCommand<InstallOptions> = async ({ values, options }, terminal) => {
  const [name = '', given] = values;
  if (!CLIENT_NAMES.includes(name)) throw notOneOf('toolwright install', name, CLIENT_NAMES);
  const client = CLIENTS[name];
  checkScope(client, options.scope);
  const server = await describe(given, options);
  adviseOnPlace(server, terminal);
  if (client === undefined) {
    sayHidden(server, terminal);
    const content = { mcpServers: { [server.name]: commonEntry(hideValues(server)) } };
    terminal.give(content, () => JSON.stringify(content, undefined, 2));
    return EXIT.done;
  }
  const place = choosePlace(client, server, options.scope);
  if (options.print === true) print(place, terminal);
  else report(place, await register(place, options.force === true), terminal);
  return EXIT.done;
};

async function describe(given: string | undefined, options: InstallOptions): Promise<Server> {
  if (options.docs !== true) return describeServer(chooseEntry(given), options);
  if (given === undefined) return describeDocs(options);
  throw new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright install',
    what: `was given --docs and ${JSON.stringify(given)}, which are two servers.`,
    fix: 'leave one of them out',
  });
}

function report({ client, server, scope }: Place, done: Registered, terminal: Terminal): void {
  const { name } = server;
  terminal.give({ client: client.title, name, scope, changed: done !== undefined, ...done }, () => {
    if (done === undefined) return `${client.title} has ${name} already.`;
    const where = 'file' in done ? `in ${done.file}` : `with ${done.program}`;
    return `Registered ${name} with ${client.title} (scope ${scope}), ${where}.`;
  });
  if (scope === 'project' && done !== undefined && hasValues(server))
    terminal.say('The values of --env are in a file of this project: keep it out of version control.');
}

/** Prints a link if the client has one, else a command of its program, else what its file needs. */
function print({ client, server, scope }: Place, terminal: Terminal): void {
  const shown = hideValues(server);
  const { program, file } = client.register(shown, scope, process.cwd());
  const link = client.link?.(shown);
  sayHidden(server, terminal);
  if (link !== undefined) terminal.give({ link }, () => link);
  else if (program !== undefined) {
    const words = [program.name, ...program.add];
    terminal.give({ command: words }, () => commandLine(words));
  } else if (file !== undefined) {
    const [group, name] = file.member;
    const content = { [group]: { [name]: file.entry } };
    terminal.say(`For ${file.path}:`);
    terminal.give({ file: file.path, content }, () => JSON.stringify(content, undefined, 2));
  }
}

function sayHidden(server: Server, terminal: Terminal): void {
  const names = server.kind === 'remote' ? [] : Object.keys(server.env);
  if (names.length > 0)
    terminal.say(`Values are not printed: put yours in place of <${names.join('>, <')}>.`);
}

/** A package that `npx` fetched is in a cache that npm empties. */
function adviseOnPlace(server: Server, terminal: Terminal): void {
  if (server.kind === 'local' && /[\\/]_npx[\\/]/.test(server.args[0] ?? ''))
    terminal.say(`toolwright runs from the cache of npx, which does not last. First: ${installLine()}`);
}

function checkScope(client: Client | undefined, asked: Scope | undefined): void {
  if (asked === undefined || client?.scopes.includes(asked) === true) return;
  const scopes = client?.scopes ?? [];
  throw new CliError('TW_CLI_OPTION', {
    where: '--scope',
    what:
      client === undefined
        ? 'is for clients that keep the server.'
        : `cannot be ${asked}: ${client.title} has ${scopes.join(', ')}.`,
    fix: scopes.length === 0 ? 'leave it out' : `--scope ${scopes.join(' or --scope ')}`,
  });
}
