import { refuseOptions } from '../../../errors/option-errors.ts';
import { type CanonicalProvider, toolId, type CanonicalTool } from '../../canonical/canonical-tool.ts';
import { Conversion, ConversionError } from '../../errors.ts';
import { Losses, type FeatureLossWarning } from '../../losses.ts';
import { createNameMap } from '../../names.ts';
import { TARGET_RULES, type FormatAdapter, type TargetOptions } from '../format-adapter.ts';
import { checkCanonical, readObject, checkInputSize, type Reading } from '../reading.ts';
import { admitted, defined } from '../writing.ts';
import {
  isCard,
  readSkill,
  skillIdOf,
  writeSkill,
  readRequirements,
  readSchemes,
  writeRequirements,
  writeSchemes,
  addSchemas,
  restoreSchemas,
  withoutSchemas,
} from './skills.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../../shared/json.ts';
import {
  filledText,
  listOf,
  objectOf,
  required,
  text,
  trueOrFalse,
  type OptionRules,
} from '../../../shared/option-rules.ts';

/**
 * Skills and agent cards of A2A, protocol 1.0; cards of 0.3 are read as well.
 *
 * @example
 * const provider = a2aAdapter.toCanonicalProvider(await (await fetch('https://agent.example')).json());
 * const { card } = a2aAdapter.fromCanonicalProvider(provider, { schemaExtension: true });
 */
export interface A2aAdapter extends FormatAdapter {
  /** @throws ConversionError for anything but an agent card */
  toCanonicalProvider(card: unknown): CanonicalProvider;
  /** @throws ConversionError for a provider without name, description, version or interface */
  fromCanonicalProvider(provider: CanonicalProvider, options?: CardOptions): ConvertedCard;
}

/** Skills and agent cards of the Agent2Agent protocol. */
export const a2aAdapter: A2aAdapter = Object.freeze({
  name: 'a2a',
  toCanonical(raw: unknown) {
    const conversion = new Conversion('a2a', 'toCanonical');
    const reading = readObject(conversion, raw);
    if (isCard(reading)) {
      const what = 'this is the card of an agent, which may have many skills.';
      conversion.fail('AGENT_CARD_NEEDS_PROVIDER', '', what);
    }
    return readSkill(readObject(conversion, raw));
  },
  fromCanonical(tool, options: TargetOptions = {}) {
    refuseOptions('INVALID_OPTION', 'a2a fromCanonical()', options, TARGET_RULES);
    const conversion = new Conversion('a2a', 'fromCanonical');
    const checked = checkCanonical(conversion, tool);
    const losses = new Losses();
    const skill = writeSkill({ tool: checked, losses, path: '', keepsSchemas: false });
    const warnings = losses.warnings(checked.source?.format ?? 'canonical', 'a2a', 'a2a');
    const names = createNameMap([{ toolId: toolId(checked), providerName: skillIdOf(checked) }]);
    return Object.freeze({ tool: skill, warnings: admitted(warnings, options, conversion), names });
  },
  supportsFeature: () => false,
  toCanonicalProvider: (card: unknown) =>
    readCard(readObject(new Conversion('a2a', 'toCanonicalProvider'), card)),
  fromCanonicalProvider(provider, options: CardOptions = {}) {
    refuseOptions('INVALID_OPTION', 'a2a fromCanonicalProvider()', options, CARD_RULES);
    const conversion = new Conversion('a2a', 'fromCanonicalProvider');
    const losses = new Losses();
    const card = writeCard({ provider, options, conversion, losses });
    const warnings = losses.warnings(provider.source?.format ?? 'canonical', 'a2a', 'a2a');
    return Object.freeze({ card, warnings: admitted(warnings, options, conversion) });
  },
} satisfies A2aAdapter);

/** How an agent card is written. */
export interface CardOptions extends Pick<TargetOptions, 'onLoss' | 'ignore'> {
  /** Where the agent listens, in order of preference. Default: what the card was read with. */
  readonly supportedInterfaces?: readonly AgentInterface[];
  /** Put the schemas of the tools into an extension of the card, so that they are not lost. Default false. */
  readonly schemaExtension?: boolean;
}

