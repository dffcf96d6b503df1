import OpenAI from 'openai';
import type { McpApplication } from 'toolwright';

/** Responses: calls and results are items of one list. */
export async function runOpenaiResponses(
  app: McpApplication,
  baseURL: string,
  task: string,
): Promise<string> {
  const client = new OpenAI({ apiKey: 'none', baseURL });
  const { tools, dispatch } = await app.export('openai-responses', { strict: true });
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: task }];
  for (;;) {
    const response = await client.responses.create({
      model: 'scripted',
      input,
      tools: tools as OpenAI.Responses.Tool[],
    });
    // What the model said may be sent to it again, though the SDK has two types for it.
    input.push(...(response.output as OpenAI.Responses.ResponseInput));
    const calls = response.output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return response.output_text;
    for (const call of calls) {
      input.push((await dispatch(call)) as OpenAI.Responses.ResponseInputItem.FunctionCallOutput);
    }
  }
}
