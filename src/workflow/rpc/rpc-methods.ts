import {
  anyText,
  checkRequest,
  contextObject,
  lookupId,
  type GetWorkflowRequest,
  type NextStepRequest,
  type RequestShape,
  type ValidateStepRequest,
} from '../application/workflow-requests.ts';
import type { WorkflowService } from '../application/workflow-service.ts';
import {
  refuse,
  RpcRefusal,
  writeFailure,
  writeResult,
  failureOf,
  readRequest,
  type RpcId,
  type RpcRequest,
} from './rpc-messages.ts';
import type { Logger } from '../../index.ts';
import { undisturbed } from '../application/observe-call.ts';

/** Params should be an object; the method refuses anything else. */
type RpcMethod = (params: unknown) => Promise<unknown>;

const noParams: RequestShape = { required: {} };
const documentParams: RequestShape = { required: {}, optional: { workflowJson: () => [] } };
const idParams: RequestShape = { required: { id: lookupId } };

/** The methods of the server; the use cases check their requests themselves. */
export function rpcMethods(
  service: WorkflowService,
  serverInfo: ServerInfo,
  shutDown: () => null,
): ReadonlyMap<string, RpcMethod> {
  const checked = (shape: RequestShape, run: RpcMethod): RpcMethod => {
    return async (params) => {
      checkRequest(params, shape);
      return run(params);
    };
  };
  return new Map<string, RpcMethod>([
    ['initialize', checked(introduction, async (params) => initialize(params as Introduction, serverInfo))],
    ['shutdown', checked(noParams, async () => shutDown())],
    ['workflow_list', checked(noParams, () => service.listWorkflows())],
    ['workflow_get', async (params) => service.getWorkflow(getRequest(params))],
    ['workflow_next', async (params) => service.getNextStep(params as NextStepRequest)],
    ['workflow_validate', async (params) => service.validateStepOutput(params as ValidateStepRequest)],
    [
      'workflow_validate_json',
      checked(documentParams, (params) =>
        service.validateWorkflowJson((params as { readonly workflowJson?: unknown }).workflowJson),
      ),
    ],
  ]);
}

/** Accepts `id` as another name of `workflowId`; together, `id` is an unknown member. */
function getRequest(params: unknown): GetWorkflowRequest {
  const request = params as Partial<GetWorkflowRequest> & { readonly id?: string };
  if (request.id === undefined || request.workflowId !== undefined) return request as GetWorkflowRequest;
  checkRequest(request, idParams);
  return { workflowId: request.id };
}

/** How a server names itself. */
export interface ServerInfo {
  /** The name that the server gives itself. */
  readonly name: string;
  /** The version that the server gives itself. */
  readonly version: string;
}

const VERSION = '2024-11-05';
const introduction: RequestShape = {
  required: { protocolVersion: anyText, capabilities: contextObject },
  // Unused, but clients send it
  optional: { clientInfo: contextObject },
};

interface Introduction {
  readonly protocolVersion: string;
}

/** @throws RpcRefusal for an unsupported protocol version */
function initialize({ protocolVersion }: Introduction, serverInfo: ServerInfo): object {
  if (protocolVersion === VERSION) return { protocolVersion, capabilities: { tools: {} }, serverInfo };
  throw new RpcRefusal({
    name: 'SERVER_ERROR',
    message: 'The protocol version is not supported.',
    data: { supportedVersions: [VERSION], requestedVersion: protocolVersion },
  });
}

const LARGEST_BATCH = 1000;
/** Maximum bytes of all answers to one batch: a thousand large answers would exceed the longest possible string. */
const LARGEST_ANSWER = 33_554_432;
const NO_ROOM =
  `The answers to a batch have at most ${String(LARGEST_ANSWER)} bytes together; ` +
  'send this request in another one.';

/** Answers messages as JSON text, one at a time. */
export class RpcDispatcher {
  readonly #methods: ReadonlyMap<string, RpcMethod>;
  readonly #logger: Logger;

  constructor(methods: ReadonlyMap<string, RpcMethod>, logger: Logger) {
    this.#methods = methods;
    this.#logger = logger;
  }

  /** Undefined if no answer is due. Never rejects. */
  async answer(message: unknown): Promise<string | undefined> {
    if (!Array.isArray(message)) return this.#answerOne(message);
    if (message.length === 0) return refuse('A batch has at least one request.');
    // A million empty elements would get an answer of a hundred bytes each
    if (message.length > LARGEST_BATCH)
      return refuse(`A batch has at most ${String(LARGEST_BATCH)} requests.`);
    const answers = await this.#answerEach(message);
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
  }

  async #answerEach(messages: readonly unknown[]): Promise<readonly string[]> {
    const answers: string[] = [];
    let room = LARGEST_ANSWER;
    for (const message of messages) {
      const answer = await this.#answerOne(message, room > 0);
      if (answer === undefined) continue;
      room -= Buffer.byteLength(answer);
      answers.push(room > 0 ? answer : ((await this.#answerOne(message, false)) ?? answer));
    }
    return answers;
  }

  /** @param hasRoom whether the answer may be larger than a refusal; notifications are processed in any case */
  async #answerOne(message: unknown, hasRoom = true): Promise<string | undefined> {
    const request = readRequest(message);
    const { id, fault } = request;
    if (fault !== undefined) return refuse(fault, id);
    if (!hasRoom && id !== undefined) return refuse(NO_ROOM, id);
    const text = await this.#answerRequest(request);
    return id === undefined ? undefined : text;
  }

  async #answerRequest({ id = null, method, params = {} }: RpcRequest): Promise<string> {
    let result: unknown;
    try {
      result = await this.#call(method, params);
    } catch (error) {
      // The service has already logged it, with the logger of the server
      return writeThrown(id, error);
    }
    try {
      return writeResult(id, result);
    } catch (error) {
      const message = `The answer to ${method} could not be written.`;
      undisturbed(() => this.#logger.log({ level: 'error', event: 'rpc.failed', message, method, error }));
      return writeThrown(id, error);
    }
  }

  async #call(method: string, params: unknown): Promise<unknown> {
    const run = this.#methods.get(method);
    if (run !== undefined) return run(params);
    const message = 'The method does not exist.';
    throw new RpcRefusal({ name: 'METHOD_NOT_FOUND', message, data: { method } });
  }
}

/** Handles errors that cannot be serialized: a proxy, or details that are not JSON. */
function writeThrown(id: RpcId, error: unknown): string {
  try {
    return writeFailure(id, failureOf(error));
  } catch (untold) {
    return writeFailure(id, failureOf(untold));
  }
}
