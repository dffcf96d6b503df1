import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IsString, MaxLength } from 'class-validator';
import { Action, Module, Sensitive, ToolContext, ToolGroup } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { connect2026 } from '../support/app-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

const SECRET = 'Zq9$ecret!PIN';

class Card {
  @IsString() @MaxLength(20) @Sensitive() pin!: string;
}

@ToolGroup('shop')
class ShopTools {
  @Action('Asks, and fails') async pay(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Card, 'Which card?');
    throw new Error(`cannot pay with ${JSON.stringify(answer)}`);
  }
}
@Module({ controllers: [ShopTools] })
class ShopModule {}

const logger = new MemoryLogger();
let app: TestApplication;
beforeAll(async () => {
  app = await createTestApplication(ShopModule, { logger, maskErrors: false });
});
afterAll(() => app.close());

const answering = (pin: unknown) => ({ action: 'accept', content: { pin } }) as never;
const call = { name: 'shop', arguments: { action: 'pay' } };

test.each([SECRET, `${SECRET} is much too long`])(
  'the value of a sensitive field of an answer is in no error and no log: %s',
  async (pin) => {
    const in2025 = await app.connect({ onElicitation: () => answering(pin) });
    const in2026 = await connect2026(app.app, { capabilities: { elicitation: {} } });
    in2026.setRequestHandler('elicitation/create', () => answering(pin));
    for (const client of [in2025, in2026]) {
      const result = await client.callTool(call);
      expect(result.isError).toBe(true);
      const said = inspect([result, logger.records.splice(0)], { depth: 12, maxStringLength: null });
      expect(said).not.toContain(SECRET.slice(0, 4));
      expect(said).toMatch(/\[redacted\]|is not valid|must be shorter/);
    }
    await in2026.close();
  },
);
