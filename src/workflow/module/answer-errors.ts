import {
  ERROR_META_KEY,
  ProtocolError,
  type CallToolResult,
  type Logger,
  type MiddlewareFunction,
} from '../../index.ts';
import { JSON_RPC_CODES } from '../../shared/json-rpc-codes.ts';
import { FunctionLogger } from '../application/observe-call.ts';
import { isWorkflowError, type WorkflowError } from '../domain/errors/workflow-error.ts';

/** What no client asks for, but the timer and the operators of the service. */
const OUT_OF_BAND: readonly unknown[] = ['run.expire', 'run.confirm', 'run.reset'];

/**
 * Answers a domain error with a result that a model can go on from: the code, the sentence, what to do. A throw would
 * get the name of the tool in front. Prompts and resources have no error result, so theirs are errors of the protocol.
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

/** The result for a domain error: `CODE: sentence`, and the record of it in `_meta["toolwright/error"]`. */
export function workflowErrorResult(error: WorkflowError): CallToolResult {
  const record = error.toRecord();
  const lines = [`${record.code}: ${record.message}`, ...record.suggestions.map((each) => `- ${each}`)];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_META_KEY]: record },
  };
}

/** For services behind tools: of a call that failed unexpectedly, the application has its own record already. */
export function logBehindTools(logger: Logger): Logger {
  return new FunctionLogger((record) => {
    const { event, operation } = record;
    if (event !== 'workflow.failed' || OUT_OF_BAND.includes(operation)) logger.log(record);
  });
}
