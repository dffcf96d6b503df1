import { afterEach, describe, expect, test } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent, OpenAIProvider, RunContext, Runner } from '@openai/agents';
import { generateText, stepCountIs, type ModelMessage } from 'ai';
import { IsString } from 'class-validator';
import {
  Action,
  Destructive,
  image,
  McpApplication,
  Module,
  Public,
  Roles,
  ToolContext,
  ToolGroup,
  type AgentExportOptions,
} from 'toolwright';
import { startModelServer, type ModelServer } from '../../examples/agent-loop/model/model-server.ts';
import type { KnownTool } from '../../examples/agent-loop/model/scripted-model.ts';
import { authInfoOf, testVerifier } from '../support/callers.ts';

const done: string[] = [];

class Named {
  @IsString() name!: string;
}

@ToolGroup('vault')
class Vault {
  @Action('Look into it') @Public() look({ name }: Named): string {
    return `a look at ${name}`;
  }
  @Action('Open it') @Roles('admin') open(ctx: ToolContext): string {
    done.push('open');
    return `opened for ${String(ctx.caller?.clientId)}`;
  }
  @Action('Wipe it') @Public() @Destructive({ confirm: true }) wipe({ name }: Named): string {
    done.push(`wipe ${name}`);
    return 'wiped';
  }
  @Action('Burn it') @Public() @Destructive({ confirm: 'url' }) burn(_named: Named): string {
    done.push('burn');
    return 'burnt';
  }
  @Action('Draw it') @Public() draw(): object {
    return image('AAAA', 'image/png');
  }
}

@Module({ controllers: [Vault] })
class VaultModule {}

const admin = authInfoOf({ clientId: 'desk', roles: ['admin'] });
const guest = authInfoOf({ clientId: 'door' });

const apps: McpApplication[] = [];
const models: ModelServer[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) model.close();
  await Promise.all(apps.splice(0).map((app) => app.close()));
  done.length = 0;
});

async function startVault(): Promise<McpApplication> {
  const app = await McpApplication.create(VaultModule, {
    auth: { resource: 'http://localhost/mcp', verify: testVerifier },
    consent: { url: () => 'https://vault.example/consents' },
  });
  apps.push(app);
  return app;
}

/** A model that makes one call and repeats its result. @returns its address, and the names of the tools that it was shown */
async function startModel(name: string, args: object): Promise<{ url: string; shown: Set<string> }> {
  const shown = new Set<string>();
  const model = await startModelServer((tools: readonly KnownTool[], results: readonly string[]) => {
    for (const tool of tools) shown.add(tool.name);
    const [result] = results;
    return result === undefined ? { call: { id: 'call_1', name, args: { ...args } } } : { text: result };
  });
  models.push(model);
  return { url: model.url, shown };
}

interface Run {
  readonly said: string;
  /** How often a person was asked. */
  readonly asked: number;
}

/** Lets an agent of the library work until it has said its last word. @param agrees what the person answers */
type RunAgent = (
  app: McpApplication,
  options: AgentExportOptions,
  url: string,
  agrees: boolean,
) => Promise<Run>;

const runAiSdk: RunAgent = async (app, options, baseURL, approved) => {
  const { tools } = await app.export('ai-sdk', options);
  const model = createOpenAI({ apiKey: 'none', baseURL }).chat('scripted');
  const messages: ModelMessage[] = [{ role: 'user', content: 'Begin' }];
  for (let asked = 0; ; asked += 1) {
    const ended = await generateText({ model, tools, messages, stopWhen: stepCountIs(5), maxRetries: 0 });
    const requests = ended.content.filter((part) => part.type === 'tool-approval-request');
    if (requests.length === 0) return { said: ended.text, asked };
    const answers = requests.map(({ approvalId }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved,
    }));
    messages.push(...ended.response.messages, { role: 'tool', content: answers });
  }
};

const runOpenaiAgents: RunAgent = async (app, options, baseURL, approved) => {
  const { tools } = await app.export('openai-agents', options);
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const agent = new Agent({ name: 'Helper', model: 'scripted', tools });
  let ended = await runner.run(agent, 'Begin');
  for (let asked = 0; ; asked += 1) {
    if (ended.interruptions.length === 0) return { said: ended.finalOutput ?? '', asked };
    for (const item of ended.interruptions) {
      if (approved) ended.state.approve(item);
      else ended.state.reject(item);
    }
    ended = await runner.run(agent, ended.state);
  }
};

