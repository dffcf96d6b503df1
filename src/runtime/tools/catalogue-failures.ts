import { cutText, describeReceived, firstIssues, quoteText, type Issue } from '../../call/issue.ts';
import { failureResult } from '../../call/result-helpers.ts';
import { ACTION_ARGUMENT, CALL_ACTION, CARRIED_ARGUMENT } from '../../compile/surfaces/finding-tools.ts';
import type { ReachedAction } from '../../compile/surfaces/reached-action.ts';
import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import { resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import type { PlainObject } from '../../shared/json.ts';
import { invalidInput } from './call-failures.ts';

/** Answers a call that names no action. */
export function keyMissing(tool: string, key: unknown): Outcome {
  const isNone = key === undefined || key === null || key === '';
  const message = isNone ? `${ACTION_ARGUMENT} is required` : `${ACTION_ARGUMENT} must be a string`;
  const facts = { expected: 'a key that find_actions gave', received: describeReceived(key) };
  const code = isNone ? 'MISSING_DISCRIMINATOR' : 'INVALID_DISCRIMINATOR';
  return resultOf(failureResult({ code, message, tool, ...(isNone ? { expected: facts.expected } : facts) }));
}

/** Answers a call of an action that there is not, or that its caller may not see. @param nearest the most similar keys */
export function unknownKey(tool: string, key: string, nearest: readonly string[]): Outcome {
  const message = `Unknown action ${quoteText(key)}`;
  const names =
    nearest.length < 2 ? nearest.join('') : `${nearest.slice(0, -1).join(', ')} or ${nearest.at(-1) ?? ''}`;
  const hint = names === '' ? 'find_actions lists what there is' : `Did you mean ${names}?`;
  return resultOf(
    failureResult({
      code: 'UNKNOWN_ACTION',
      message,
      headline: `${message}. ${hint}`,
      tool,
      action: cutText(key),
      suggestion: nearest[0],
    }),
  );
}

/** Answers a call of an action that writes, by the tool that only reads. */
export function actionRefused(tool: string, { key }: ReachedAction): Outcome {
  const message = `${key} is not read-only`;
  const headline = `${message}. Did you mean ${CALL_ACTION}: ${key}?`;
  const facts = { tool, action: key, suggestion: CALL_ACTION };
  return resultOf(failureResult({ code: 'NOT_READ_ONLY', message, headline, ...facts }));
}

/** Answers a call of an action whose arguments stand in headers as well, which calls of its own tool alone have. */
export function onlyByTool(tool: string, { key, onlyTool = '' }: ReachedAction): Outcome {
  const message = `${key} is called by its own tool`;
  const headline = `${message}. Did you mean the tool ${onlyTool}?`;
  return resultOf(
    failureResult({ code: 'UNKNOWN_ACTION', message, headline, tool, action: key, suggestion: onlyTool }),
  );
}

/** Answers a call whose arguments are no object, or stand beside the place for them. */
export function carriedInvalid(
  tool: CompiledTool,
  action: ActionDefinition,
  given: PlainObject,
  signature: string,
): Outcome {
  const accepted = [ACTION_ARGUMENT, CARRIED_ARGUMENT];
  const beside = Object.keys(given).filter((name) => !accepted.includes(name));
  // Without what was received: all arguments as one text may have a secret in it
  const issues: readonly Issue[] =
    beside.length === 0
      ? [{ path: CARRIED_ARGUMENT, message: 'must be an object', expected: 'an object, or its JSON text' }]
      : firstIssues(
          beside.map((path) => ({
            ...{ path, message: 'unknown field', suggestion: `${CARRIED_ARGUMENT}.${path}` },
            accepted,
          })),
        );
  return resultOf(invalidInput(tool, action, issues, { field: '', signature }));
}
