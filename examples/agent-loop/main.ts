import { McpApplication } from 'toolwright';
import { runAiSdk } from './ai-sdk.ts';
import { runAnthropic } from './anthropic.ts';
import { runGemini } from './gemini.ts';
import { startModelServer } from './model/model-server.ts';
import { runOpenai } from './openai.ts';
import { runOpenaiAgents } from './openai-agents.ts';
import { runOpenaiResponses } from './openai-responses.ts';
import { ShopModule } from './shop.module.ts';

const LOOPS = {
  openai: runOpenai,
  'openai-responses': runOpenaiResponses,
  anthropic: runAnthropic,
  gemini: runGemini,
  'ai-sdk': runAiSdk,
  'openai-agents': runOpenaiAgents,
};

const model = await startModelServer();
for (const [name, run] of Object.entries(LOOPS)) {
  const app = await McpApplication.create(ShopModule, { name: 'shop', surface: 'auto' });
  console.log(`${name}: ${await run(app, model.url, 'Order two desk lamps')}`);
  await app.close();
}
model.close();
