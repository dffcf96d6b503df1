import { isPlainObject } from '../../shared/json.ts';
import {
  InvalidConditionError,
  InvalidCriteriaError,
  isWorkflowError,
  type WorkflowError,
  type WorkflowCode,
} from '../domain/errors/workflow-error.ts';
import { JSON_RPC_CODES } from '../../shared/protocol.ts';

/** JSON-RPC 2.0, section 4. */
export type RpcId = string | number | null;

export interface RpcRequest {
  readonly method: string;
  readonly params: unknown;
  /** Undefined for a notification. */
  readonly id: RpcId | undefined;
  /** Why it is not a valid request. */
  readonly fault?: string | undefined;
}

/** Reads a message as a request. If `fault` is set, use only the id. */
export function readRequest(message: unknown): RpcRequest {
  const { id, ...members } = isPlainObject(message) ? { ...message } : {};
  const { method, params } = members as { readonly method: string; readonly params?: unknown };
  const fault = isPlainObject(message) ? faultOf(members) : 'A request is an object.';
  if (isId(id)) return { id: fault === undefined ? id : (id ?? null), method, params, fault };
  const badId = 'The id is a text, null or a number that JSON keeps exactly.';
  return { id: null, method, params, fault: badId };
}

function faultOf({ jsonrpc, method, params }: Readonly<Record<string, unknown>>): string | undefined {
  if (jsonrpc !== '2.0') return 'The member jsonrpc is "2.0".';
  if (typeof method !== 'string') return 'The method is a text.';
  if (params === undefined || (typeof params === 'object' && params !== null)) return undefined;
  return 'The params are an object.';
}

/** Refuses numbers that were rounded during parsing: the response could not repeat them exactly. */
function isId(id: unknown): id is RpcId | undefined {
  if (typeof id !== 'number') return id === undefined || id === null || typeof id === 'string';
  return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
}

/** A result as JSON text. */
export function writeResult(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** A failure as JSON text. */
export function writeFailure(id: RpcId, { name, message, data }: RpcFailure): string {
  const error = { code: rpcCodes[name], message: `${name}: ${message}`, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** The answer to an invalid request. */
export function refuse(details: string, id: RpcId = null): string {
  return writeFailure(id, { name: 'INVALID_REQUEST', message: details, data: { details } });
}

interface RpcFailure {
  readonly name: RpcName;
  /** A sentence. */
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Thrown by a method for errors other than domain errors. */
export class RpcRefusal extends Error {
  readonly failure: RpcFailure;

  constructor(failure: RpcFailure) {
    super(failure.message);
    this.name = 'RpcRefusal';
    this.failure = failure;
  }
}

/** For an unexpected error, only the name of its class is sent. */
export function failureOf(error: unknown): RpcFailure {
  if (error instanceof RpcRefusal) return error.failure;
  const name = isWorkflowError(error) ? rpcNames[error.code] : 'INTERNAL_ERROR';
  if (isWorkflowError(error) && name !== 'INTERNAL_ERROR') {
    const data = dataOf(error);
    // Several run errors share this code
    const isShared = name === 'STATE_ERROR' && error.code !== name;
    return { name, message: error.message, data: isShared ? { ...data, reason: error.code } : data };
  }
  return {
    name: 'INTERNAL_ERROR',
    message: 'The server could not answer the request.',
    data: { originalError: classOf(error) },
  };
}

/** Any value can be thrown, even one without a constructor or with another member of that name. */
function classOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  const { constructor } = error as { readonly constructor?: unknown };
  const name = typeof constructor === 'function' ? (constructor.name as unknown) : undefined;
  return typeof name === 'string' && name !== '' ? name : 'object';
}

function dataOf(error: WorkflowError): RpcFailure['data'] {
  if (error instanceof InvalidCriteriaError) return { field: error.path, details: error.reason };
  if (error instanceof InvalidConditionError) return { field: error.path, details: error.message };
  const { workflowId, details } = error.details;
  return error.code === 'INVALID_WORKFLOW' ? { workflowId, details } : error.details;
}

/** The codes of JSON-RPC 2.0 and of this server, by their names in messages. */
const rpcCodes = Object.freeze({
  PARSE_ERROR: JSON_RPC_CODES.parseError,
  INVALID_REQUEST: JSON_RPC_CODES.invalidRequest,
  METHOD_NOT_FOUND: JSON_RPC_CODES.methodNotFound,
  INVALID_PARAMS: JSON_RPC_CODES.invalidParams,
  INTERNAL_ERROR: JSON_RPC_CODES.internalError,
  SERVER_ERROR: JSON_RPC_CODES.serverError,
  WORKFLOW_NOT_FOUND: -32001,
  INVALID_WORKFLOW: -32002,
  STEP_NOT_FOUND: -32003,
  VALIDATION_ERROR: -32004,
  STATE_ERROR: -32005,
  STORAGE_ERROR: -32006,
  SECURITY_ERROR: -32007,
});

type RpcName = keyof typeof rpcCodes;

/** The RPC error of each domain error; errors that concern only runs become a state conflict. */
const rpcNames: Readonly<Record<WorkflowCode, RpcName>> = Object.freeze({
  WORKFLOW_NOT_FOUND: 'WORKFLOW_NOT_FOUND',
  INVALID_WORKFLOW: 'INVALID_WORKFLOW',
  STEP_NOT_FOUND: 'STEP_NOT_FOUND',
  VALIDATION_ERROR: 'VALIDATION_ERROR',
  INVALID_CRITERIA: 'VALIDATION_ERROR',
  INVALID_CONDITION: 'VALIDATION_ERROR',
  INVALID_PARAMS: 'INVALID_PARAMS',
  STATE_ERROR: 'STATE_ERROR',
  STORAGE_ERROR: 'STORAGE_ERROR',
  SECURITY_ERROR: 'SECURITY_ERROR',
  RUN_NOT_FOUND: 'STATE_ERROR',
  INVALID_TOKEN: 'SECURITY_ERROR',
  STALE_SEQUENCE: 'STATE_ERROR',
  IDEMPOTENCY_MISMATCH: 'STATE_ERROR',
  RUN_FINISHED: 'STATE_ERROR',
  RUN_EXPIRED: 'STATE_ERROR',
  AWAITING_CONFIRMATION: 'STATE_ERROR',
  ATTEMPTS_EXHAUSTED: 'STATE_ERROR',
  CONTEXT_TOO_LARGE: 'VALIDATION_ERROR',
  OUTPUT_TOO_LARGE: 'VALIDATION_ERROR',
  CONFIRMATION_REJECTED: 'STATE_ERROR',
  CONFIRMATION_EXPIRED: 'STATE_ERROR',
  TW_WORKFLOW_STORE_MISSING: 'INTERNAL_ERROR',
  TW_WORKFLOW_OPTION: 'INTERNAL_ERROR',
  TW_WORKFLOW_CLASS: 'INTERNAL_ERROR',
});
