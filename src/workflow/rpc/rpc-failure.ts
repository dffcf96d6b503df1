import {
  InvalidConditionError,
  InvalidCriteriaError,
  isWorkflowError,
  type WorkflowError,
} from '../domain/errors/workflow-error.ts';
import { rpcNames, type RpcName } from './rpc-codes.ts';

/** What an answer says about a request that failed. */
export interface RpcFailure {
  readonly name: RpcName;
  /** A sentence. */
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Thrown by a method for what is no error of the domain. */
export class RpcRefusal extends Error {
  readonly failure: RpcFailure;

  constructor(failure: RpcFailure) {
    super(failure.message);
    this.name = 'RpcRefusal';
    this.failure = failure;
  }
}

/** Of an error that nobody expected, only the name of its class is told. */
export function failureOf(error: unknown): RpcFailure {
  if (error instanceof RpcRefusal) return error.failure;
  const name = isWorkflowError(error) ? rpcNames[error.code] : 'INTERNAL_ERROR';
  if (isWorkflowError(error) && name !== 'INTERNAL_ERROR') {
    const data = dataOf(error);
    // Several errors of runs share this number
    const isShared = name === 'STATE_ERROR' && error.code !== name;
    return { name, message: error.message, data: isShared ? { ...data, reason: error.code } : data };
  }
  return {
    name: 'INTERNAL_ERROR',
    message: 'The server could not answer the request.',
    data: { originalError: classOf(error) },
  };
}

/** Anything can be thrown, also what has no constructor or calls something else by that name. */
function classOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  const { constructor } = error as { readonly constructor?: unknown };
  const name = typeof constructor === 'function' ? (constructor.name as unknown) : undefined;
  return typeof name === 'string' && name !== '' ? name : 'object';
}

function dataOf(error: WorkflowError): RpcFailure['data'] {
  if (error instanceof InvalidCriteriaError) return { field: error.path, details: error.reason };
  if (error instanceof InvalidConditionError) return { field: error.path, details: error.message };
  if (error.code !== 'INVALID_WORKFLOW') return error.details;
  const { workflowId, details } = error.details;
  return { workflowId, details };
}
