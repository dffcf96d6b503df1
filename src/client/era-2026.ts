import { ENVELOPE, METHODS_2026 } from '../engine/protocol.ts';
import { parameterText, valueAt } from '../engine/revisions/2026-07-28/request-faults.ts';
import { headerParametersOf } from '../schema/header-parameters.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, membersOf, type PlainObject } from '../shared/json.ts';
import type { Root } from '../call/ask.ts';
import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import { schemaFault } from './answer-shapes.ts';
import { type ClientConnection, type WireOptions, unknownMethod } from './client-connection.ts';
import {
  describeServer,
  type ChangeFilter,
  type ClientEra,
  type EraRequestOptions,
  type ClientIdentity,
} from './client-era.ts';
import { connectionError, eraNotServed, unusableAnswer } from './client-errors.ts';

const REVISION = '2026-07-28';
/** Stops a server that never ends its questions. */
const MOST_ROUNDS = 100;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

interface Era2026Options extends ClientIdentity {
  readonly questions: QuestionHandlers;
  /** Milliseconds for the first answer. */
  readonly timeout?: number;
}

/** Asks a server what it serves (spec 2026-07-28: server/discover). Nothing else is kept, because there are no sessions. */
export async function openEra2026(connection: ClientConnection, options: Era2026Options): Promise<ClientEra> {
  const client = new Era2026(connection, options);
  const { timeout } = options;
  const result = await client.send('server/discover', {}, timeout === undefined ? {} : { timeout });
  const { supportedVersions, _meta: meta } = result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(REVISION)) {
    throw eraNotServed(connection.place, REVISION, undefined);
  }
  const info = isPlainObject(meta) ? meta[ENVELOPE.serverInfo] : undefined;
  return {
    era: '2026',
    revision: REVISION,
    server: describeServer(info, result),
    request: (method, params, given) => client.request(method, params, given),
    subscribe: (filter) => client.subscribe(filter),
  };
}

/** What each request says of its client (spec 2026-07-28: basic, `_meta`). */
export function envelopeOf({
  info,
  capabilities,
}: Pick<ClientIdentity, 'info' | 'capabilities'>): PlainObject {
  return {
    [ENVELOPE.protocolVersion]: REVISION,
    [ENVELOPE.clientInfo]: info,
    [ENVELOPE.clientCapabilities]: capabilities,
  };
}

class Era2026 {
  readonly #connection: ClientConnection;
  readonly #options: Era2026Options;
  readonly #envelope: PlainObject;

