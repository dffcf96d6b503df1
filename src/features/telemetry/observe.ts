import type { Subject } from '../../call/request-context.ts';
import { subjectOf } from '../../call/subject.ts';
import { redactText, redactValue } from '../../errors/redact.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../../kernel/call/call.ts';
import { CONSENT_META_KEY } from '../consent/index.ts';
import { REPLAY_META_KEY } from '../idempotency/index.ts';
import {
  EncodedResult,
  failureFactsOf,
  isFailure,
  wireFailure,
  withoutChallenge,
  type Outcome,
  type StandingOutcome,
} from '../../kernel/call/outcome.ts';
import { answerFault, isShutDown } from '../../runtime/failures/protocol-failures.ts';
import { secretsOf, writtenArguments } from '../../runtime/logging/call-secrets.ts';
import type { CompileStage } from '../../runtime/routes/route.ts';
import type { CallTarget } from '../../kernel/call/service-request.ts';
import {
  observeLife,
  OTHER,
  type ObservedEnd,
  type ObservedRequest,
  type Telemetry,
} from '../../kernel/call/telemetry.ts';

/** Reports each request, from its begin to its end. */
export const compileObservation: CompileStage = (target, settings) => {
  const { telemetry, observer, hidden = [] } = settings;
  if (observer === undefined) return undefined;
  const names = namesOf(target);
  return (next) => (call) => {
    const observation = observer.begin(new RequestOf(call, names, hidden), call);
    call.observation = observation;
    const ended = (outcome: Outcome): Outcome => {
      // A task was answered before
      const sent = call.state === 'detached' ? outcome : written(outcome, call);
      observation.end(endOf(sent, call, hidden));
      return sent.kind === 'standing' && telemetry !== undefined ? observedStream(sent, telemetry) : sent;
    };
    const failed = (thrown: unknown): Outcome => ended(answerFault(call, thrown, settings));
    let work: MaybePromise<Outcome>;
    try {
      work = observation.run(() => next(call));
    } catch (thrown) {
      return failed(thrown);
    }
    return work instanceof Promise ? work.then(ended, failed) : ended(work);
  };
};

type Names = Pick<ObservedRequest, 'method' | 'tool' | 'action' | 'prompt' | 'resource'>;

/** Known when the stage is compiled: callers choose none of them. */
function namesOf({ kind, method, name, action }: CallTarget): Names {
  const nameOf = (of: string): string | undefined => (method === of ? (name ?? OTHER) : undefined);
  return {
    method: kind === 'miss' && method === '' ? OTHER : method,
    tool: nameOf('tools/call'),
    action,
    prompt: nameOf('prompts/get'),
    resource: nameOf('resources/read'),
  };
}

class RequestOf implements ObservedRequest {
  readonly method: string;
  readonly tool: string | undefined;
  readonly action: string | undefined;
  readonly prompt: string | undefined;
  readonly callTrace: PlainObject | undefined;
  readonly resource: string | undefined;
  readonly #call: Call;
  readonly #hidden: readonly string[];

  constructor(call: Call, names: Names, hidden: readonly string[]) {
    this.method = names.method;
    this.tool = names.tool;
    this.action = names.action;
    this.prompt = names.prompt;
    this.resource = names.resource;
    this.callTrace = call.context.callTrace;
    this.#call = call;
    this.#hidden = hidden;
  }

