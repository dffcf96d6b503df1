import { randomUUID } from 'node:crypto';
import { askForm, askUrl, type AskContract } from '../../call/ask.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { hasCapability, requireCapability } from '../../call/request-client.ts';
import type { CallToolResult } from '../../call/results.ts';
import { ownerOf, subjectKey, subjectOf } from '../../call/subject.ts';
import { argumentsDigest } from '../../compile/stages/bound-arguments.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { CompileStage } from '../../kernel/call/stage.ts';
import { reservedValue } from '../../compile/tools/reserved-arguments.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { Call } from '../../kernel/call/call.ts';
import type { Outcome } from '../../kernel/call/outcome.ts';
import type {} from './call-fields.ts';
import { CONSENT_LIFETIME_MS } from './consent-pages.ts';
import { consentQuestion } from './consent-question.ts';
import type { Consents } from './consents.ts';
import type { ConsentMode } from './destructive.ts';
import { CONSENT_META_KEY } from './index.ts';

/** Who agreed to a call: somebody behind the client, who signed in on a page, its second call, or code in the process. */
type Acknowledgement = 'elicitation' | 'url' | 'twice' | 'policy';

/** The argument with which a second call confirms itself. */
export const CONFIRMATION_ARGUMENT = 'confirmation';

/** Runs what is left of an attempt only if somebody agrees to it. */
export const compileConsent: CompileStage = (action, { bound }) => {
  const confirm = bound['consent'] as ConsentMode | undefined;
  if (confirm === undefined) return undefined;
  const ask = ASKING[`${confirm}`];
  return (next) => async (attempt) => {
    const { call } = attempt;
    const isGranted = call.context.consent === 'granted';
    const acknowledged = isGranted ? 'policy' : await ask(call, attempt, consentQuestion(attempt, action));
    attempt.acknowledged = acknowledged;
    return stamped((await next(attempt)) as Outcome, acknowledged);
  };
};

/** By the option `confirm` of the action. */
const ASKING = { true: askPerson, url: askOnPage, twice: takeConfirmation } as const;

/** Every application and registry has them. */
function consentsOf({ states }: Call): Consents {
  return states.consent as Consents;
}

/** The names of the question and of the steps around it. */
const QUESTION = 'toolwright/consent';
const [ASKED, AGREED, OPENED, DECIDED, CONFIRMED, USED] = [
  'toolwright/consent-asked',
  'toolwright/consent-given',
  'toolwright/consent-page',
  'toolwright/consent-decided',
  'toolwright/consent-confirmed',
  'toolwright/consent-used',
];

/** The form: one box, which is empty until the person ticks it. */
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
async function askPerson(call: Call, attempt: Attempt, text: string): Promise<Acknowledgement> {
  const { pages, clock } = consentsOf(call);
  if (pages.hasPage && !hasCapability(call.client().capabilities, 'elicitation')) {
    return askOnPage(call, attempt, text);
  }
  const bound = boundBy(attempt);
  const asked = await call.step(ASKED, () => ({ bound, at: clock.now() }));
  if (asked.bound !== bound) throw expired(call, 'The call is no longer what was asked for');
  const question = { schema: {}, message: text, name: QUESTION };
  const answer = await asking(() => askForm<{ readonly agreed: boolean }>(call, CONTRACTS, question));
  if (answer.action !== 'accept' || !answer.content.agreed) throw declined();
  const agreedAt = await call.step(AGREED, () => clock.now());
  if (agreedAt - asked.at > CONSENT_LIFETIME_MS) throw expired(call, 'The answer came too late');
  await use(call);
  return 'elicitation';
}

/** Milliseconds that an answer waits for a decision before a client that calls again is asked once more. */
const PATIENCE = 20_000;

/**
 * Asks the person that the call is made for on a page of the application, which signs them in.
 * @throws ToolError as {@link askPerson} does
 */
async function askOnPage(call: Call, attempt: Attempt, text: string): Promise<Acknowledgement> {
  const { pages, clock } = consentsOf(call);
  const { authInfo, signal } = call;
  const { clientId: _program, sub, ...others } = subjectOf(authInfo) ?? { clientId: '' };
  if (authInfo === undefined || sub === undefined || !pages.hasPage) throw unavailable(NOBODY);
  await asking(async () => requireCapability(call.client(), 'elicitation.url'));
  const bound = boundBy(attempt);
  const { tool = '', name: action } = attempt.place;
  const asked = { person: { sub, ...others }, tool, action, text };
  const page = await call.step(OPENED, async () => ({ bound, ...(await pages.open(asked)) }));
  if (page.bound !== bound) throw expired(call, 'The call is no longer what was asked for');
  const accepts = (): Promise<boolean> => pages.isDecided(page.id, clock.now() + PATIENCE, signal);
  const question = { url: page.url, message: text, name: QUESTION, accepts };
  const { action: answer } = await asking(() => askUrl(call, question));
  if (answer !== 'accept') throw declined();
  const decided = await call.step(DECIDED, () => {
    const decision = pages.decision(page.id, page.expires, signal);
    return call.limit?.outside(decision) ?? decision;
  });
  if (decided === 'denied') throw declined();
  if (decided === 'used') throw outcomeUnknown(call);
  if (decided !== 'granted') throw expired(call, 'Nobody agreed in time');
  await use(call);
  return 'url';
}

