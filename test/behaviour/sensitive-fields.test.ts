import { describe, expect, test } from '@jest/globals';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { Action, Module, Sensitive, ToolGroup } from 'toolwright';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

const SECRET = 'hunter2-hunter2-hunter2';

class Common {
  @IsString() @MaxLength(8) @Sensitive() apiToken!: string;
}

class Login {
  @IsString() @MaxLength(8) @Sensitive() password!: string;
}

class Count {
  @IsInt() number!: number;
}

@ToolGroup({ name: 'vault', common: Common })
class VaultTools {
  @Action('Signs in') login(_input: Login): string {
    return 'in';
  }
  @Action('Counts') count({ number }: Count): number {
    return number;
  }
}

@Module({ controllers: [VaultTools] })
class VaultModule {}

const WRONG: readonly (readonly [string, object])[] = [
  ['of an action', { action: 'login', apiToken: 'a', password: SECRET }],
  ['that all actions have in common', { action: 'count', apiToken: SECRET, number: 1 }],
  ['under a misspelt name', { action: 'login', apiToken: 'a', passwort: SECRET }],
  ['sent to another action', { action: 'count', apiToken: 'a', number: 1, password: SECRET }],
];

describe.each(CONNECTIONS)('$name', (kind) => {
  test.each(WRONG)('the value of a sensitive field %s is in no answer and in no log', async (_name, args) => {
    const logger = new MemoryLogger();
    const app = await createConnectedApplication(kind, VaultModule, { logger });
    const client = await app.client();
    const result = await client.callTool({ name: 'vault', arguments: { ...args } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).toContain('[redacted]');
    expect(JSON.stringify([result, logger.records])).not.toContain('hunter2');
    await app.close();
  });
});
