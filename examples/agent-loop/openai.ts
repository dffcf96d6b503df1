import OpenAI from 'openai';
import type { McpApplication } from 'toolwright';

/** Chat completions: calls come in `tool_calls`, results go back as messages of the role `tool`. */
export async function runOpenai(app: McpApplication, baseURL: string, task: string): Promise<string> {
  const client = new OpenAI({ apiKey: 'none', baseURL });
  const { tools, dispatch } = await app.export('openai', { strict: true });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: task }];
  for (;;) {
    const { choices } = await client.chat.completions.create({
      model: 'scripted',
      messages,
      tools: tools as OpenAI.ChatCompletionTool[],
    });
    const message = choices[0]?.message;
    if (message === undefined) throw new Error('The model said nothing');
    messages.push(message);
    if (message.tool_calls === undefined) return message.content ?? '';
    for (const call of message.tool_calls) {
      messages.push((await dispatch(call)) as OpenAI.ChatCompletionToolMessageParam);
    }
  }
}