/** What a consent is for, beside its caller. */
function boundBy({ place, input }: Attempt): string {
  const { tool, name, version } = place;
  return [tool, name, version ?? null, argumentsDigest({ input })].join(' ');
}

/**
 * Takes the confirmation that a second call brings; the first one gets it.
 * @throws ToolError CONSENT_REQUIRED, OUTCOME_UNKNOWN or TRY_AGAIN_LATER
 */
async function takeConfirmation(call: Call, attempt: Attempt, text: string): Promise<Acknowledgement> {
  const consents = consentsOf(call);
  const owner = call.authInfo && subjectKey(subjectOf(call.authInfo));
  const bound = JSON.stringify([owner ?? null, boundBy(attempt)]);
  const given = reservedValue(call.args, CONFIRMATION_ARGUMENT);
  if (typeof given !== 'string') throw required(text, consents.confirmationOf(bound));
  const taken = await call.step(CONFIRMED, async () => ({
    bound,
    is: await consents.take(given, bound, ownerOf(call.authInfo)),
  }));
  if (taken.bound !== bound) throw expired(call, 'The call is no longer what was agreed to');
  if (taken.is === 'unfit') {
    call.recorder?.skipRest();
    throw required(text, consents.confirmationOf(bound), UNFIT);
  }
  if (taken.is === 'used') throw outcomeUnknown(call);
  await use(call);
  return 'twice';
}

const UNFIT = 'The confirmation is for another call, or older than 5 minutes. ';

function required(question: string, confirmation: string, why = ''): ToolError {
  const message = `${why}Nothing was done yet: the call has to be confirmed. ${question}`;
  const suggestion =
    'if the user agrees, call again within 5 minutes with the same arguments and this confirmation';
  return new ToolError('CONSENT_REQUIRED', message, { suggestion, details: { confirmation } });
}

/**
 * Uses the consent up. A round whose connection was lost is played again, but nobody knows what it did the first time.
 * @throws ToolError OUTCOME_UNKNOWN
 */
async function use(call: Call): Promise<void> {
  const mine: Use = { round: roundOf(call), run: randomUUID() };
  // Each round records one, under the same name
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
  const message = 'This call was agreed to once, it began, and nobody knows how it ended';
  const suggestion = 'find out what it has done before you call again';
  return new ToolError('OUTCOME_UNKNOWN', message, { suggestion });
}

async function asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!ToolError.is(error) || !CANNOT_ASK.has(error.code)) throw error;
    throw unavailable('this client cannot ask anybody', error);
  }
}

const CANNOT_ASK: ReadonlySet<string> = new Set(['CLIENT_CAPABILITY_MISSING', 'CLIENT_UNREACHABLE']);

function declined(): ToolError {
  return new ToolError('CONSENT_DECLINED', 'The user did not agree to this call, and nothing was done', {
    suggestion: 'do not repeat the call unless the user asks for it',
  });
}

const NOBODY = 'it is not known who calls, or there is no page to ask them on';

function unavailable(why: string, cause?: ToolError): ToolError {
  const message = `A person has to agree to this call, and ${why}; nothing was done`;
  const suggestion = 'use a client that can ask its user: one that declares the capability "elicitation"';
  return new ToolError('CONSENT_UNAVAILABLE', message, { suggestion, cause });
}

function expired(call: Call, why: string): ToolError {
  call.recorder?.skipRest();
  const suggestion = 'call again, and the user is asked again';
  return new ToolError('CONSENT_EXPIRED', `${why}, and nothing was done`, { suggestion });
}

function stamped(outcome: Outcome, acknowledged: Acknowledgement): Outcome {
  if (outcome.kind !== 'result') return outcome;
  const result = outcome.value as CallToolResult;
  const meta = { ...result._meta, [CONSENT_META_KEY]: { acknowledged } };
  return { kind: 'result', value: { ...result, _meta: meta }, encoded: undefined };
}
