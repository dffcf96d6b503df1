import Anthropic from '@anthropic-ai/sdk';
import type { McpApplication } from 'toolwright';

/** Messages: calls are blocks of the assistant, results are blocks of the next message of the user. */
export async function runAnthropic(app: McpApplication, baseURL: string, task: string): Promise<string> {
  const client = new Anthropic({ apiKey: 'none', baseURL });
  const { tools, dispatch } = await app.export('anthropic', { strict: true });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];
  for (;;) {
    const { content } = await client.messages.create({
      model: 'scripted',
      max_tokens: 1000,
      messages,
      tools: tools as Anthropic.Tool[],
    });
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const results = await Promise.all(calls.map(dispatch));
    messages.push({ role: 'user', content: results as Anthropic.ToolResultBlockParam[] });
  }
}
