import type { CommandSpec, OptionSpec } from './command.ts';
import { collect, LOADING_TIMEOUT, wholeNumber } from './option-values.ts';

/** The options that every command takes. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', summary: 'write the result as JSON' },
  { flags: '--color', summary: 'colour the output, also of a pipe' },
  { flags: '--no-color', summary: 'do not colour the output' },
  { flags: '--quiet', summary: 'say nothing but the result and what went wrong' },
  { flags: '--verbose', summary: 'say more' },
  { flags: '--no-input', summary: 'never ask a question' },
];

const ENTRY = {
  name: 'entry',
  summary: 'a file that gives an application; `file.ts#name` chooses one of its exports',
};

/** How an application is served. */
const SERVING: readonly OptionSpec[] = [
  {
    flags: '--port <number>',
    summary: 'the port (default: as the file says, else 3000)',
    parse: wholeNumber('--port', 0, 65_535),
  },
  {
    flags: '--host <name>',
    summary: 'the address to listen on (default: as the file says, else 127.0.0.1)',
  },
  { flags: '--path <path>', summary: 'the path of the endpoint (default: as the file says, else /mcp)' },
  { flags: '--stdio', summary: 'speak over stdin and stdout' },
];

/** The commands, in the order in which help lists them. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'dev',
    summary: 'Serve an application, and swap in what is saved',
    examples: [
      ['dev server.ts', 'serve it, and again after each save; clients keep their sessions'],
      ['dev server.ts --stdio', 'the same over stdin and stdout, for a client that starts it'],
      ['dev server.ts --fresh', 'with new state after each save'],
    ],
    arguments: [ENTRY],
    options: [
      ...SERVING,
      { flags: '--no-watch', summary: 'do not watch the files' },
      { flags: '--fresh', summary: 'keep no instance of the application from before a save' },
      {
        flags: '--watch-dir <folder>',
        summary: 'load all files again when something in this folder changes; may be repeated',
        parse: collect,
      },
      {
        flags: '--allowed-host <name>',
        summary: 'a further host name under which the server may be called; may be repeated',
        parse: collect,
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/dev.ts'),
  },
  {
    name: 'run',
    summary: 'Serve an application',
    examples: [
      ['run server.ts', 'serve it over Streamable HTTP'],
      ['run server.ts --port 0', 'at a port that the system chooses'],
      ['run server.ts --stdio', 'over stdin and stdout, for a client that starts it'],
    ],
    arguments: [ENTRY],
    options: [...SERVING, LOADING_TIMEOUT],
    load: () => import('./commands/run.ts'),
  },
];
