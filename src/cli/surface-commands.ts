import type { CommandSpec, OptionSpec } from './command.ts';
import { EVAL_FORMATS, STALE } from './evals/write-report.ts';
import { DIFF_FORMATS } from './lock/report.ts';
import { FAIL_ON } from './lock/verdict.ts';
import {
  collect,
  COMMAND,
  ENTRY,
  ERA,
  HEADER,
  LISTED_TO,
  LOADING_TIMEOUT,
  isoDate,
  share,
  MAX_ANSWER,
  SURFACES,
  TIMEOUT,
  wholeNumber,
} from './option-values.ts';

const SIDE = 'a lock file, a file with an application, a URL, or git:<revision>:<lock file>';

const FORMAT: OptionSpec = {
  flags: '--format <format>',
  summary: 'the form of the difference (default: text)',
  synonyms: ['--for', '--reporter', '--as'],
  choices: DIFF_FORMATS,
};

/** The commands that are about all that a server offers: what it was, what has changed. */
export const SURFACE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'lock',
    summary: 'Write down what an application offers, or check that it is still so',
    examples: [
      ['lock server.ts', 'write toolwright.lock.json'],
      ['lock server.ts --check', 'end with 1 where the file is out of date'],
    ],
    arguments: [ENTRY],
    options: [
      {
        flags: '--check',
        summary: 'write nothing; show what differs',
        synonyms: ['--dry-run', '--verify', '--frozen', '--print'],
      },
      {
        flags: '--full',
        summary: 'write the tools of all surfaces that clients get, and not only their names',
      },
      {
        flags: '-o, --output <file>',
        summary: 'the lock file (default: toolwright.lock.json)',
        synonyms: ['--out', '--file'],
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/lock.ts'),
  },
  {
    name: 'eval',
    summary: 'Run requests of people against the tools, with a script, a recording or a model',
    examples: [
      [
        'eval',
        'all *.eval.yaml and *.eval.ts here and in evals/; the expected calls are made, and no model is asked',
      ],
      ['eval evals/notes.eval.yaml --surface all', 'what each surface costs, and what a search finds on it'],
      ['eval --model live:anthropic/claude-haiku-4-5 --record', 'ask a model, and record its answers'],
      ['eval --model recorded --format junit -o evals.xml', 'the same again without a network, for CI'],
      ['eval init server.ts -o evals/notes.eval.yaml', 'draft a case for each action'],
      ['eval from traffic.jsonl server.ts', 'draft a case for each call that failed'],
    ],
    arguments: [
      {
        name: 'files',
        arity: 'many',
        summary:
          'files of cases (default: *.eval.* here and in evals/); or init and an entry; or from, a file of JSON lines and an entry',
      },
    ],
    options: [
      {
        flags: '--surface <name>',
        summary: 'the surface whose tools are given to the model (default: own)',
        choices: [...SURFACES, 'all'],
      },
      {
        flags: '--model <model>',
        summary: 'scripted, recorded or live:<provider>/<model> (default: scripted)',
        synonyms: ['--live', '--provider'],
      },
      {
        flags: '--recording <file>',
        summary: 'the answers of a model (default: evals.recorded.jsonl)',
        synonyms: ['--cassette'],
      },
      {
        flags: '--record',
        summary: 'write the answers of a live model to the recording, in place of an earlier one',
      },
      {
        flags: '--stale <how>',
        summary: 'what a case without a recorded answer is (default: fail)',
        choices: STALE,
      },
      {
        flags: '--trials <number>',
        summary: 'how often each case is run (default: 1)',
        synonyms: ['--repeat', '--runs'],
        parse: wholeNumber('--trials', 1, 1000, 5),
      },
      {
        flags: '--min <share>',
        summary: 'the least share of done cases, else it ends with 1 (default: 1)',
        synonyms: ['--threshold'],
        parse: share('--min'),
      },
      {
        flags: '--format <format>',
        summary: 'the form of the results (default: text)',
        synonyms: ['--reporter', '--as'],
        choices: EVAL_FORMATS,
      },
      { flags: '-o, --output <file>', summary: 'write them to a file', synonyms: ['--out', '--file'] },
      {
        ...LOADING_TIMEOUT,
        summary:
          'how long an answer of the model (default 60000), and the file to load (default 30000), may take',
      },
    ],
    load: () => import('./commands/eval.ts'),
  },
  {
    name: 'diff',
    summary: 'Say what differs between two versions of a server, and whom it breaks',
    examples: [
      ['diff toolwright.lock.json server.ts', 'what has changed since the file was written'],
      ['diff git:main:toolwright.lock.json server.ts --fail-on risky', 'since the main branch'],
      ['diff old.ts server.ts --client claude-code', 'what this client notices of a change'],
      ['diff old.lock.json http://127.0.0.1:3000/mcp --format markdown', 'for a comment'],
    ],
    arguments: [
      { name: 'old', summary: SIDE },
      { name: 'new', arity: 'optional', summary: `${SIDE} (default: the entry of package.json)` },
    ],
    options: [
      {
        flags: '--fail-on <level>',
        summary: 'the least change that ends with 1 (default: breaking)',
        synonyms: ['--level', '--strict', '--max'],
        choices: FAIL_ON,
      },
      FORMAT,
      ...LISTED_TO,
      HEADER,
      ERA,
      TIMEOUT,
      MAX_ANSWER,
    ],
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'tokens',
    summary: 'Count what a model pays for the tools of a server',
    examples: [
      [
        'tokens server.ts',
        'by tool, action and part; each surface and form of description beside the others',
      ],
      ['tokens server.ts --client codex', 'what the tools cost this client'],
      ['tokens server.ts --budget 2000', 'end with 1 where they cost more'],
      ['tokens http://127.0.0.1:3000/mcp --for anthropic', "in the form of a model's API"],
      [
        'tokens server.ts --for anthropic --live',
        'counted by the provider, with the key in ANTHROPIC_API_KEY',
      ],
    ],
    arguments: [
      {
        name: 'target',
        arity: 'optional',
        summary: 'a file with an application, a URL, or a lock file (default: the entry of package.json)',
      },
    ],
    options: [
      {
        flags: '--for <form>',
        summary: 'the form in which the tools are counted (default: mcp)',
        synonyms: ['--format', '--provider'],
        choices: ['mcp', 'openai', 'anthropic', 'gemini'],
      },
      {
        flags: '--live',
        summary: 'ask the provider of --for to count, with its key from the environment',
      },
      { flags: '--model <name>', summary: 'the model that counts with --live (default: a current one)' },
      {
        flags: '--budget <tokens>',
        summary: 'the most that all tools may cost',
        synonyms: ['--max', '--limit', '--max-tokens'],
        parse: wholeNumber('--budget', 0, Number.MAX_SAFE_INTEGER, 2000),
      },
      {
        flags: '--per-tool <tokens>',
        summary: 'the most that one tool may cost',
        synonyms: ['--max-per-tool', '--tool-budget'],
        parse: wholeNumber('--per-tool', 0, Number.MAX_SAFE_INTEGER, 600),
      },
      ...LISTED_TO,
      COMMAND,
      HEADER,
      ERA,
      TIMEOUT,
      MAX_ANSWER,
    ],
    load: () => import('./commands/tokens.ts'),
  },
  {
    name: 'audit',
    summary: 'Verify that no record of an audit was changed, removed, put in or moved',
    examples: [
      ['audit verify audit.jsonl', 'the first record that is wrong, and 1 where there is one'],
      [
        'audit verify audit.jsonl --checkpoints anchor.jsonl --public-key audit.pub.pem',
        'with signed checkpoints, which show what is missing at the end',
      ],
    ],
    arguments: [
      { name: 'what', choices: ['verify'], summary: 'what to do' },
      {
        name: 'source',
        summary: 'a file of jsonLinesAuditStore(), or the URL of the database: postgres://…',
      },
    ],
    options: [
      { flags: '--checkpoints <file>', summary: 'the checkpoints that fileAnchor() has written' },
      {
        flags: '--public-key <file>',
        summary: 'the public key of the checkpoints, as PEM; may be repeated',
        parse: collect,
      },
      {
        flags: '--pruned-before <date>',
        summary: 'records after this date must be there (default: a chain may begin at any checkpoint)',
        parse: isoDate('--pruned-before'),
      },
      {
        flags: '--allow-unsigned',
        summary: 'a chain may have no checkpoint, as that of a process that was killed early',
      },
      {
        flags: '--interval <ms>',
        summary: 'after how long a new chain has to be signed (default 60000, as the application signs)',
        parse: wholeNumber('--interval', 0, 2 ** 31 - 1, 60_000),
      },
      { flags: '--schema <name>', summary: 'the schema of the tables (default: toolwright)' },
      { flags: '--name <name>', summary: 'the name of the audit in the database (default: audit)' },
    ],
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'who',
    summary: 'Find the caller behind a hash in the log',
    examples: [
      ['who audit.jsonl 5f0c3a9e --key log.key', 'among those of an audit; 1 where it is none of them'],
      ['who suspects.jsonl --key log.key', 'the hash of each, to look for in the log'],
      ['who audit.jsonl 5f0c3a9e --secrets mcp.secret', 'where the application has no redact.endUserKey'],
    ],
    arguments: [
      {
        name: 'source',
        summary:
          'who it may be: a file or database of an audit, or lines like {"clientId":"desk","sub":"ann","issuer":"…","tenant":"…"}',
      },
      {
        name: 'hash',
        arity: 'optional',
        summary: 'the member subject of a log record, or its first 8 characters or more (default: all)',
      },
    ],
    options: [
      { flags: '--key <file>', summary: 'a file with the key of the hashes, redact.endUserKey' },
      {
        flags: '--secrets <file>',
        summary: 'a file with the first of the secrets, where there is no such key',
      },
      { flags: '--schema <name>', summary: 'the schema of the tables (default: toolwright)' },
      { flags: '--name <name>', summary: 'the name of the audit in the database (default: audit)' },
    ],
    load: () => import('./commands/who.ts'),
  },
];
