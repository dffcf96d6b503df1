import {
  ERROR_META_KEY,
  ProtocolError,
  type CallToolResult,
  type Logger,
  type MiddlewareFunction,
} from '../../index.ts';
import { JSON_RPC_CODES } from '../../shared/protocol.ts';
import { FunctionLogger } from '../application/observe-call.ts';
import { isWorkflowError, type WorkflowError } from '../domain/errors/workflow-error.ts';

/** Calls that come from the timer or the operators of the service, never from a client. */
const OUT_OF_BAND: readonly unknown[] = ['run.expire', 'run.confirm', 'run.reset'];

/**
 * Answers a domain error with a result that a model can act on: the code, the message and what to do. A thrown error
 * would be prefixed with the tool name. Prompts and resources have no error result, so they send protocol errors.
 */
export const answerWorkflowErrors: MiddlewareFunction = async ({ kind }, next) => {
  try {
    return await next();
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    if (kind === 'action') return workflowErrorResult(thrown);
    throw new ProtocolError(JSON_RPC_CODES.invalidParams, `${thrown.code}: ${thrown.message}`, {
      ...thrown.toRecord(),
    });
  }
};

/** The result for a domain error: `CODE: message`, with its record in `_meta["toolwright/error"]`. */
export function workflowErrorResult(error: WorkflowError): CallToolResult {
  const record = error.toRecord();
  const lines = [`${record.code}: ${record.message}`, ...record.suggestions.map((each) => `- ${each}`)];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_META_KEY]: record },
  };
}

/** For services behind tools: drops records of unexpected failures, which the application logs itself. */
export function logBehindTools(logger: Logger): Logger {
  return new FunctionLogger((record) => {
    const { event, operation } = record;
    if (event !== 'workflow.failed' || OUT_OF_BAND.includes(operation)) logger.log(record);
  });
}
