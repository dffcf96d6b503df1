import type { CallForm } from './call-form.ts';
import { memberReader } from './read-members.ts';

const read = memberReader('mcp');

/** The params of tools/call in, its result out. */
export const mcpForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = read.object(raw, '');
    return { id: undefined, name: read.text(call['name'], '/name'), args: call['arguments'] ?? {} };
  },
  write: (_call, result) => result,
} satisfies CallForm);
