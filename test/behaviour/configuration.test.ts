import { afterEach, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { inspect } from 'node:util';
import {
  Action,
  ConfigModule,
  McpApplication,
  Module,
  Sensitive,
  ToolGroup,
  type ConfigOptions,
} from 'toolwright';

class Limits {
  @IsInt() perMinute!: number;
}

class Env {
  @IsInt() @Max(65_535) port = 3000;
  @IsBoolean() isVerbose = false;
  @IsString() @MinLength(12) @Sensitive() databasePassword!: string;
  @IsUrl({ require_tld: false }) serviceURL!: string;
  @IsArray() @IsString({ each: true }) allowedHosts: string[] = [];
  @IsOptional() @ValidateNested() @Type(() => Limits) limits?: Limits;
  @IsOptional() @IsString() PLAIN?: string;
}

const RIGHT = { DATABASE_PASSWORD: 'correct horse battery', SERVICE_URL: 'http://billing:8080' };
const PASSWORD = RIGHT.DATABASE_PASSWORD;

const applications: McpApplication[] = [];
afterEach(() => Promise.all(applications.splice(0).map((application) => application.close())));

function moduleWith(options: Partial<ConfigOptions<Env>>) {
  @ToolGroup('settings')
  class Settings {
    constructor(private readonly config: Env) {}
    @Action('The port') port(): number {
      return this.config.port;
    }
    @Action('Fails') fail(): string {
      throw new Error(`cannot sign in with ${this.config.databasePassword}`);
    }
  }
  @Module({ imports: [ConfigModule.forRoot({ schema: Env, ...options })], controllers: [Settings] })
  class AppModule {}
  return AppModule;
}

async function started(options: Partial<ConfigOptions<Env>>, others = {}): Promise<McpApplication> {
  const application = await McpApplication.create(moduleWith(options), others);
  applications.push(application);
  return application;
}
const textOf = async (application: McpApplication, action: string) =>
  JSON.stringify((await application.call('settings', { action })).content);

describe('a configuration', () => {
  test('is an instance of its class, made of texts', async () => {
    const application = await started({
      env: {
        ...RIGHT,
        PORT: '8080',
        IS_VERBOSE: 'yes',
        ALLOWED_HOSTS: 'a.example, b.example',
        LIMITS: '{"perMinute":5}',
        PLAIN: '42',
        UNKNOWN_TO_ALL: 'ignored',
      },
    });
    const config = application.get(Env);
    expect(config).toBeInstanceOf(Env);
    expect(Object.fromEntries(Object.entries(config))).toEqual({
      port: 8080,
      isVerbose: true,
      databasePassword: PASSWORD,
      serviceURL: 'http://billing:8080',
      allowedHosts: ['a.example', 'b.example'],
      limits: { perMinute: 5 },
      PLAIN: '42',
    });
    expect(config.limits).toBeInstanceOf(Limits);
    expect(Object.isFrozen(config)).toBe(true);
    expect(await textOf(application, 'port')).toContain('8080');
  });

  test('has its defaults where a variable is not set, or empty', async () => {
    const { port, isVerbose, allowedHosts } = (await started({ env: { ...RIGHT, PORT: '' } })).get(Env);
    expect([port, isVerbose, allowedHosts]).toEqual([3000, false, []]);
  });

  test.each([
    [{ prefix: 'APP_' }, { APP_DATABASE_PASSWORD: PASSWORD, APP_SERVICE_URL: 'http://x', APP_PORT: '1' }],
    [{ names: { port: 'HTTP_PORT' } }, { ...RIGHT, HTTP_PORT: '1', PORT: '2' }],
  ])('has names of its own: %p', async (options, env) => {
    expect((await started({ ...options, env })).get(Env).port).toBe(1);
  });

  test('comes from the environment of the process by default', async () => {
    Object.assign(process.env, { OWN_TEST_DATABASE_PASSWORD: PASSWORD, OWN_TEST_SERVICE_URL: 'http://x' });
    expect((await started({ prefix: 'OWN_TEST_' })).get(Env).serviceURL).toBe('http://x');
  });

  test('that is wrong ends the start with all that is wrong, and shows nothing sensitive', async () => {
    @Module({
      imports: [
        moduleWith({ env: { PORT: 'many', DATABASE_PASSWORD: 'hunter2', LIMITS: '{"perMinute":"x"}' } }),
      ],
    })
    class Root {}
    const failure = await McpApplication.create(Root, { pageSize: 0 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'TW_APPLICATION_INVALID' });
    const text = String(failure);
    for (const part of [
      'TW_CONFIG_INVALID: Env.port is read from PORT, which has string "many"',
      'set PORT to integer',
      'Env.databasePassword is read from DATABASE_PASSWORD, which has',
      'Env.serviceURL is read from SERVICE_URL, which is not set.',
      'Env.limits is read from LIMITS',
      'at perMinute',
      'pageSize',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('hunter2');
  });

  test('shows its secrets neither when it is printed nor as JSON, nor in errors', async () => {
    const application = await started({ env: RIGHT }, { maskErrors: false, logger: () => undefined });
    const config = application.get(Env);
    for (const shown of [inspect(config), inspect({ config }, { depth: 5 }), JSON.stringify({ config })]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(PASSWORD);
    }
    expect(JSON.parse(JSON.stringify(config))).toMatchObject({ port: 3000, databasePassword: '[redacted]' });
    const failure = await textOf(application, 'fail');
    expect(failure).toContain('cannot sign in with [redacted]');
    expect(failure).not.toContain(PASSWORD);
  });

  test('gives way to an override, and is not read then', async () => {
    const fake = Object.assign(new Env(), { port: 1 });
    const application = await started({ env: {} }, { overrides: [{ provide: Env, useValue: fake }] });
    expect(application.get(Env).port).toBe(1);
  });

  test('can be read before there is an application', async () => {
    expect((await ConfigModule.read({ schema: Env, env: { ...RIGHT, PORT: '7' } })).port).toBe(7);
    await expect(ConfigModule.read({ schema: Env, env: {} })).rejects.toThrow('SERVICE_URL');
  });

  test('refuses options that are wrong where they stand', () => {
    expect(() => ConfigModule.forRoot({ schema: {} as never })).toThrow('schema');
    expect(() => ConfigModule.forRoot({ schema: Env, prefx: 'A_' } as never)).toThrow('prefix');
  });
});
