import { createClassContract } from '../compile/contracts/create-contract.ts';
import { convertText } from '../compile/primitives/convert-text.ts';
import type { Issue } from '../call/issue.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ProblemList } from '../errors/problem-list.ts';
import { SHORTEST_SECRET } from '../errors/redact.ts';
import type { DynamicModule } from '../metadata/module-options.ts';
import { appendRecord } from '../metadata/records.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import { isClass, type Class } from '../shared/class-type.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import type { PlainObject } from '../shared/json.ts';
import { anObject, required, rule, text, type OptionRules } from '../shared/option-rules.ts';
import { environmentVariables } from '../shared/platform.ts';

/** Options of `ConfigModule.forRoot()`. */
export interface ConfigOptions<Config extends object = object> {
  /** The DTO class that is read from the environment, and injected. */
  readonly schema: Class<Config>;
  /** What the names of all variables begin with: `APP_` for `APP_DATABASE_URL`. Default: nothing. */
  readonly prefix?: string;
  /** Whole names of variables, by property. Default: `databaseUrl` is the prefix and `DATABASE_URL`. */
  readonly names?: { readonly [Name in keyof Config & string]?: string };
  /** The variables. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const CONFIG_RULES: OptionRules<ConfigOptions> = {
  schema: required(rule('a DTO class', isClass)),
  prefix: text,
  names: anObject,
  env: anObject,
};

/** The options of the factories that read a configuration, so that its problems are found before anything is constructed. */
const configurations = new WeakMap<object, ConfigOptions>();

interface ReadConfig {
  readonly config: object;
  /** The values of its @Sensitive() fields. */
  readonly secrets: readonly string[];
}

/**
 * Reads the environment into an instance of a DTO class, which every class can inject. All that is wrong with it is part of
 * the one error of a start that fails, as `TW_CONFIG_INVALID`. Values of @Sensitive() fields are registered secrets.
 *
 * @example
 * import { IsInt, IsString } from 'class-validator';
 *
 * class Env {
 *   @IsInt() port = 3000;
 *   @IsString() @Sensitive() databaseUrl!: string;
 * }
 * @Module({ imports: [ConfigModule.forRoot({ schema: Env })] })
 * class AppModule {}
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- modules are classes
export class ConfigModule {
  /** @throws ToolwrightError TW_APPLICATION_OPTION for options that are wrong, and never for variables */
  static forRoot<Config extends object>(options: ConfigOptions<Config>): DynamicModule {
    refuseOptions(
      'TW_APPLICATION_OPTION',
      'ConfigModule.forRoot()',
      options,
      CONFIG_RULES as OptionRules<object>,
    );
    const useFactory = (): Promise<Config> => ConfigModule.read(options);
    configurations.set(useFactory, options);
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: options.schema, useFactory }],
      exports: [options.schema],
    };
  }

  /**
   * Reads the same for what has to be known before there is an application.
   * @throws ApplicationError with all that is wrong
   */
  static async read<Config extends object>(options: ConfigOptions<Config>): Promise<Config> {
    refuseOptions(
      'TW_APPLICATION_OPTION',
      'ConfigModule.read()',
      options,
      CONFIG_RULES as OptionRules<object>,
    );
    const problems = new ProblemList();
    const read = await readConfig(options, problems);
    problems.throwIfAny(options.schema.name);
    return read?.config as Config;
  }
}

// What @Module() writes; decorators are for users
appendRecord(ConfigModule, { kind: 'module', options: {} });

/** Reports what is wrong with the configurations of an application. @returns what they keep secret */
export async function checkConfigs(
  application: ScannedApplication,
  problems: ProblemList,
): Promise<readonly string[]> {
  const found = findConfigurations(application);
  const read = await Promise.all(found.map((options) => readConfig(options, problems)));
  return read.flatMap((each) => each?.secrets ?? []);
}

function findConfigurations({ providers }: ScannedApplication): readonly ConfigOptions[] {
  return providers.flatMap(({ recipe }) =>
    recipe.kind === 'factory' ? (configurations.get(recipe.create) ?? []) : [],
  );
}

/** A variable of the environment that an application reads. */
export interface ConfigVariable {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: 'string' | 'number' | 'boolean';
  readonly isRequired: boolean;
  /** Whether its field is @Sensitive(). */
  readonly isSecret: boolean;
}

/** The variables of all configurations of an application, in the order of their fields. */
export function describeVariables(application: ScannedApplication): readonly ConfigVariable[] {
  return findConfigurations(application).flatMap((options) => {
    const { schema: type } = options;
    const { names, schema, redaction } = createClassContract(type, readingOptions(type));
    return names.map((name) => {
      const own = resolved(schema.properties?.[name] ?? true, schema);
      return {
        name: variableFor(name, options),
        description: typeof own === 'object' ? own.description : undefined,
        type: simpleType(own),
        isRequired: schema.required?.includes(name) === true,
        isSecret: redaction?.names.has(name) === true,
      };
    });
  });
}

