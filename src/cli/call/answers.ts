import type { QuestionHandlers } from '../../client/era-2026.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { readJson } from './json-text.ts';

/** Answers the questions of a server, or ends the call. */
export interface Answers extends QuestionHandlers {
  readonly onElicitation: (question: PlainObject) => Promise<PlainObject>;
}

/**
 * Answers by `--answer`, or asks the person at the terminal.
 * @param fail ends the call, because nobody can answer
 */
export async function createAnswers(
  answer: string | undefined,
  terminal: Terminal,
  fail: (error: CliError) => void,
): Promise<Answers> {
  if (answer === 'decline' || answer === 'cancel') return { onElicitation: async () => ({ action: answer }) };
  if (answer !== undefined) return fromFile(await readJson('--answer', answer, terminal.stdin), fail);
  if (terminal.canAsk) {
    return {
      onElicitation: async (question) => {
        const { askPerson } = await import('./ask-person.ts');
        return askPerson(question, terminal);
      },
    };
  }
  return {
    onElicitation: async ({ message }) => {
      fail(nobodyAnswers(message));
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
        fail(nobodyAnswers(message));
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

function nobodyAnswers(message: unknown): CliError {
  return new CliError('TW_CLI_QUESTION', {
    where: 'The server',
    what: `asks a question: ${typeof message === 'string' ? message : 'without words'}`,
    why: 'nobody is here to answer it: that takes a terminal on stdin and stderr, outside of CI and without --no-input.',
    fix: '--answer decline, --answer cancel, or --answer @answers.json',
  });
}
