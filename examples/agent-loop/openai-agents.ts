import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import type { McpApplication } from 'toolwright';

/** The OpenAI Agents SDK has the loop: it calls the tools, and gives their results to the model. */
export async function runOpenaiAgents(app: McpApplication, baseURL: string, task: string): Promise<string> {
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL });
  const { tools } = await app.export('openai-agents');
  const agent = new Agent({ name: 'Buyer', model: 'scripted', tools });
  const { finalOutput } = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, task);
  return finalOutput ?? '';
}