  constructor(connection: ClientConnection, options: Era2026Options) {
    const { info, capabilities, logLevel } = options;
    this.#connection = connection;
    this.#options = options;
    this.#envelope = {
      ...envelopeOf({ info, capabilities }),
      ...(logLevel === undefined ? {} : { [ENVELOPE.logLevel]: logLevel }),
    };
  }

  /** One request, whatever its answer. */
  send(
    method: string,
    params: PlainObject,
    { headers = {}, ownHeaders = {}, extensions, behalf, ...options }: WireOptions & EraRequestOptions,
  ): Promise<PlainObject> {
    const { hasResponses } = this.#connection;
    const member = METHODS_2026.get(method)?.namedBy;
    const name = member === undefined ? undefined : params[member];
    const wire: WireOptions = {
      ...options,
      isCancelledByNotice: !hasResponses,
      headers: {
        ...ownHeaders,
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
        ...headers,
      },
    };
    const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
    const envelope = this.#envelopeFor(extensions, behalf);
    return this.#connection.request(method, { ...params, _meta: { ...meta, ...envelope } }, wire);
  }

  #envelopeFor(
    extensions: EraRequestOptions['extensions'],
    behalf: EraRequestOptions['behalf'],
  ): PlainObject {
    const { info, capabilities } = this.#options;
    if (behalf !== undefined) {
      const { logLevel } = behalf;
      const level = logLevel === undefined ? {} : { [ENVELOPE.logLevel]: logLevel };
      return { ...envelopeOf({ info, capabilities: behalf.capabilities }), ...level };
    }
    if (extensions === undefined) return this.#envelope;
    return { ...this.#envelope, [ENVELOPE.clientCapabilities]: { ...capabilities, extensions } };
  }

  /** Repeats the call with answers until the server asks no more questions (spec: basic/patterns/mrtr). */
  async request(method: string, params: PlainObject, options: EraRequestOptions): Promise<PlainObject> {
    if (options.behalf !== undefined) return this.send(method, params, options);
    let given = params;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const result = await this.send(method, given, options);
      if (result['resultType'] !== 'input_required') return result;
      const { inputRequests, requestState } = result;
      const inputResponses = await this.#answers(isPlainObject(inputRequests) ? inputRequests : {});
      given = { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    }
    throw unusableAnswer(this.#connection.place, method, `it asked ${String(MOST_ROUNDS)} times for more.`);
  }

  async subscribe(filter: ChangeFilter): Promise<() => Promise<void>> {
    const ended = new AbortController();
    let listening: Promise<PlainObject> = Promise.resolve({});
    await new Promise<void>((resolve, reject) => {
      const onNotification = (method: string): void => {
        if (method === ACKNOWLEDGED) resolve();
      };
      const notifications = wireFilter(filter);
      listening = this.send(
        'subscriptions/listen',
        { notifications },
        { signal: ended.signal, timeout: Infinity, onNotification },
      );
      listening.then(() => {
        reject(connectionError(this.#connection.place, 'ended a subscription before it began.'));
      }, reject);
    });
    const settled = listening.catch(() => undefined);
    return async () => {
      ended.abort(new Error('The subscription was ended'));
      await settled;
    };
  }

  async #answers(requests: PlainObject): Promise<PlainObject> {
    const answers = await Promise.all(
      Object.entries(requests).map(async ([name, request]) => {
        const { method, params } = membersOf(request);
        const asked = isPlainObject(params) ? params : {};
        return [name, await answerQuestion(this.#options.questions, String(method), asked)] as const;
      }),
    );
    return Object.fromEntries(answers);
  }
}

function wireFilter({ tools, prompts, resources, uris }: ChangeFilter): PlainObject {
  return {
    ...(tools === true ? { toolsListChanged: true } : {}),
    ...(prompts === true ? { promptsListChanged: true } : {}),
    ...(resources === true ? { resourcesListChanged: true } : {}),
    ...(uris === undefined ? {} : { resourceSubscriptions: uris }),
  };
}

/** Answers what a server asks; the client declares the capabilities of those that are given, and no others. */
export interface QuestionHandlers {
  /** Answers forms and URLs with `{ action, content? }` (spec: client/elicitation). */
  readonly onElicitation?: (params: PlainObject) => PlainObject | Promise<PlainObject>;
  /** Answers with the output of a model (spec: client/sampling). */
  readonly onSampling?: (params: PlainObject) => PlainObject | Promise<PlainObject>;
  /** The places that the server may work in (spec: client/roots). */
  readonly roots?: readonly Root[];
}

export function capabilitiesOf({ onElicitation, onSampling, roots }: QuestionHandlers): PlainObject {
  return {
    ...(onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** @throws ProtocolError for what the client did not declare */
export async function answerQuestion(
  { onElicitation, onSampling, roots }: QuestionHandlers,
  method: string,
  params: PlainObject,
): Promise<PlainObject> {
  if (method === 'ping') return {};
  if (method === 'elicitation/create' && onElicitation !== undefined) {
    const { requestedSchema = {} } = params;
    const fault = schemaFault(requestedSchema, 'requestedSchema');
    if (fault !== undefined) throw new ProtocolError(INVALID_PARAMS, `The question cannot be read: ${fault}`);
    return onElicitation(params);
  }
  if (method === 'sampling/createMessage' && onSampling !== undefined) return onSampling(params);
  if (method === 'roots/list' && roots !== undefined) return { roots };
  throw unknownMethod(method);
}

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const SENTINEL = /^=\?base64\?.*\?=$/;

/** The arguments that a call over HTTP repeats as headers (spec 2026-07-28: server/tools, x-mcp-header). */
export function parameterHeaders(schema: JsonSchema, args: unknown): Readonly<Record<string, string>> {
  const headers = headerParametersOf(schema).parameters.flatMap(({ header, path }) => {
    const text = parameterText(valueAt(args, path));
    return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, headerValue(text)] as const];
  });
  return Object.fromEntries(headers);
}

/** A text as a header can carry it (basic/transports, Value Encoding). */
export function headerValue(text: string): string {
  if (PLAIN.test(text) && !SENTINEL.test(text)) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(''))}?=`;
}
