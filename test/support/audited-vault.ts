import { afterEach } from '@jest/globals';
import { IsBoolean, IsString } from 'class-validator';
import {
  Action,
  Destructive,
  Field,
  Idempotent,
  McpApplication,
  Module,
  Prompt,
  ReadOnly,
  Scopes,
  Sensitive,
  ToolContext,
  ToolError,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { InMemoryAuditStore, type AuditOptions, type AuditRecord } from 'toolwright/audit';
import { testVerifier, tokenOf, type TestCaller } from './callers.ts';
import { client2025, client2026, connectHttp } from './client-of-2026.ts';
import { MemoryLogger } from './memory-logger.ts';

export const ran: string[] = [];

class Ref {
  @IsString() @Field('Which one') id!: string;
}
class Answer {
  @IsBoolean() agreed!: boolean;
}
class Login {
  @IsString() user!: string;
  @IsString() @Sensitive() password!: string;
}

@ToolGroup({ name: 'vault' })
class Vault {
  @Action('Reads')
  @ReadOnly()
  read(input: Ref) {
    ran.push(`read ${input.id}`);
    return 'read';
  }

  @Action('Writes')
  write(input: Ref) {
    ran.push(`write ${input.id}`);
    return 'written';
  }

  @Action('Deletes')
  @Destructive()
  @Scopes('vault:delete')
  delete(input: Ref) {
    ran.push(`delete ${input.id}`);
    if (input.id === 'broken') throw new ToolError('BROKEN', 'It is broken');
    return 'deleted';
  }

  @Action('Asks, and deletes')
  @Destructive()
  async purge(input: Ref, ctx: ToolContext) {
    const { action } = await ctx.ask(Answer, 'Really?');
    ran.push(`purge ${input.id} ${action}`);
    return 'purged';
  }

  @Action('Asks a person first')
  @Destructive({ confirm: true })
  burn(input: Ref) {
    ran.push(`burn ${input.id}`);
    return 'burnt';
  }

  @Action('Runs once')
  @Destructive()
  @Idempotent({ key: 'idempotencyKey' })
  once(input: Ref) {
    ran.push(`once ${input.id}`);
    return 'done';
  }

  @Action('Signs in')
  @Destructive()
  login(input: Login) {
    ran.push(`login ${input.user}`);
    return 'in';
  }

  @Prompt('Greets')
  greet() {
    return 'hello';
  }
}

@Module({ controllers: [Vault] })
export class VaultModule {}

export const ANN: TestCaller = { sub: 'ann', clientId: 'desk', scopes: ['vault:delete'] };
export const BOB: TestCaller = { sub: 'bob', clientId: 'desk' };

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  ran.length = 0;
  for (const one of closing.splice(0).reverse()) await one.close();
});

export type Seen = Partial<AuditRecord>;

export async function vault(audit: Partial<AuditOptions> = {}, options: ApplicationOptions = {}) {
  const store = new InMemoryAuditStore();
  const logger = new MemoryLogger();
  const app = await McpApplication.create(VaultModule, {
    ...{ name: 'vault', logger, secrets: ['x'.repeat(32)] },
    auth: { resource: 'https://mcp.example/mcp', verify: testVerifier },
    audit: { store, ...audit },
    ...options,
  });
  closing.push(app);
  const { url } = await app.listen({ port: 0, signals: false });
  const connect = async (era: string, caller: TestCaller) => {
    const make = era === '2025' ? client2025 : client2026;
    const client = make({ capabilities: { elicitation: { form: {} } } });
    closing.push(client);
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept' as const,
      content: { agreed: true },
    }));
    return connectHttp(client, url, { authorization: `Bearer ${tokenOf(caller)}` });
  };
  const records = (): Seen[] =>
    store.lines
      .map((line) => JSON.parse(line) as Seen)
      .filter(({ type }) => type === 'attempt' || type === 'outcome');
  return { app, store, logger, connect, records };
}
