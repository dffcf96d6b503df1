import type { QuestionHandlers } from '../../client/era-2026.ts';
import { isPlainObject, membersOf, type PlainObject } from '../../shared/json.ts';
import { quotedText, visibleLine } from '../../shared/visible-text.ts';
import { CliError } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { readJson } from './json-text.ts';

/** Answers the questions of a server, or ends the call. */
export interface Answers extends QuestionHandlers {
  readonly onElicitation: (question: PlainObject) => Promise<PlainObject>;
}

/** What ends a call while a question is open. */
interface QuestionEnds {
  /** No person can answer. */
  readonly fail: (error: CliError) => void;
  /** The person at the terminal wants the whole call to end. */
  readonly interrupt: () => void;
}

/** Answers by `--answer`, or asks the person at the terminal. */
export async function createAnswers(
  answer: string | undefined,
  terminal: Terminal,
  { fail, interrupt }: QuestionEnds,
): Promise<Answers> {
  if (answer === 'decline' || answer === 'cancel') return { onElicitation: async () => ({ action: answer }) };
  if (answer !== undefined) return fromFile(await readAnswer(answer, terminal), fail);
  if (terminal.canAsk) {
    return {
      onElicitation: async (question) => {
        const { askPerson } = await import('./ask-person.ts');
        return askPerson(question, terminal, interrupt);
      },
    };
  }
  return {
    onElicitation: async ({ message, requestedSchema }) => {
      fail(unanswered(message, requestedSchema));
      return { action: 'cancel' };
    },
  };
}

/** One object with the fields of all forms, or a list with an answer for each question in turn. */
function fromFile(given: unknown, fail: (error: CliError) => void): Answers {
  const inTurn = Array.isArray(given) ? [...(given as unknown[])] : undefined;
  return {
    onElicitation: async ({ message, requestedSchema }) => {
      const next = inTurn === undefined ? given : inTurn.shift();
      if (next === 'decline' || next === 'cancel') return { action: next };
      if (!isPlainObject(next)) {
        fail(unanswered(message, requestedSchema));
        return { action: 'cancel' };
      }
      return { action: 'accept', content: fieldsOf(next, requestedSchema) };
    },
  };
}

/** One file may have the fields of several forms; each gets its own. */
function fieldsOf(given: PlainObject, schema: unknown): PlainObject {
  const properties =
    isPlainObject(schema) && isPlainObject(schema['properties']) ? schema['properties'] : given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in properties));
}

/** Reads JSON, `@file` or `-`. What looks like none of them gets an error with all forms. */
async function readAnswer(answer: string, { stdin }: Terminal): Promise<unknown> {
  if (/^\s*[[{"]|^@|^-$/.test(answer)) return readJson('--answer', answer, stdin);
  const [, name = 'agreed', value] = /^([\w.-]+)=(.*)$/s.exec(answer) ?? [];
  const example = JSON.stringify({ [name]: value ?? true });
  throw new CliError('TW_CLI_INPUT', {
    where: '--answer',
    what: `takes decline, cancel, JSON or @file, and got ${JSON.stringify(answer)}.`,
    fix: `--answer '${example}', with the fields of the form by their names`,
  });
}

function unanswered(message: unknown, schema: unknown): CliError {
  const fields = Object.entries(membersOf(membersOf(schema)['properties']));
  const named = fields.map(([name, field]) => fieldText(name, membersOf(field)));
  const example = JSON.stringify(Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)])));
  return new CliError('TW_CLI_QUESTION', {
    where: 'The server',
    what: `asks a question: ${typeof message === 'string' ? quotedText(message) : 'without words'}${named.length === 0 ? '' : `\n  fields: ${named.join(', ')}`}`,
    why: 'nobody is here to answer it: that takes a terminal on stdin and stderr, outside of CI and without --no-input.',
    fix: `--answer '${example}', --answer @answers.json, --answer decline or --answer cancel`,
  });
}

function fieldText(name: string, { type, title, enum: listed }: PlainObject): string {
  const kind = Array.isArray(listed)
    ? listed.map(String).join(' or ')
    : typeof type === 'string'
      ? type
      : 'any';
  return visibleLine(`${name} (${kind}${typeof title === 'string' ? `: ${title}` : ''})`);
}

/** A value that the field could have. */
function exampleOf(field: unknown): unknown {
  const { type, enum: listed, default: initial } = membersOf(field);
  if (Array.isArray(listed)) return listed[0] as unknown;
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return initial ?? 1;
  return type === 'array' ? [] : (initial ?? '…');
}
