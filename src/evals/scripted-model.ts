import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { EvalCase, ScriptedCall } from './eval-case.ts';
import type { EvalModel } from './model.ts';
import type { ToolCall } from './surface-tools.ts';

/** The calls that the scripted model makes. @throws ToolwrightError TW_EVALS_CASE where nothing says them */
export function readScript({ name, expect, script }: EvalCase): readonly ScriptedCall[] {
  if (script !== undefined) return script;
  if (expect === 'none') return [];
  return expect.map(({ action, input }) => {
    if (typeof input !== 'function') return input === undefined ? { action } : { action, input };
    throw new ToolwrightError('TW_EVALS_CASE', {
      where: `The case ${JSON.stringify(name)}`,
      what: 'has a function for an input and no script, so the scripted model has nothing to send.',
      fix: `script: [{ action: ${JSON.stringify(action)}, input: { … } }]`,
    });
  });
}

/** A model that makes these calls, one in each turn, and then ends. @param calls by the names that it was shown */
export function createScriptedModel(calls: readonly ToolCall[]): EvalModel {
  let turn = 0;
  return {
    name: 'scripted',
    format: 'openai',
    respond: async () => {
      const call = calls[turn];
      turn += 1;
      if (call === undefined) return writeMessage({ content: 'Done.' });
      const { name, arguments: args } = call;
      const written = { name, arguments: JSON.stringify(args) };
      return writeMessage({
        content: null,
        tool_calls: [{ id: `call_${String(turn)}`, type: 'function', function: written }],
      });
    },
  };
}

function writeMessage(message: object): { readonly choices: readonly object[] } {
  return { choices: [{ message: { role: 'assistant', ...message } }] };
}
