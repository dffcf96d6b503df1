import { ToolError } from '../errors/tool-error.ts';

/** What a call ends with when its signal was aborted. */
export function cancelledError(signal: AbortSignal): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled', { cause: signal.reason });
}
