import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Complete,
  Injectable,
  Input,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolError,
  type CompletionContext,
} from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient, Refusal } from '../support/connections/feature-client.ts';

const CITIES: Readonly<Record<string, readonly string[]>> = {
  at: ['graz', 'linz', 'wien'],
  fr: ['lyon', 'nice', 'paris'],
};
const disposed: string[] = [];

class Trip {
  @IsString() country!: string;
  @IsString() city!: string;
  @IsString() note!: string;
}

@Injectable()
class Countries {
  readonly names = Object.keys(CITIES);
}

@Injectable({ scope: 'request' })
class Visit {
  constructor(private readonly ctx: ToolContext) {}
  get visitor(): string {
    const { visitor = 'nobody' } = this.ctx.meta;
    return String(visitor);
  }
  dispose(): void {
    disposed.push(this.visitor);
  }
}

@Injectable({ scope: 'request' })
class TripPrompts {
  constructor(
    private readonly countries: Countries,
    private readonly visit: Visit,
  ) {}

  @Prompt() plan({ country, city }: Trip): string {
    return `${city} in ${country}`;
  }

  @Complete('plan', 'country') country(value: string): readonly string[] {
    return this.countries.names.filter((name) => name.startsWith(value));
  }

  @Complete('plan', 'city') async city(value: string, context: CompletionContext): Promise<string[]> {
    const cities = CITIES[context.arguments['country'] ?? ''] ?? Object.values(CITIES).flat();
    return [...cities.filter((name) => name.startsWith(value)), `${this.visit.visitor}'s home`];
  }

  @Resource('trips://{country}/{number}', { tags: ['trips'] })
  trip(@Input() variables: Record<string, string>): object {
    return variables;
  }

  @Complete('trip', 'number') number(value: string, { call }: CompletionContext): readonly string[] {
    if (value === 'broken') throw new ToolError('NO_TRIPS', 'There are no trips');
    if (value === 'wrong') return 'text' as never;
    if (value === 'client') return [String(call.client.name)];
    return Array.from({ length: 250 }, (_, index) => String(index));
  }

  @Resource('secret://{id}', { tags: ['secret'] }) secret(): string {
    return '';
  }

  @Complete('secret', 'id') secretId(): readonly string[] {
    return ['42'];
  }
}

@Module({ controllers: [TripPrompts], providers: [Countries, Visit] })
class TripModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, TripModule, {
      exclude: ['secret'],
      logger: new MemoryLogger(),
    });
    client = await app.client();
  });
  afterAll(() => app.close());

  const PROMPT = { type: 'ref/prompt', name: 'plan' } as const;
  const TEMPLATE = { type: 'ref/resource', uri: 'trips://{country}/{number}' } as const;

  async function complete(
    ref: typeof PROMPT | typeof TEMPLATE,
    name: string,
    value: string,
    given?: Record<string, string>,
  ) {
    const context = given === undefined ? {} : { context: { arguments: given } };
    return (await client.complete({ ref, argument: { name, value }, ...context })).completion;
  }

  describe('completions', () => {
    test('are declared as a capability', () => {
      expect(client.getServerCapabilities()?.completions).toEqual({});
    });

    test('of a prompt’s argument know what was typed, and the other arguments', async () => {
      expect(await complete(PROMPT, 'country', 'a')).toEqual({ values: ['at'], total: 1, hasMore: false });
      const { values } = await complete(PROMPT, 'city', 'l', { country: 'at' });
      expect(values).toEqual(['linz', "nobody's home"]);
      expect((await complete(PROMPT, 'city', 'l')).values).toEqual(['linz', 'lyon', "nobody's home"]);
    });

    test('of a template’s variable are cut at 100, and say how many there are', async () => {
      const { values, total, hasMore } = await complete(TEMPLATE, 'number', '');
      expect([values.length, values[99], total, hasMore]).toEqual([100, '99', 250, true]);
    });

    test('know the call, and dispose what was made for it', async () => {
      expect((await complete(TEMPLATE, 'number', 'client')).values).toEqual([String(kind.clientName)]);
      disposed.length = 0;
      const argument = { name: 'city', value: 'p' };
      const { completion } = await client.complete({ ref: PROMPT, argument, _meta: { visitor: 'Ann' } });
      expect(completion.values).toEqual(['paris', "Ann's home"]);
      expect(disposed).toEqual(['Ann']);
    });

    test('of an argument without a completer are empty', async () => {
      expect(await complete(PROMPT, 'note', 'x')).toEqual({ values: [], total: 0, hasMore: false });
      expect((await complete(TEMPLATE, 'country', 'a')).values).toEqual([]);
    });
  });

  describe('a completion that cannot be given', () => {
    const refused = (ref: object, name: string, value: string): Promise<Refusal> =>
      client.refusal('completion/complete', { ref, argument: { name, value } });

    test('says that there is no such prompt or template, also for a hidden one', async () => {
      expect(await refused({ type: 'ref/prompt', name: 'pln' }, 'city', '')).toEqual({
        code: -32602,
        message: 'Unknown prompt "pln". Available: plan',
        data: { suggestion: 'plan', available: ['plan'] },
      });
      const hidden = await refused({ type: 'ref/resource', uri: 'secret://{id}' }, 'id', '');
      expect(hidden).toMatchObject({ code: -32602, data: { available: [TEMPLATE.uri] } });
    });

    test('says what the method declared, or gave instead of texts', async () => {
      expect(await refused(TEMPLATE, 'number', 'broken')).toMatchObject({
        code: -32603,
        message: '[resource trip] There are no trips',
        data: { code: 'NO_TRIPS' },
      });
      expect(await refused(TEMPLATE, 'number', 'wrong')).toMatchObject({
        code: -32603,
        message: expect.stringContaining('a completing method gives an array of strings'),
      });
    });

    test('names the parameter that is missing or of the wrong type', async () => {
      expect(await client.refusal('completion/complete', { ref: PROMPT })).toEqual({
        code: -32602,
        message: 'argument must be an object, but is missing',
      });
      expect(await refused({ type: 'ref/tool', name: 'x' }, 'a', '')).toMatchObject({ code: -32602 });
    });
  });
});