  get uri(): string | undefined {
    const { uri } = this.#call.params;
    if (!this.method.startsWith('resources/') || typeof uri !== 'string') return undefined;
    return this.#call.hidesUri === true ? undefined : this.#withoutSecrets(uri);
  }
  get requestId(): string | number {
    const { requestId } = this.#call;
    return typeof requestId === 'string' ? this.#withoutSecrets(requestId) : requestId;
  }
  get sessionId(): string | undefined {
    return this.#call.sessionId;
  }
  get protocolVersion(): string | undefined {
    return this.#call.context.protocolVersion;
  }
  get carrier(): ObservedRequest['carrier'] {
    const { carrier } = this.#call.context;
    if (carrier !== 'local') return carrier;
    return this.#call.origin.served.isLocal ? undefined : 'stdio';
  }
  get httpVersion(): string | undefined {
    return this.#call.context.http?.httpVersion;
  }
  get address(): string | undefined {
    return this.#call.address;
  }
  get port(): number | undefined {
    return this.#call.context.http?.port;
  }
  get isAnonymous(): boolean {
    return this.#call.authInfo === undefined && this.#call.context.carrier !== 'local';
  }
  get subject(): Subject | undefined {
    return subjectOf(this.#call.authInfo);
  }
  get meta(): PlainObject {
    return this.#call.meta;
  }

  header(name: string): string | undefined {
    return this.#call.header(name);
  }

  argumentsText(): string | undefined {
    return jsonOrNothing(() => writtenArguments(this.#call, this.#hidden));
  }

  #withoutSecrets(text: string): string {
    return redactText(text, secretsOf(this.#call, this.#hidden));
  }
}

/** Undefined for what JSON does not carry. */
function jsonOrNothing(make: () => unknown): string | undefined {
  try {
    return JSON.stringify(make());
  } catch {
    return undefined;
  }
}

/** A result is written here, once: its transport sends the same text, so that its size costs nothing. */
function written(outcome: Outcome, { context, origin }: Call): Outcome {
  const { encoder } = context;
  if (outcome.kind !== 'result' || outcome.encoded !== undefined || encoder === undefined) return outcome;
  try {
    const result = encoder.encode?.(origin.method, outcome.value as PlainObject) ?? outcome.value;
    return { ...outcome, encoded: new EncodedResult(result) };
  } catch {
    // Its transport refuses it
    return outcome;
  }
}

function endOf(sent: Outcome, call: Call, hidden: readonly string[]): ObservedEnd {
  const outcome = call.context.carrier === 'http' ? sent : withoutChallenge(sent, call.origin);
  const { code } = failureFactsOf(outcome) ?? {};
  const errorCode = textOf(code);
  const abandoned = abandonedType(call, errorCode);
  if (outcome.kind === 'failure') {
    const failure = wireFailure(outcome.error);
    const status = call.context.encoder?.encodeError?.(failure).code ?? failure.code;
    return { ...endOfError(status, errorCode), resultType: abandoned };
  }
  const { _meta: meta, resultType } = outcome.value as PlainObject;
  return {
    errorType: isFailure(outcome) ? 'tool_error' : undefined,
    status: undefined,
    errorCode,
    resultType: abandoned ?? textOf(resultType) ?? RESULT_TYPES[outcome.kind],
    isReplayed: memberOf(meta, REPLAY_META_KEY)['replayed'] === true,
    consent: textOf(memberOf(meta, CONSENT_META_KEY)['acknowledged']),
    size: outcome.kind === 'result' ? outcome.encoded?.bytes.length : undefined,
    resultText: () => (call.namesNothing === true ? undefined : shownResult(outcome.value, call, hidden)),
  };
}

/** Of a call whose client had given up, though its handler went on to the end. */
function abandonedType(call: Call, errorCode: string | undefined): 'abandoned' | undefined {
  if (!call.isCancelled || errorCode === 'CANCELLED' || call.state === 'detached') return undefined;
  return isShutDown(call.cancellation.reason) ? undefined : 'abandoned';
}

/** Of an output with sensitive members, the text would repeat them. */
function shownResult(value: object, call: Call, hidden: readonly string[]): string | undefined {
  const { content, structuredContent, ...others } = value as PlainObject;
  const shownOutput = call.target?.handler?.shownOutput;
  const shown =
    shownOutput !== undefined && isPlainObject(structuredContent)
      ? { ...others, structuredContent: shownOutput(structuredContent) }
      : { content, structuredContent, ...others };
  return jsonOrNothing(() => redactValue(shown, secretsOf(call, hidden)));
}

const RESULT_TYPES = { result: 'complete', accepted: 'task', standing: 'stream' } as const;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function memberOf(meta: unknown, key: string): PlainObject {
  const member = isPlainObject(meta) ? meta[key] : undefined;
  return isPlainObject(member) ? member : {};
}

function endOfError(status: number, errorCode: string | undefined): ObservedEnd {
  return {
    errorType: String(status),
    status,
    errorCode,
    resultType: undefined,
    isReplayed: false,
    consent: undefined,
    size: undefined,
    resultText: () => undefined,
  };
}

/** Counted as long as it is open. */
function observedStream(outcome: StandingOutcome, telemetry: Telemetry): StandingOutcome {
  const open: StandingOutcome['open'] = (sink) => {
    const close = outcome.open(sink);
    if (close === undefined) return undefined;
    const over = observeLife(telemetry, 'toolwright.streams.active', 'toolwright.stream.duration');
    return () => {
      close();
      over?.();
    };
  };
  return { ...outcome, open };
}