/** One place where an agent listens. */
export interface AgentInterface {
  /** The URL at which the agent answers. */
  readonly url: string;
  /** `JSONRPC`, `GRPC` or `HTTP+JSON`. */
  readonly protocolBinding: string;
  /** The tenant that requests name; left out where there is only one. */
  readonly tenant?: string;
  /** Default `1.0`. */
  readonly protocolVersion?: string;
}

const { onLoss, ignore } = TARGET_RULES;

export const CARD_RULES: OptionRules<CardOptions> = {
  onLoss,
  ignore,
  supportedInterfaces: listOf(
    objectOf<AgentInterface>({
      url: required(filledText),
      protocolBinding: required(filledText),
      tenant: text,
      protocolVersion: text,
    }),
    "a list of interfaces: [{ url: 'https://agent.example', protocolBinding: 'JSONRPC' }]",
  ),
  schemaExtension: trueOrFalse,
};

/** An agent card, and what it lost. */
export interface ConvertedCard {
  /** The agent card. */
  readonly card: PlainObject;
  /** What the card could not carry. */
  readonly warnings: readonly FeatureLossWarning[];
}

/** Reads an agent card of protocol 1.0 or 0.3. */
function readCard(reading: Reading): CanonicalProvider {
  const { conversion } = reading;
  const [name, description, version] = ['name', 'description', 'version'].map((key) =>
    requiredText(reading, key),
  );
  const supportedInterfaces = readInterfaces(reading);
  if (supportedInterfaces.length === 0) {
    const what = 'the card does not say where the agent listens.';
    conversion.fail('MISSING_INTERFACES', '/supportedInterfaces', what);
  }
  const capabilities = capabilitiesOf(reading);
  const schemes = reading.object('securitySchemes');
  const skills = (reading.items('skills') ?? []).map(readSkill);
  return defined({
    name,
    description,
    version,
    capabilities: withoutSchemas(capabilities),
    securitySchemes: schemes === undefined ? undefined : readSchemes(schemes),
    securityRequirements: readRequirements(reading),
    defaultInputModes: reading.texts('defaultInputModes'),
    defaultOutputModes: reading.texts('defaultOutputModes'),
    skills: restoreSchemas(conversion, capabilities, skills),
    source: { format: 'a2a', extra: { supportedInterfaces, ...reading.others } },
  });
}

function requiredText(reading: Reading, key: string): string {
  const text = reading.text(key);
  if (text !== undefined && text !== '') return text;
  return reading.conversion.fail('MISSING_CARD_FIELD', reading.pointTo(key), `the card has no ${key}.`);
}

function capabilitiesOf(reading: Reading): PlainObject {
  const capabilities = reading.object('capabilities') ?? {};
  const extended = reading.flag('supportsAuthenticatedExtendedCard');
  if (extended === undefined || capabilities.extendedAgentCard !== undefined) return capabilities;
  return { ...capabilities, extendedAgentCard: extended };
}

/** The source of a card, and the place where losses are reported. */
interface CardRequest {
  readonly provider: CanonicalProvider;
  readonly options: CardOptions;
  readonly conversion: Conversion;
  readonly losses: Losses;
}

const TEXT = ['text/plain'];

/** Writes an agent card of protocol 1.0, in the order that its specification has. */
function writeCard(request: CardRequest): PlainObject {
  const { provider, options, conversion, losses } = request;
  if (!isPlainObject(provider)) return conversion.fail('INVALID_INPUT', '', 'the provider is not an object.');
  const { name, description, version } = checkTexts(request);
  const interfaces = interfacesOf(request);
  const tools = toolsOf(provider, conversion);
  const keepsSchemas = options.schemaExtension === true;
  const capabilities = provider.capabilities ?? {};
  const { supportedInterfaces: _used, ...extra } =
    provider.source?.format === 'a2a' ? provider.source.extra : {};
  return copyJson({
    name,
    description,
    supportedInterfaces: interfaces,
    version,
    capabilities: keepsSchemas ? addSchemas(capabilities, tools) : capabilities,
    ...securityOf(request),
    defaultInputModes: provider.defaultInputModes ?? TEXT,
    defaultOutputModes: provider.defaultOutputModes ?? TEXT,
    skills: tools.map((tool, position) =>
      writeSkill({ tool, losses, path: pointTo('', 'skills', position), keepsSchemas }),
    ),
    ...extra,
  });
}