describe.each([
  ['the AI SDK', runAiSdk],
  ['OpenAI Agents', runOpenaiAgents],
] as const)('an agent of %s', (_library, run) => {
  test('calls an action for its caller and reads the result', async () => {
    const { url, shown } = await startModel('vault', { action: 'open' });
    const ended = await run(await startVault(), { authInfo: admin }, url, false);
    expect(ended).toEqual({ said: 'opened for desk', asked: 0 });
    expect([...shown]).toEqual(['vault']);
  });

  test('is refused what its caller may not do, and is not shown it', async () => {
    const app = await startVault();
    const grouped = await startModel('vault', { action: 'open' });
    const { said } = await run(app, { authInfo: guest }, grouped.url, true);
    expect(said).toContain('UNKNOWN_ACTION');
    const flat = await startModel('vault_look', { name: 'gold' });
    expect(await run(app, { authInfo: guest, surface: 'flat' }, flat.url, true)).toMatchObject({ asked: 0 });
    expect([...flat.shown]).toEqual(['vault_look', 'vault_wipe', 'vault_burn', 'vault_draw']);
    expect(done).toEqual([]);
  });

  test('reads what is wrong with a call', async () => {
    const { url } = await startModel('vault', { action: 'look', name: 7 });
    const { said } = await run(await startVault(), {}, url, false);
    expect(said).toContain('name');
    expect(said).toContain('VALIDATION_FAILED');
  });

  test.each([
    [undefined, 'vault', { action: 'wipe', name: 'gold' }],
    ['flat', 'vault_wipe', { name: 'gold' }],
    ['progressive', 'call_action', { action: 'vault.wipe', arguments: { name: 'gold' } }],
  ] as const)('asks before a call that needs consent, on the surface %s', async (surface, name, args) => {
    const app = await startVault();
    const options = surface === undefined ? { authInfo: guest } : { authInfo: guest, surface };
    const { url } = await startModel(name, args);
    expect(await run(app, options, url, true)).toEqual({ said: 'wiped', asked: 1 });
    expect(done.splice(0)).toEqual(['wipe gold']);
    const { asked, said } = await run(app, options, url, false);
    expect([asked, said]).toEqual([1, expect.not.stringContaining('wiped')]);
    expect(done).toEqual([]);
  });

  test('has no approval in place of a page where people sign in', async () => {
    // The name of another action, as a value, asks for nothing either
    const { url } = await startModel('vault', { action: 'burn', name: 'wipe' });
    const { asked, said } = await run(await startVault(), { authInfo: guest }, url, true);
    expect([asked, said]).toEqual([0, expect.stringContaining('CONSENT_UNAVAILABLE')]);
    expect(done).toEqual([]);
  });

  test('is shown pictures', async () => {
    const { url } = await startModel('vault_draw', {});
    const { said } = await run(await startVault(), { surface: 'flat' }, url, false);
    expect(said).toContain('AAAA');
  });
});

describe('what is exported for agents', () => {
  const wipe = { action: 'wipe', name: 'gold' };
  const denied = { type: 'tool-approval-response', approvalId: 'a1', approved: false };
  const request = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' };
  const asking = [{ role: 'assistant', content: [request] }];
  const answered = (answer: object): object[] => [...asking, { role: 'tool', content: [answer] }];

  test.each([
    ['without a question', []],
    ['that nobody answered', asking],
    ['that was denied', answered(denied)],
    ['when another one was approved', answered({ ...denied, approved: true, approvalId: 'a2' })],
    [
      'that was approved long ago',
      [...answered({ ...denied, approved: true }), { role: 'user', content: 'Go' }],
    ],
  ])('does not run a call %s', async (_what, messages) => {
    const { tools } = await (await startVault()).export('ai-sdk');
    const result = await tools['vault']?.execute(wipe, { toolCallId: 'c1', messages });
    expect(JSON.stringify(result)).toContain('CONSENT_UNAVAILABLE');
    expect(done).toEqual([]);
  });

  test('does not run a call that OpenAI Agents has no approval of', async () => {
    const [tool] = (await (await startVault()).export('openai-agents')).tools;
    const call = { toolCall: { callId: 'c1' } };
    expect(await tool?.invoke(new RunContext(), JSON.stringify(wipe), call)).toContain('CONSENT_UNAVAILABLE');
    expect(await tool?.invoke(new RunContext(), '{"action":')).toContain('INVALID_ARGUMENTS');
    expect(done).toEqual([]);
  });

  test('stops with the signal of the library', async () => {
    const { tools } = await (await startVault()).export('ai-sdk');
    const given = { toolCallId: 'c1', messages: [], abortSignal: AbortSignal.abort() };
    const result = await tools['vault']?.execute({ action: 'look', name: 'gold' }, given);
    expect(JSON.stringify(result)).toContain('CANCELLED');
  });

  test('has few options, and no calls in a form of their own', async () => {
    const app = await startVault();
    const options = { expose: 'flat' } as AgentExportOptions;
    await expect(app.export('ai-sdk', options)).rejects.toMatchObject({ code: 'TW_APPLICATION_OPTION' });
    await expect(app.dispatch('ai-sdk' as never, {})).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' });
  });
});
