import { afterEach, describe, expect, test } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { AIMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import {
  Command,
  END,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { Agent, OpenAIProvider, RunContext, Runner, toolNamespace, toolSearchTool } from '@openai/agents';
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
import { startSearchingModel } from '../support/searching-model.ts';
import { WireChatModel } from '../support/wire-chat-model.ts';

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

interface Model {
  readonly url: string;
  /** The names of the tools that it was shown. */
  readonly shown: ReadonlySet<string>;
}

/** A model that makes one call and repeats its result. */
async function startModel(name: string, args: object): Promise<Model> {
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

/** A graph of LangGraph with the tools, as its guide builds one. */
async function buildGraph(app: McpApplication, options: AgentExportOptions, url: string) {
  const tools = (await app.export('langchain', options)).tools.map(
    (fields) => new DynamicStructuredTool(fields),
  );
  const model = new WireChatModel(url).bindTools(tools);
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition, ['tools', END])
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new MemorySaver() });
}

const runLangChain: RunAgent = async (app, options, url, approved) => {
  const graph = await buildGraph(app, options, url);
  const thread = { configurable: { thread_id: 'one' } };
  const decisions = [{ type: approved ? 'approve' : 'reject' }];
  let ended = await graph.invoke({ messages: [{ role: 'user', content: 'Begin' }] }, thread);
  for (let asked = 0; ; asked += 1) {
    if (!isInterrupted(ended)) return { said: ended.messages.at(-1)?.text ?? '', asked };
    ended = await graph.invoke(new Command({ resume: { decisions } }), thread);
  }
};

describe.each([
  ['the AI SDK', runAiSdk, 'UNKNOWN_ACTION', 'VALIDATION_FAILED'],
  ['OpenAI Agents', runOpenaiAgents, 'UNKNOWN_ACTION', 'VALIDATION_FAILED'],
  // It holds arguments against the schema, before the call
  ['LangGraph', runLangChain, '#/properties/action', '#/properties/name'],
] as const)('an agent of %s', (_library, run, unknown, invalid) => {
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
    expect(said).toContain(unknown);
    const flat = await startModel('vault_look', { name: 'gold' });
    expect(await run(app, { authInfo: guest, surface: 'flat' }, flat.url, true)).toMatchObject({ asked: 0 });
    expect([...flat.shown]).toEqual(['vault_look', 'vault_wipe', 'vault_burn', 'vault_draw']);
    expect(done).toEqual([]);
  });

  test('reads what is wrong with a call', async () => {
    const { url } = await startModel('vault', { action: 'look', name: 7 });
    const { said } = await run(await startVault(), {}, url, false);
    expect(said).toContain('name');
    expect(said).toContain(invalid);
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

  test('asks the graph as humanInTheLoopMiddleware does, and takes its answers only', async () => {
    const [tool] = (await (await startVault()).export('langchain')).tools;
    const questions: unknown[] = [];
    const answering = (answer: unknown) => ({
      toolCall: { id: 'c1' },
      interrupt: (question: object): unknown => {
        questions.push(question);
        return answer;
      },
    });
    for (const answer of [
      undefined,
      true,
      { decisions: [] },
      { decisions: [{ type: 'approve' }, { type: 'approve' }] },
    ])
      expect(await tool?.func(wipe, undefined, answering(answer))).toContain('CONSENT_DECLINED');
    expect(await tool?.func(wipe)).toContain('CONSENT_UNAVAILABLE');
    expect(done).toEqual([]);
    expect(questions[0]).toEqual({
      actionRequests: [{ name: 'vault', args: wipe, description: expect.any(String) }],
      reviewConfigs: [{ actionName: 'vault', allowedDecisions: ['approve', 'reject'] }],
    });
    const approved = answering({ decisions: [{ type: 'approve' }] });
    expect(await tool?.func(wipe, undefined, approved)).toBe('wiped');
    // The graph runs the call again when it is resumed for another one
    expect(await tool?.func(wipe, undefined, approved)).toBe('wiped');
    expect(done).toEqual(['wipe gold']);
  });

  test('runs two approved calls of one turn once each', async () => {
    const calls = ['gold', 'silver'].map((name) => ({
      id: name,
      name: 'vault',
      args: { action: 'wipe', name },
    }));
    const { tools } = await (await startVault()).export('langchain');
    const node = new ToolNode(tools.map((fields) => new DynamicStructuredTool(fields)));
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('tools', node)
      .addEdge(START, 'tools')
      .addEdge('tools', END)
      .compile({ checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: 'one' } };
    const asked: string[] = [];
    let ended: unknown = await graph.invoke(
      { messages: [new AIMessage({ content: '', tool_calls: calls })] },
      thread,
    );
    while (isInterrupted(ended)) {
      asked.push(JSON.stringify(ended[INTERRUPT]));
      ended = await graph.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread);
    }
    expect(asked).toEqual([expect.stringContaining('gold'), expect.stringContaining('silver')]);
    expect(done).toEqual(['wipe gold', 'wipe silver']);
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

describe('tools that an agent of OpenAI searches for', () => {
  async function runSearching(authInfo: AgentExportOptions['authInfo'], name: string, args: object) {
    const model = await startSearchingModel({ name, args });
    models.push(model);
    const app = await startVault();
    const { tools, namespaces } = await app.export('openai-agents', {
      deferred: true,
      authInfo: authInfo ?? guest,
    });
    const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: model.url, useResponses: true });
    const agent = new Agent({
      ...{ name: 'Helper', model: 'searching' },
      tools: [toolSearchTool(), ...tools, ...namespaces.flatMap((each) => toolNamespace(each))],
    });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    let ended = await runner.run(agent, 'Begin');
    const asked = ended.interruptions.length;
    for (const item of ended.interruptions) ended.state.approve(item);
    if (asked > 0) ended = await runner.run(agent, ended.state);
    return { said: ended.finalOutput, asked, sent: model.requests[0] };
  }

  test('are called by their namespaces, for the caller', async () => {
    const { said, asked, sent } = await runSearching(admin, 'vault_open', {});
    expect([said, asked]).toEqual(['opened for desk', 0]);
    expect(sent).toEqual([
      { type: 'tool_search' },
      {
        ...{ type: 'namespace', name: 'vault', description: 'The actions of vault' },
        tools: expect.arrayContaining([
          expect.objectContaining({ type: 'function', name: 'vault_open', defer_loading: true }),
        ]),
      },
    ]);
  });

  test('are not found where the caller may not see them, and need its approvals', async () => {
    expect(await runSearching(guest, 'vault_open', {})).toMatchObject({ said: 'nothing found' });
    const approved = await runSearching(guest, 'vault_wipe', { name: 'gold' });
    expect([approved.said, approved.asked]).toEqual(['wiped', 1]);
    expect(done).toEqual(['wipe gold']);
  });

  test('are tools of single actions', async () => {
    const app = await startVault();
    const refused = { code: 'TW_APPLICATION_OPTION' };
    const others = { deferred: true, surface: 'progressive' } as const;
    await expect(app.export('openai-agents', others)).rejects.toMatchObject(refused);
    const options = { deferred: true } as AgentExportOptions;
    await expect(app.export('ai-sdk', options)).rejects.toMatchObject(refused);
  });
});
