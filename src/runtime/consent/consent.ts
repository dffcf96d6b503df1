import { randomUUID } from 'node:crypto';
import { askForm, type AskContract } from '../../call/ask.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { CallToolResult } from '../../call/results.ts';
import { argumentsDigest } from '../../compile/stages/bound-arguments.ts';
import type { Attempt, CompileStage } from '../../compile/stages/stages.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { consentQuestion } from './question.ts';

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
