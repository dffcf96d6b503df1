import type { ArgumentSpec, CommandSpec, OptionSpec } from './command.ts';
import {
  collect,
  COMMAND,
  ENTRY,
  ERA,
  HEADER,
  LISTED_TO,
  LOADING_TIMEOUT,
  MAX_ANSWER,
  PROFILES,
  TIMEOUT,
  wholeNumber,
} from './option-values.ts';
import { FINDING_LEVELS } from './output/levels.ts';
import { SETUP_COMMANDS } from './setup-commands.ts';
import { SURFACE_COMMANDS } from './surface-commands.ts';

const TARGET: ArgumentSpec = {
  name: 'target',
  arity: 'optional',
  summary:
    'a file, or the URL of a server (http://…/mcp); none with --command (default: the entry of package.json)',
};

const LOOKED_AT: ArgumentSpec = {
  ...TARGET,
  summary:
    'a file, the URL of a server (http://…/mcp), or a lock file (.json); none with --command (default: the entry of package.json)',
};

const EXPORTED: ArgumentSpec = {
  ...ENTRY,
  summary: `${ENTRY.summary}; with --for client also the URL of a server, or a lock file (.json)`,
};

/** How an application is served. */
const SERVING: readonly OptionSpec[] = [
  {
    flags: '--port <number>',
    summary: 'the port (default: as the file says, else 3000)',
    parse: wholeNumber('--port', 0, 65_535, 3000),
  },
  {
    flags: '--host <name>',
    summary: 'the address to listen on (default: as the file says, else 127.0.0.1)',
    synonyms: ['--hostname', '--address', '--bind'],
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
      { flags: '--no-explorer', summary: 'do not serve the page that shows and tries the application' },
      {
        flags: '--expose-explorer',
        summary: 'serve that page also on an address that others reach; its token lets them call everything',
      },
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
      {
        flags: '--allowed-origin <origin>',
        summary: 'the origin of pages that may call the server, besides its own; may be repeated',
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
  {
    name: 'check',
    summary: 'Compile an application and list everything that is wrong with it',
    examples: [
      ['check server.ts', 'every problem, with its fix'],
      ['check server.ts --fail-on advice', 'end with 1 also where something could be better'],
      ['check server.ts --format github', 'as annotations of GitHub Actions'],
      ['check server.ts --format sarif > check.sarif', 'for a code host'],
      ['check server.ts --for claude-directory,chatgpt-directory', 'what these two would refuse'],
      ['check server.ts --for all --matrix', 'a table of all clients and what each would not take'],
    ],
    arguments: [ENTRY],
    options: [
      {
        flags: '--format <format>',
        summary: 'the form of the problems (default: text)',
        synonyms: ['--reporter', '--as'],
        choices: ['text', 'json', 'github', 'sarif'],
      },
      {
        flags: '--for <clients>',
        summary: 'clients and directories that it is to be well for, with commas between them, or all',
        synonyms: ['--client', '--clients', '--directory'],
      },
      { flags: '--matrix', summary: 'print a table of clients and codes (default: of all clients)' },
      {
        flags: '--justify',
        summary: 'write chatgpt-app-submission.json: the hints of each tool, and a sentence for each to edit',
      },
      PROFILES,
      { flags: '--accept <code>', summary: 'advice not to show; may be repeated', parse: collect },
      {
        flags: '--fail-on <level>',
        summary: 'the least finding that ends with 1 (default: problem)',
        synonyms: ['--level', '--strict', '--max-warnings'],
        choices: FINDING_LEVELS,
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'inspect',
    summary: 'Show what a server offers',
    examples: [
      ['inspect server.ts', 'in short'],
      ['inspect http://127.0.0.1:3000/mcp --format mcp', 'the lists of the protocol'],
      ['inspect server.ts --client codex', 'what this client gets'],
      ['inspect server.ts --format toolwright -o surface.json', 'all that is known, into a file'],
    ],
    arguments: [LOOKED_AT],
    options: [
      {
        flags: '--format <format>',
        summary: 'how much of it (default: summary)',
        synonyms: ['--for', '--as'],
        choices: ['summary', 'mcp', 'toolwright'],
      },
      { flags: '-o, --output <file>', summary: 'write it to a file', synonyms: ['--out', '--file'] },
      ...LISTED_TO,
      COMMAND,
      HEADER,
      ERA,
      TIMEOUT,
      MAX_ANSWER,
    ],
    load: () => import('./commands/inspect.ts'),
  },
  {
    name: 'list',
    summary: 'List actions, prompts and resources as they are called',
    examples: [
      ['list server.ts', 'everything that can be called'],
      ['list http://127.0.0.1:3000/mcp --tools', 'the actions of a server that runs already'],
      ['list server.ts --surface flat', 'as one tool for each action'],
      ['list server.ts --schema --json', 'with the schema of each input'],
    ],
    arguments: [LOOKED_AT],
    options: [
      { flags: '--tools', summary: 'actions and tools' },
      { flags: '--prompts', summary: 'prompts' },
      { flags: '--resources', summary: 'resources and their templates' },
      { flags: '--names', summary: 'only the names, one on each line' },
      { flags: '--schema', summary: 'with the schema of each input' },
      ...LISTED_TO,
      COMMAND,
      HEADER,
      ERA,
      TIMEOUT,
      MAX_ANSWER,
    ],
    load: () => import('./commands/list.ts'),
  },
  {
    name: 'call',
    summary: 'Call a tool, get a prompt or read a resource',
    examples: [
      ['call server.ts tasks.create title=Milk priority=3', 'one action of a tool'],
      ['call http://127.0.0.1:3000/mcp tasks.list --json', 'of a server that runs already'],
      ['call server.ts tasks.create --input \'{"title":"Milk"}\'', 'with arguments in JSON'],
      ['call server.ts weekly-report week=12', 'a prompt'],
      ['call server.ts notes://today --out today.pdf', 'a resource, into a file'],
      ["call --command 'node server.js' echo text=hello", 'of a server that speaks over stdio'],
    ],
    arguments: [
      TARGET,
      {
        name: 'name',
        isName: true,
        arity: 'optional',
        summary: 'a tool, tool.action, a prompt, or the name or URI of a resource',
      },
      {
        name: 'key=value',
        arity: 'many',
        summary:
          'arguments; the schema says which are numbers, booleans, lists; `a.b=1` reaches into objects',
      },
    ],
    options: [
      { flags: '--prompt', summary: 'the name is that of a prompt, also where a tool has it' },
      {
        flags: '--input <json>',
        summary: 'arguments as JSON, as @file or as - for stdin; key=value comes on top',
        synonyms: ['--args', '--arguments', '--data', '--params'],
      },
      COMMAND,
      HEADER,
      ERA,
      {
        flags: '--timeout <ms>',
        summary:
          'how long to wait for an answer or a report of progress (default 60000), and for the file to load',
        parse: wholeNumber('--timeout', 1, 2 ** 31 - 1, 120_000),
      },
      MAX_ANSWER,
      { flags: '--action-version <range>', summary: 'which versions of the action may run, as an npm range' },
      {
        flags: '--answer <answer>',
        summary: 'answers questions of the server: decline, cancel, or the fields as JSON or @file',
        synonyms: ['--confirm', '--yes'],
      },
      {
        flags: '--out <file>',
        summary: 'write the file, image or sound of the answer to a file; else its text',
        synonyms: ['--output', '--save', '--file'],
      },
      { flags: '--dry-run', summary: 'show what would be sent, and send nothing', synonyms: ['--print'] },
    ],
    load: () => import('./commands/call.ts'),
  },
  {
    name: 'explain',
    summary: 'Say by what each input is checked, and why',
    examples: [
      ['explain server.ts', 'all inputs, in short'],
      ['explain server.ts tasks.create', 'every rule of one'],
    ],
    arguments: [
      ENTRY,
      {
        name: 'action',
        isName: true,
        arity: 'optional',
        summary: 'an action (tasks.create), a prompt or a resource',
      },
    ],
    options: [LOADING_TIMEOUT],
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'export',
    summary: "Write the tools for a model's API, or as types for a client or for code",
    examples: [
      ['export server.ts --for openai --strict > tools.json', 'for the Chat Completions API'],
      ['export server.ts --for anthropic --flat', 'one tool for each action'],
      ['export server.ts --for code > actions.d.ts', 'declarations for code that a model writes'],
      ['export toolwright.lock.json --for client > tasks.ts', 'types for a client of this server'],
      ['export https://tasks.example/mcp --for client > tasks.ts', 'of a server that runs elsewhere'],
    ],
    arguments: [EXPORTED],
    options: [
      {
        flags: '--for <format>',
        summary: 'the form of the tools (default: mcp)',
        synonyms: ['--format', '--provider', '--to', '--client'],
        choices: ['mcp', 'openai', 'openai-responses', 'anthropic', 'gemini', 'a2a', 'client', 'code'],
      },
      { flags: '--strict', summary: 'hold the model to the schema, where the API can' },
      { flags: '--flat', summary: 'one tool for each action' },
      { ...COMMAND, summary: `${COMMAND.summary}; with --for client` },
      { ...HEADER, summary: `${HEADER.summary}; with --for client` },
      TIMEOUT,
    ],
    load: () => import('./commands/export.ts'),
  },
  ...SURFACE_COMMANDS,
  ...SETUP_COMMANDS,
];
