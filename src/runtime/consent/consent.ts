import { randomUUID } from 'node:crypto';
import { askForm, type AskContract } from '../../call/ask.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { CallToolResult } from '../../call/results.ts';
import { argumentsDigest, canonicalArguments } from '../../compile/stages/bound-arguments.ts';
import type { Attempt, CompileStage, CallPlace } from '../../compile/stages/stages.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';

/** Who agreed to a call: somebody behind the client, or the code that makes the call inside the process. */
type Acknowledgement = 'elicitation' | 'policy';

/** In the `_meta` of a result: who agreed to the call. */
const CONSENT_META_KEY = 'toolwright/consent';

/** Runs what is left of an attempt only if somebody agrees to it. */
export const compileConsent: CompileStage = ({ confirm }) => {
  if (confirm !== true) return undefined;
  return (next) => async (attempt) => {
    const acknowledged = await acknowledge(attempt);
    return stamped((await next(attempt)) as Outcome, acknowledged);
  };
};

/** The names of the question and of the steps around it. */
const QUESTION = 'toolwright/consent';
const [ASKED, AGREED, USED] = [
  'toolwright/consent-asked',
  'toolwright/consent-given',
  'toolwright/consent-used',
];
const LIFETIME = 5 * 60_000;

/** Of the form, whose one field cannot be ticked by leaving it alone. */
const CONTRACT: AskContract = deepFreeze({
  schema: {
    type: 'object',
    properties: { agreed: { type: 'boolean', title: 'Yes, run it', default: false } },
    required: ['agreed'],
  },
  check: (value) =>
    typeof value['agreed'] === 'boolean'
      ? { ok: true, value: { agreed: value['agreed'] } }
      : { ok: false, issues: [{ path: 'agreed', message: 'must be true or false' }] },
});
const CONTRACTS = { of: () => CONTRACT };

/**
 * Asks once in a call, however often its handler runs again for answers: caller, tool and arguments as they came are
 * sealed with the question, and here the version and the validated arguments are.
 * @throws ToolError CONSENT_DECLINED, CONSENT_UNAVAILABLE or CONSENT_EXPIRED
 */
async function acknowledge({ run, input }: Attempt): Promise<Acknowledgement> {
  // Only actions ask, and their run is that of a call of the service
  const call = run.call as unknown as Call;
  if (call.context.consent === 'granted') return 'policy';
  const { tool, name, version } = run.place;
  const bound = [tool, name, version ?? null, argumentsDigest({ input })].join(' ');
  const asked = await call.step(ASKED, () => ({ bound, at: Date.now() }));
  if (asked.bound !== bound) throw expired(call, 'The call is no longer what was asked for');
  if (!(await isAgreed(call, consentQuestion(run.place, input)))) throw declined();
  const agreedAt = await call.step(AGREED, () => Date.now());
  if (agreedAt - asked.at > LIFETIME) throw expired(call, 'The answer came too late');
  await use(call);
  return 'elicitation';
}

/**
 * A round whose connection is lost may be played again, but what it did with the consent is not known.
 * @throws ToolError OUTCOME_UNKNOWN
 */
async function use(call: Call): Promise<void> {
  const mine: Use = { round: roundOf(call), run: randomUUID() };
  // Each round leaves its own, under the same name
  for (;;) {
    const { round, run } = await call.step(USED, () => mine);
    if (run === mine.run) return;
    if (round === mine.round) throw outcomeUnknown(call);
  }
}

interface Use {
  readonly round: string;
  readonly run: string;
}

function roundOf({ opened }: Call): string {
  return opened === undefined || ProtocolError.is(opened) ? '' : opened.id;
}

function outcomeUnknown(call: Call): ToolError {
  call.recorder?.skipRest();
  const message = 'The user agreed to this call once, it began, and nobody knows how it ended';
  const suggestion = 'find out what it has done before you call again';
  return new ToolError('OUTCOME_UNKNOWN', message, { suggestion });
}

