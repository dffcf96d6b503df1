import { ProtocolError } from '../../call/protocol-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';

const SERVER_ERROR = -32000;

export function shuttingDown(): ProtocolError {
  return new ProtocolError(SERVER_ERROR, 'The server is shutting down');
}

export function isInterrupted(): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled');
}

export function isAnswered(method: string): ToolError {
  return new ToolError(
    'CLIENT_UNREACHABLE',
    `The client cannot be asked any more (${method}), because the call is answered`,
    { suggestion: 'wait for every question before the handler comes to its end' },
  );
}

export function isUndeclared(): ToolwrightError {
  return new ToolwrightError('TW_TASK_UNDECLARED', {
    where: 'startTask()',
    what: 'was called by an action that does not become a task.',
    why: 'tools/list says which tools have tasks.',
    fix: "@Action({ task: 'on-demand' })",
  });
}
