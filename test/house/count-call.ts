import { IsInt } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { CallFiles } from './call-files.ts';
import { CALL_ROUTES } from './call-routes.ts';

class Sum {
  @IsInt() a!: number;
  @IsInt() b!: number;
}

@ToolGroup('sums')
class SumTools {
  @Action('Add two numbers') add({ a, b }: Sum): { sum: number } {
    return { sum: a + b };
  }

  @Action('Subtract a number') subtract({ a, b }: Sum): { difference: number } {
    return { difference: a - b };
  }
}

@Module({ controllers: [SumTools] })
class SumModule {}

/** The files that one warmed call passes on one route. */
export interface CallCount {
  readonly route: string;
  readonly files: readonly string[];
}

/** Calls that come first: what is made once is made by then. */
const WARM_UP = 50;

export async function countCall(): Promise<readonly CallCount[]> {
  const counts: CallCount[] = [];
  for (const { name, open } of CALL_ROUTES) {
    // An application of its own, so that nothing else runs in the meantime
    const app = await McpApplication.create(SumModule, {
      name: 'house',
      version: '1.0.0',
      logger: () => undefined,
    });
    const call = await open(app);
    const files = new CallFiles();
    await files.start();
    for (let count = 0; count < WARM_UP; count += 1) await call();
    counts.push({ route: name, files: await files.during(call) });
    files.stop();
    await app.close();
  }
  return counts;
}
