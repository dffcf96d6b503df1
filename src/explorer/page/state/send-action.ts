import { parameterHeaders } from '../../../client/era-2026.ts';
import type { McpClient } from '../../../client/mcp-client.ts';
import { callAsTask } from '../../../client/task-call.ts';
import type { JsonSchema } from '../../../shared/json-schema.ts';
import type { CheckAnswer, ExploredAction, ExploredTool, JsonObject } from '../../contract.ts';
import { PATHS } from '../../contract.ts';
import { type Draft, rawNumber, valueOf } from '../form/draft.ts';
import { call } from './calls.ts';
import type { Form } from './drafts.ts';
import { ask } from './questions.ts';
import { askApi, failureOf } from './session.ts';
import { caller } from './settings.ts';

/** What was typed, with what the action needs besides. @throws SyntaxError for what is not JSON */
export function argumentsOf(action: ExploredAction, draft: Draft): JsonObject {
  const value = valueOf(draft, rawNumber);
  return { ...(value as JsonObject), ...action.fixedArguments };
}

/** Asks what the server's own check says; nothing is called. */
export async function checkAction(tool: ExploredTool, action: ExploredAction, form: Form): Promise<void> {
  const { draft } = form.typed.peek();
  const answer = await check(tool, action, draft).catch(failureOf);
  // The answer to an earlier input may come after a later one was typed
  if (form.typed.peek().draft === draft) form.check.value = answer;
}

async function check(tool: ExploredTool, action: ExploredAction, draft: Draft): Promise<CheckAnswer> {
  const body = { tool: tool.name, arguments: argumentsOf(action, draft) };
  const response = await askApi(PATHS.check, { body, caller: caller.value });
  return (await response.json()) as CheckAnswer;
}

export function callAction(
  tool: ExploredTool,
  action: ExploredAction,
  { form, place, asTask }: { readonly form: Form; readonly place: string; readonly asTask: boolean },
): Promise<void> {
  const args = argumentsOf(action, form.typed.value.draft);
  const meta = valueOf(form.meta.value.draft, rawNumber) as JsonObject | undefined;
  const subject = action.key === '' ? tool.name : `${tool.name}.${action.key}`;
  return call({
    place,
    method: 'tools/call',
    subject,
    args,
    send: (client, options, show) => {
      const headers = parameterHeaders(tool.definition['inputSchema'] as JsonSchema, args);
      const sending = withCalls(client, meta === undefined ? {} : { _meta: meta }, headers);
      return asTask
        ? callAsTask(sending, { name: tool.name, args, options, ask, show })
        : sending.request('tools/call', { name: tool.name, arguments: args }, options);
    },
  });
}

/** A client whose calls of tools carry further members, and the headers that the page knows without asking for a list. */
function withCalls(
  client: McpClient,
  members: JsonObject,
  headers: Readonly<Record<string, string>>,
): Pick<McpClient, 'era' | 'request'> {
  return {
    era: client.era,
    request: (method, params, options) =>
      method === 'tools/call'
        ? client.request(method, { ...params, ...members }, { ...options, headers })
        : client.request(method, params, options),
  };
}