/** What a person enters for it: lists and objects are written as text. */
function simpleType(schema: JsonSchema | boolean): ConfigVariable['type'] {
  const types = typesOf(schema);
  if (types.includes('boolean')) return 'boolean';
  return types.includes('number') || types.includes('integer') ? 'number' : 'string';
}

function readingOptions({ name: where }: Class): {
  readonly unknownFields: 'strict';
  readonly where: string;
} {
  return { unknownFields: 'strict', where };
}

function variableFor(property: string, { prefix = '', names = {} }: ConfigOptions): string {
  const named = (names as Readonly<Record<string, string | undefined>>)[property];
  return named ?? `${prefix}${variableName(property)}`;
}

async function readConfig(options: ConfigOptions, problems: ProblemList): Promise<ReadConfig | undefined> {
  const { schema: type, env = environmentVariables() } = options;
  try {
    const contract = createClassContract(type, readingOptions(type));
    const entries = contract.names.flatMap((name) => {
      const value = env[variableFor(name, options)];
      // Shells and compose files write an empty text for what is not set
      if (value === undefined || value === '') return [];
      return [
        [name, readVariable(value, contract.schema.properties?.[name] ?? true, contract.schema)] as const,
      ];
    });
    const input: PlainObject = Object.fromEntries(entries);
    const outcome = await contract.check(input);
    if (outcome.failure !== undefined) throw outcome.failure.error;
    if (!outcome.ok) {
      for (const issue of outcome.issues) report(options, issue, problems);
      return undefined;
    }
    const secrets = (contract.redaction?.valuesIn(input) ?? []).filter(
      ({ length }) => length >= SHORTEST_SECRET,
    );
    const toJSON = (): unknown => {
      const plain = JSON.parse(JSON.stringify({ ...outcome.value })) as PlainObject;
      return contract.redaction?.shown(plain) ?? plain;
    };
    return {
      config: Object.freeze(Object.defineProperty(outcome.value, 'toJSON', { value: toJSON })),
      secrets,
    };
  } catch (error) {
    problems.addThrown(error);
    return undefined;
  }
}

/** `databaseUrl` is `DATABASE_URL`, and `PORT` is as it is. */
function variableName(property: string): string {
  return property
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase();
}

function report(
  options: ConfigOptions,
  { path, message, expected, received = 'nothing' }: Issue,
  problems: ProblemList,
): void {
  const { schema: type } = options;
  const [name = '', ...inner] = path.split('.');
  const variable = name === '' ? 'the environment' : variableFor(name, options);
  const place = inner.length === 0 ? '' : ` at ${inner.join('.')}`;
  const isMissing = received === 'nothing' && inner.length === 0;
  problems.add('TW_CONFIG_INVALID', {
    where: name === '' ? type.name : `${type.name}.${name}`,
    what: isMissing
      ? `is read from ${variable}, which is not set.`
      : `is read from ${variable}, which has ${received}${place}: ${message}.`,
    fix: `set ${variable}${place} to ${expected ?? 'a valid value'}`,
  });
}

const FLAGS: Readonly<Record<string, boolean>> = {
  1: true,
  0: false,
  yes: true,
  no: false,
  on: true,
  off: false,
};

/** A text as what its schema asks for: a number, a flag, a list with commas, or JSON. What does not fit stays as it is. */
function readVariable(given: string, schema: JsonSchema | boolean, root: JsonSchema): unknown {
  const own = resolved(schema, root);
  const types = typesOf(own);
  const value = given.trim();
  if (types.includes('array') && !value.startsWith('[')) {
    const items = typeof own === 'object' ? (own.items ?? true) : true;
    return value.split(',').map((item) => readVariable(item.trim(), items, root));
  }
  if (types.includes('array') || types.includes('object')) return parsed(value);
  if (types.includes('string')) return given;
  const flag = types.includes('boolean') ? FLAGS[value.toLowerCase()] : undefined;
  return flag ?? convertText(value, own);
}

function resolved(schema: JsonSchema | boolean, root: JsonSchema): JsonSchema | boolean {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return schema;
  return root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? true;
}

function typesOf(schema: JsonSchema | boolean): readonly string[] {
  if (typeof schema === 'boolean') return ['string'];
  return [schema, ...(schema.anyOf ?? [])].flatMap((one) =>
    typeof one === 'boolean' ? [] : (one.type ?? []),
  );
}

/** The text itself where it is not JSON; the check says so. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
