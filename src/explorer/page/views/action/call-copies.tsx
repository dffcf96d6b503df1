import type { ExploredAction, ExploredTool } from '../../../contract.ts';
import { Copy } from '../../parts/basic.tsx';
import type { Form } from '../../state/drafts.ts';
import { argumentsOf } from '../../state/send-action.ts';

interface Props {
  readonly tool: ExploredTool;
  readonly action: ExploredAction;
  readonly form: Form;
}

/** The call in other forms, to copy. */
export function CallCopies({ tool, action, form }: Props) {
  const json = (): string => JSON.stringify(argumentsOf(action, form.typed.value.draft));
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const body = (): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool.name)},"arguments":${json()}}}`;
  const headers = `-H 'content-type: application/json' -H 'accept: application/json, text/event-stream'`;
  const test = (): string =>
    `test('answers ${tool.name} ${action.key}', async () => {\n  const result = await app.callTool(${JSON.stringify(tool.name)}, ${json()});\n  expect(result.isError).not.toBe(true);\n});`;
  return (
    <>
      <span class="faint">copy as</span>
      <Copy text={() => `toolwright call server.ts ${tool.name} --input ${quoted(json())}`}>command</Copy>
      <Copy text={() => `curl ${quoted(`${location.origin}/mcp`)} ${headers} --data ${quoted(body())}`}>
        curl
      </Copy>
      <Copy text={test}>test</Copy>
      <Copy text={() => JSON.stringify(argumentsOf(action, form.typed.value.draft), undefined, 2)}>JSON</Copy>
    </>
  );
}
