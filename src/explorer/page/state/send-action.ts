import type { CheckAnswer, ExploredAction, ExploredTool, JsonObject } from '../../contract.ts';
import { PATHS } from '../../contract.ts';
import { type Draft, valueOf } from '../form/draft.ts';
import { call } from './calls.ts';
import type { Form } from './drafts.ts';
import { askApi, failureOf } from './session.ts';
import { caller } from './settings.ts';
import { callAsTask } from './tasks.ts';

/** ECMAScript 2026; browsers without it send what a double keeps. */
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

/** What was typed, with what the action needs besides. @throws SyntaxError for what is not JSON */
export function argumentsOf(action: ExploredAction, draft: Draft): JsonObject {
  const value = valueOf(draft, (text) => rawJSON?.(text) ?? Number(text));
  return { ...(value as JsonObject), ...action.fixedArguments };
}

/** Asks what the server's own check says; nothing is called. */
export async function checkAction(tool: ExploredTool, action: ExploredAction, form: Form): Promise<void> {
  try {
    const body = { tool: tool.name, arguments: argumentsOf(action, form.typed.value.draft) };
    const response = await askApi(PATHS.check, { body, caller: caller.value });
    form.check.value = (await response.json()) as CheckAnswer;
  } catch (error) {
    form.check.value = failureOf(error);
  }
}

export function callAction(
  tool: ExploredTool,
  action: ExploredAction,
  { form, place, asTask }: { readonly form: Form; readonly place: string; readonly asTask: boolean },
): Promise<void> {
  const args = argumentsOf(action, form.typed.value.draft);
  const subject = action.key === '' ? tool.name : `${tool.name}.${action.key}`;
  return call({
    place,
    method: 'tools/call',
    subject,
    send: async (client, options, show) =>
      asTask
        ? callAsTask(client, { name: tool.name, args, options, show })
        : ((await client.callTool(tool.name, args, options)) as unknown as JsonObject),
  });
}
