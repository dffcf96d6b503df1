import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';
import type { McpApplication } from 'toolwright';

/** The AI SDK has the loop: it calls the tools, and gives their results to the model. */
export async function runAiSdk(app: McpApplication, baseURL: string, task: string): Promise<string> {
  const model = createOpenAI({ apiKey: 'none', baseURL }).chat('scripted');
  const { tools } = await app.export('ai-sdk');
  const { text } = await generateText({ model, tools, prompt: task, stopWhen: stepCountIs(10) });
  return text;
}