async function isAgreed(call: Call, message: string): Promise<boolean> {
  const question = { schema: {}, message, name: QUESTION };
  try {
    const answer = await askForm<{ readonly agreed: boolean }>(call, CONTRACTS, question);
    return answer.action === 'accept' && answer.content.agreed;
  } catch (error) {
    if (!ToolError.is(error) || !CANNOT_ASK.has(error.code)) throw error;
    throw unavailable(error);
  }
}

const CANNOT_ASK: ReadonlySet<string> = new Set(['CLIENT_CAPABILITY_MISSING', 'CLIENT_UNREACHABLE']);

function declined(): ToolError {
  return new ToolError('CONSENT_DECLINED', 'The user did not agree to this call, and nothing was done', {
    suggestion: 'do not repeat the call unless the user asks for it',
  });
}

function unavailable(cause: ToolError): ToolError {
  const message = 'A person has to agree to this call, and this client can ask nobody; nothing was done';
  const suggestion =
    'a client that declares the capability "elicitation", over a connection that carries questions';
  return new ToolError('CONSENT_UNAVAILABLE', message, { suggestion, cause });
}

function expired(call: Call, why: string): ToolError {
  call.recorder?.skipRest();
  return new ToolError('CONSENT_EXPIRED', `${why}, and nothing was done`, {
    suggestion: 'call again, and the user is asked again',
  });
}

function stamped(outcome: Outcome, acknowledged: Acknowledgement): Outcome {
  if (outcome.kind !== 'result') return outcome;
  const result = outcome.value as CallToolResult;
  const meta = { ...result._meta, [CONSENT_META_KEY]: { acknowledged } };
  return { kind: 'result', value: { ...result, _meta: meta }, encoded: undefined };
}

/** Characters of one value. */
const LONGEST = 200;
const MOST_LINES = 20;

/** What nobody sees, or what changes how the text around it is shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
/** What a client could show as markup, and what could end the quotes. */
const MARKUP = /[\\"<>&`[\]*~|]/g;
/** What makes a link of the text after it. */
const LINK = /:(?=\/\/)|(?<=\bwww)\.|(?<=\b(?:javascript|data|mailto|tel|file|vbscript)):/gi;
const PIECE = /\\u[0-9a-f]{4}|./gsu;

/**
 * Asks whether a call may run, in words that are the same each time. What comes from its arguments is quoted, cut, and
 * free of markup and links, so that it cannot pass for a part of the question.
 */
export function consentQuestion({ tool, name, version }: CallPlace, input: unknown): string {
  const called = version === undefined ? name : `${name} ${version}`;
  const lines = [...linesOf(JSON.parse(canonicalArguments({ input: input ?? {} })))];
  const shown = lines.slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return [
    `May "${called}" of "${tool ?? ''}" run? It may destroy something.`,
    ...shown,
    ...(more > 0 ? [`(and ${String(more)} more values)`] : []),
  ].join('\n');
}

/** One line for each value, however deep it is. */
function* linesOf(value: unknown, path = ''): Generator<string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length > 0) {
    for (const [name, member] of members) {
      const shown = shownText(name);
      yield* linesOf(member, path === '' ? shown : `${path}.${shown}`);
    }
  } else if (path !== '') yield `${path}: ${shownValue(value)}`;
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? `"${shownText(value)}"` : JSON.stringify(value);
}

/** A text of somebody else as a part of a question. */
export function shownText(text: string): string {
  const seen = text
    .replace(/[^\S\ufeff]+/g, ' ')
    .replace(UNSEEN, '')
    .slice(0, LONGEST + 1);
  const pieces = seen.replace(MARKUP, escaped).replace(LINK, escaped).match(PIECE) ?? [];
  let shown = '';
  for (const piece of pieces) {
    if (shown.length + piece.length >= LONGEST) return `${shown}…`;
    shown += piece;
  }
  return shown;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
