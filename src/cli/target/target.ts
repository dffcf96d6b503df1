import { HttpTransport } from '../../client/http-transport.ts';
import { linkInMemory, type ClientTransport } from '../../client/client-transport.ts';
import { McpClient, type McpClientOptions } from '../../client/mcp-client.ts';
import { StdioTransport } from '../../client/stdio-transport.ts';
import type { ApplicationOptions, McpApplication, SurfaceName } from '../../index.ts';
import { CliError } from '../output/cli-error.ts';
import { packageVersion } from '../package-version.ts';
import { chooseEntry, findEntries, isTarget } from './default-entry.ts';
import { isUrl, urlOf } from './url.ts';

/** The options of commands that look at a server, wherever it is. */
export interface TargetOptions {
  readonly command?: string;
  readonly header?: readonly string[];
  readonly era?: '2025' | '2026';
  readonly timeout?: number | undefined;
  /** Mebibytes. */
  readonly maxAnswer?: number;
  /** The surface to look at; it counts before that of a client. */
  readonly surface?: SurfaceName;
  /** The id of a client, or the name that it sends: the server is looked at as by this client. */
  readonly client?: string;
  /** Whether to read what known clients get beside: in short, or with all tools. */
  readonly byClient?: 'short' | 'full';
}

/** A server that is looked at: that of a file, in this process; that of a URL; or that of a command. */
export interface Target {
  /** The application of a file. */
  readonly application: McpApplication | undefined;
  /** The options of the application, which say how it looks at clients. */
  readonly options?: ApplicationOptions;
  /** A client of the server; connected by the first call. */
  connect(options?: McpClientOptions): Promise<McpClient>;
  close(): Promise<void>;
}

/** The values of a command that takes the name of something after the target. */
export interface SplitValues {
  /** Undefined for the default entry, and with `--command`. */
  readonly reference: string | undefined;
  readonly rest: readonly string[];
}

/** Takes the target from the values of a command: with `--command` none of them is one, and it may be left out. */
export function splitValues(
  values: readonly string[],
  { command }: Pick<TargetOptions, 'command'> = {},
): SplitValues {
  const [first, ...rest] = values;
  if (command !== undefined || first === undefined) return { reference: undefined, rest: values };
  if (isTarget(first) || findEntries('.').length === 0) return { reference: first, rest };
  return { reference: undefined, rest: values };
}

/**
 * Opens what a command looks at.
 * @param reference a file, a folder or a URL; undefined for the default entry
 * @throws CliError for what is not a target; what loading a file throws
 */
export async function openTarget(reference: string | undefined, options: TargetOptions): Promise<Target> {
  if (options.command !== undefined)
    return overTransport(() => commandTransport(options.command ?? '', options), options);
  if (reference !== undefined && isUrl(reference)) {
    const url = urlOf(reference);
    const { surface } = options;
    const chosen = surface === undefined ? {} : { 'toolwright-surface': surface };
    const headers = { ...headersOf(options.header ?? []), ...chosen };
    return overTransport(() => new HttpTransport(url, { headers, ...answerLimit(options) }), options);
  }
  const { loadEntry } = await import('./entry.ts');
  const entry = await loadEntry(chooseEntry(reference), { timeout: options.timeout, trustsCallers: true });
  const { application } = entry.created;
  const target = overTransport(async () => {
    const { client, server } = linkInMemory();
    await application.connect(server);
    return client;
  }, options);
  return {
    ...target,
    application,
    options: entry.created.options,
    close: async () => {
      await target.close();
      await entry.close();
    },
  };
}

function overTransport(
  makeTransport: () => ClientTransport | Promise<ClientTransport>,
  options: TargetOptions,
): Target {
  const { era, timeout } = options;
  const { maxAnswerBytes: maxListBytes } = answerLimit(options);
  let opened: McpClient | undefined;
  return {
    application: undefined,
    connect: async (given = {}) => {
      opened ??= await McpClient.connect(await makeTransport(), {
        name: options.client === undefined ? 'toolwright' : await loadClientName(options.client),
        version: packageVersion(),
        ...(era === undefined ? {} : { era }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(maxListBytes === undefined ? {} : { maxListBytes }),
        ...given,
      });
      return opened;
    },
    close: async () => {
      await opened?.close();
    },
  };
}

const MEBIBYTE = 1024 * 1024;

function answerLimit({ maxAnswer }: TargetOptions): { readonly maxAnswerBytes?: number } {
  return maxAnswer === undefined ? {} : { maxAnswerBytes: maxAnswer * MEBIBYTE };
}

/** The id of a client that is given by its id or its name. */
export async function loadClientId(given: string): Promise<string> {
  const { loadProfiles } = await import('../../profiles/profiles.ts');
  const { findClient } = await import('../client-rules/find-client.ts');
  return findClient(await loadProfiles(), given, '--client');
}

async function loadClientName(given: string): Promise<string> {
  const { loadProfiles } = await import('../../profiles/profiles.ts');
  const { readClientName } = await import('../client-rules/find-client.ts');
  return readClientName(await loadProfiles(), given);
}

function commandTransport(line: string, options: TargetOptions): ClientTransport {
  const [command, ...args] = splitCommand(line);
  if (command === undefined) {
    throw new CliError('TW_CLI_TARGET', {
      where: '--command',
      what: 'names no command.',
      fix: "--command 'node server.js --stdio'",
    });
  }
  const env = options.surface === undefined ? {} : { TOOLWRIGHT_SURFACE: options.surface };
  return new StdioTransport(command, { args, env, ...answerLimit(options) });
}

function headersOf(given: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Headers();
  for (const header of given) {
    const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/s.exec(header) ?? [];
    try {
      headers.append(name, value);
    } catch {
      // The value may be a secret
      throw new CliError('TW_CLI_OPTION', {
        where: '--header',
        what: `takes the name of a header, a colon and its value${name === '' ? '' : `, and got another text after ${JSON.stringify(name)}`}.`,
        fix: "--header 'authorization: Bearer …'",
      });
    }
  }
  return Object.fromEntries(headers);
}

const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)|(\s+)|(.)/gsy;

/** The words of a command line, quoted as for a POSIX shell. Nothing is expanded, because no shell runs it. */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, double, single, escaped, plain, , unclosed] of line.matchAll(PART)) {
    if (unclosed !== undefined) throw unclosedQuote(unclosed);
    const text = double?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? '') + text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function unclosedQuote(character: string): CliError {
  return new CliError('TW_CLI_TARGET', {
    where: '--command',
    what: character === '\\' ? 'ends with a backslash.' : `has a quote that is not closed: ${character}`,
    fix: `--command 'node "my server.js"'`,
  });
}
