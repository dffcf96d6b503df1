import * as clack from '@clack/prompts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Terminal } from '../output/terminal.ts';
import { quotedText, visibleLine, visibleText } from '../../shared/visible-text.ts';

const CANCELLED = { action: 'cancel' } as const;
const DECLINED = { action: 'decline' } as const;
const CTRL_C = '\u0003';

/** Where the questions are asked: stdout has the result of the command. */
type Place = Terminal['questions'];

/**
 * Shows a form or a URL of a server to the person at the terminal (spec: client/elicitation).
 * @param interrupt ends the call at Ctrl-C, which a terminal that hands over single keys makes no signal of; Esc only
 * closes the question
 */
export async function askPerson(
  question: PlainObject,
  terminal: Terminal,
  interrupt: () => void,
): Promise<PlainObject> {
  const { stdin } = terminal;
  let keys = '';
  const watch = (data: Buffer | string): void => {
    keys += String(data);
  };
  stdin.on('data', watch);
  try {
    const answer = await ask(question, terminal);
    if (keys.includes(CTRL_C)) interrupt();
    return answer;
  } finally {
    stdin.off('data', watch);
  }
}

async function ask(question: PlainObject, terminal: Terminal): Promise<PlainObject> {
  const message = quotedText(textOf(question['message']) ?? 'The server asks:');
  if (question['mode'] === 'url') return askToOpen(message, textOf(question['url']) ?? '', terminal);
  const { requestedSchema } = question;
  const schema: JsonSchema = isPlainObject(requestedSchema) ? requestedSchema : {};
  const [only, ...others] = Object.entries(schema.properties ?? {});
  const isYesOrNo = only?.[1].type === 'boolean' && others.length === 0;
  return isYesOrNo
    ? askYesOrNo(message, ...only, terminal.questions)
    : askForm(message, schema, terminal.questions);
}

/** A form of one box is one question. */
async function askYesOrNo(
  message: string,
  name: string,
  { title, description, default: initial }: JsonSchema,
  place: Place,
): Promise<PlainObject> {
  const label = visibleLine(title ?? description ?? `Yes: ${name}`);
  const choice = await clack.select({
    ...place,
    message,
    options: [
      { value: 'yes', label },
      { value: 'no', label: 'No' },
      { value: 'decline', label: 'Decline to answer' },
    ],
    initialValue: initial === true ? 'yes' : 'no',
  });
  if (clack.isCancel(choice)) return CANCELLED;
  return choice === 'decline' ? DECLINED : { action: 'accept', content: { [name]: choice === 'yes' } };
}

async function askForm(message: string, schema: JsonSchema, place: Place): Promise<PlainObject> {
  const fields = Object.entries(schema.properties ?? {});
  const choice = await clack.select({
    ...place,
    message,
    options: [
      { value: 'accept', label: fields.length === 0 ? 'Yes' : 'Answer' },
      { value: 'decline', label: fields.length === 0 ? 'No' : 'Decline' },
    ],
  });
  if (clack.isCancel(choice)) return CANCELLED;
  if (choice !== 'accept') return DECLINED;
  const content: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = await askField(name, field, schema.required?.includes(name) ?? false, place);
    if (clack.isCancel(value)) return CANCELLED;
    if (value !== undefined) content[name] = value;
  }
  return { action: 'accept', content };
}

async function askToOpen(message: string, url: string, terminal: Terminal): Promise<PlainObject> {
  terminal.line(`${message}\n${terminal.talk.cyan(visibleLine(url))}`);
  const isDone = await clack.confirm({ ...terminal.questions, message: 'Have you opened this address?' });
  if (clack.isCancel(isDone)) return CANCELLED;
  return { action: isDone ? 'accept' : 'decline' };
}

type Asked = Promise<unknown>;

async function askField(name: string, field: JsonSchema, isRequired: boolean, place: Place): Asked {
  const title = field.title ?? name;
  const message = visibleLine(field.description === undefined ? title : `${title}: ${field.description}`);
  const choices = choicesOf(field);
  if (field.type === 'array') return askSeveral(message, field, isRequired, place);
  if (choices !== undefined) return askChoice(message, choices, field.default, isRequired, place);
  if (field.type === 'boolean') {
    return clack.confirm({ ...place, message, initialValue: field.default === true });
  }
  return askText(message, field, isRequired, place);
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

async function askChoice(
  message: string,
  choices: readonly Choice[],
  initial: unknown,
  isRequired: boolean,
  place: Place,
): Asked {
  const options: Choice[] = [...choices, ...(isRequired ? [] : [{ value: '', label: '(none)' }])];
  const initialValue = typeof initial === 'string' ? { initialValue: initial } : {};
  const chosen = await clack.select({ ...place, message, options, ...initialValue });
  return chosen === '' && !isRequired ? undefined : chosen;
}

async function askSeveral(message: string, field: JsonSchema, isRequired: boolean, place: Place): Asked {
  const options = [...(isPlainObject(field.items) ? (choicesOf(field.items) ?? []) : [])];
  return clack.multiselect({ ...place, message, options, required: isRequired });
}

async function askText(message: string, field: JsonSchema, isRequired: boolean, place: Place): Asked {
  const isNumber = field.type === 'number' || field.type === 'integer';
  const given = await clack.text({
    ...place,
    message,
    ...initialTextOf(field),
    validate: (value = '') => {
      if (value === '') return isRequired ? 'It is required.' : undefined;
      if (isNumber && !Number.isFinite(Number(value))) return 'It is to be a number.';
      return undefined;
    },
  });
  if (clack.isCancel(given)) return given;
  if (given === '' && !isRequired) return undefined;
  return isNumber ? Number(given) : given;
}

function initialTextOf({ default: initial }: JsonSchema): { readonly initialValue?: string } {
  if (typeof initial !== 'string' && typeof initial !== 'number') return {};
  const text = String(initial);
  // What cannot be shown as it is would be sent without having been seen
  return visibleText(text) === text ? { initialValue: text } : {};
}

/** `enum`, with the names of `enumNames`; or `oneOf` with titles (spec 2025-11-25: client/elicitation, Enum Schema). */
function choicesOf(field: JsonSchema): readonly Choice[] | undefined {
  const titled = field.oneOf ?? field.anyOf;
  if (titled !== undefined) {
    return titled.map(({ const: value, title }) => choice(String(value), title));
  }
  const names = field['enumNames'];
  return field.enum?.map((value, index) =>
    choice(String(value), Array.isArray(names) ? textOf(names[index]) : undefined),
  );
}

function choice(value: string, label = value): Choice {
  return { value, label: visibleLine(label) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