function checkTexts({
  provider,
  conversion,
}: CardRequest): Record<'name' | 'description' | 'version', string> {
  const [name, description, version] = (['name', 'description', 'version'] as const).map((field) => {
    const text: unknown = provider[field];
    if (typeof text === 'string' && text !== '') return text;
    return conversion.fail('MISSING_CARD_FIELD', `/${field}`, `a card needs a ${field}.`);
  });
  return { name, description, version } as Record<'name' | 'description' | 'version', string>;
}

function interfacesOf({ provider, options, conversion }: CardRequest): readonly PlainObject[] {
  const known: unknown = options.supportedInterfaces ?? provider.source?.extra.supportedInterfaces;
  const path = '/source/extra/supportedInterfaces';
  const interfaces = Array.isArray(known) ? checkInterfaces(conversion, known, path) : [];
  if (interfaces.length > 0) return interfaces;
  return conversion.fail('MISSING_INTERFACES', path, 'a card has to say where the agent listens.');
}

/** The skills as tools that were checked, with the fault placed in the provider. */
function toolsOf({ skills = [] }: CanonicalProvider, conversion: Conversion): readonly CanonicalTool[] {
  return skills.map((tool, position) => {
    try {
      return checkCanonical(conversion, tool);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      return conversion.fail(error.code, `${pointTo('', 'skills', position)}${error.path}`, error.cause);
    }
  });
}

function securityOf({ provider, conversion, losses }: CardRequest): PlainObject {
  const { securitySchemes = {}, securityRequirements = [] } = provider;
  checkInputSize(conversion, [securitySchemes, securityRequirements, provider.capabilities], '');
  const { schemes, unknown } = writeSchemes(securitySchemes);
  for (const name of unknown) {
    const path = pointTo('', 'securitySchemes', name);
    const outcome = 'a security scheme of an unknown type was removed.';
    losses.report({ feature: 'securitySchemes', path, action: 'dropped', outcome });
  }
  return {
    ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes }),
    ...(securityRequirements.length > 0 && { securityRequirements: writeRequirements(securityRequirements) }),
  };
}

/** The interfaces of a card: those of protocol 1.0, or what 0.3 says instead. */
function readInterfaces(reading: Reading): readonly PlainObject[] {
  const version = reading.text('protocolVersion') ?? '0.3';
  const url = reading.text('url');
  const protocolBinding = reading.text('preferredTransport') ?? 'JSONRPC';
  const additional = reading.objects('additionalInterfaces') ?? [];
  const current = reading.objects('supportedInterfaces');
  if (current !== undefined && current.length > 0) {
    return checkInterfaces(reading.conversion, current, reading.pointTo('supportedInterfaces'));
  }
  const first = url === undefined ? [] : [{ url, protocolBinding, protocolVersion: version }];
  const next = additional.map(({ url: other, transport }) => ({
    url: other,
    protocolBinding: transport,
    protocolVersion: version,
  }));
  // The list may name the preferred interface once more
  const others = next.filter((each) => each.url !== url || each.protocolBinding !== protocolBinding);
  return checkInterfaces(reading.conversion, [...first, ...others], reading.pointTo('additionalInterfaces'));
}

/** Interfaces with their url, binding and version. */
function checkInterfaces(
  conversion: Conversion,
  interfaces: readonly unknown[],
  path: string,
): readonly PlainObject[] {
  return interfaces.map((each, position) => {
    if (!isPlainObject(each) || typeof each.url !== 'string' || typeof each.protocolBinding !== 'string') {
      const place = pointTo(path, position);
      return conversion.fail(
        'INVALID_INPUT',
        place,
        `${place} is not an interface with url and protocolBinding.`,
      );
    }
    const { url, protocolBinding, tenant, protocolVersion = '1.0', ...others } = each;
    return {
      url,
      protocolBinding,
      ...(tenant !== undefined && tenant !== '' && { tenant }),
      protocolVersion,
      ...others,
    };
  });
}
