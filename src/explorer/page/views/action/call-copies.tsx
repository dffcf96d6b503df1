import type { JsonObject } from '../../../contract.ts';
import { Copy } from '../../parts/basic.tsx';
import { knownApplication, toolNamed } from '../../state/application.ts';
import { commandOf, type CopiedCall, curlOf, testOf } from '../../state/traffic/copied-call.ts';
import { actionsOf, maskArguments } from '../../state/traffic/masked-message.ts';
import { era } from '../../state/settings.ts';

interface Props {
  readonly tool: string;
  readonly args: () => JsonObject;
}

/** A call in other forms, to copy. Sensitive values are left out. */
export function CallCopies({ tool, args }: Props) {
  const copied = (): CopiedCall => {
    const given = args();
    return {
      tool,
      args: maskArguments(actionsOf({ name: tool, arguments: given }), given),
      schema: (toolNamed(tool)?.definition['inputSchema'] ?? {}) as JsonObject,
      endpoint: new URL(knownApplication.value?.endpoint ?? '/mcp', location.href).href,
      era: era.value,
    };
  };
  return (
    <span class="copies">
      <span class="faint">copy as</span>
      <Copy text={() => commandOf(copied())}>command</Copy>
      <Copy text={() => curlOf(copied())}>curl</Copy>
      <Copy text={() => testOf(copied())}>test</Copy>
      <Copy text={() => JSON.stringify(copied().args, undefined, 2)}>JSON</Copy>
    </span>
  );
}
