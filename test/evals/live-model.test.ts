import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { startModelServer, type ModelServer } from '../../examples/agent-loop/model/model-server.ts';
import { ShopModule } from '../../examples/agent-loop/shop.module.ts';
import { liveModel, runEvals, type EvalCase } from '../../src/evals/index.ts';

/** The model of the server finds a lamp, orders `two` of it, and repairs that. */
const CASE: EvalCase = {
  name: 'two lamps',
  ask: 'Order two desk lamps',
  expect: [
    { action: 'shop.find', input: { text: 'lamp' } },
    { action: 'shop.order', input: { productId: 'lamp-1', quantity: 2 } },
  ],
  order: 'exact',
};

const NAMES = [
  ...['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'],
];
const before = NAMES.map((name) => [name, process.env[name]] as const);
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer();
  for (const name of NAMES) process.env[name] = name.endsWith('_URL') ? server.url : 'none';
  // A model on this machine needs no key
  delete process.env['OPENAI_API_KEY'];
});

afterAll(() => {
  for (const [name, value] of before)
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  server.close();
});

test.each(['openai', 'openai-responses', 'anthropic', 'gemini'])(
  'the SDK of %s asks a model, which is given results until it has ended',
  async (provider) => {
    const model = await liveModel(`${provider}/scripted`);
    const report = await runEvals(() => McpApplication.create(ShopModule, { name: 'shop' }), [CASE], {
      model,
    });
    expect(report.runs).toMatchObject([
      {
        status: 'done',
        calls: [
          { action: 'shop.find' },
          { action: 'shop.order', code: 'VALIDATION_FAILED' },
          { action: 'shop.order', input: { quantity: 2 } },
        ],
        extraCalls: 0,
      },
    ]);
  },
);

test('a provider that is not known, and one that does not answer, are errors with a fix', async () => {
  await expect(liveModel('nobody/model')).rejects.toMatchObject({ code: 'TW_EVALS_MODEL' });
  server.close();
  const model = await liveModel('openai/scripted');
  const asked = runEvals(() => McpApplication.create(ShopModule, { name: 'shop' }), [CASE], { model });
  await expect(asked).rejects.toThrow(/TW_EVALS_MODEL: The model openai\/scripted did not answer/);
  process.env['OPENAI_API_KEY'] = 'sk-test-abcdefgh';
  const respond = () => Promise.reject(new Error('boom, key sk-test-abcdefgh'));
  const leaking = runEvals(() => McpApplication.create(ShopModule, { name: 'shop' }), [CASE], {
    model: { name: 'leaking', format: 'openai', respond },
  });
  await expect(leaking).rejects.toThrow('boom, key [redacted]');
});
