/** Payments that take a random time before and after their effect. Another tool says how many effects there were. */
import { setTimeout as after } from 'node:timers/promises';
import { IsString } from 'class-validator';
import { Action, Idempotent, McpApplication, Module, ToolGroup } from 'toolwright';
import { serveAttacked } from '../serve-attacked.ts';

class Payment {
  @IsString() of!: string;
}

const effects = new Map<string, number>();

@ToolGroup({ name: 'till', description: 'Takes payments', expose: 'flat' })
class Till {
  @Action('Pays')
  @Idempotent({ key: 'idempotencyKey' })
  async pay({ of }: Payment): Promise<string> {
    await after(Math.random() * 20);
    effects.set(of, (effects.get(of) ?? 0) + 1);
    await after(Math.random() * 20);
    return `paid ${of}`;
  }
  @Action('Says how many payments there were, and of how many') count(): string {
    const all = [...effects.values()].reduce((sum, each) => sum + each, 0);
    return `${String(all)} of ${String(effects.size)}`;
  }
}

@Module({ controllers: [Till] })
class Payments {}

await serveAttacked(await McpApplication.create(Payments));
