import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { CanonicalProvider } from '../../canonical/canonical-provider.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import { copyJson } from '../../canonical/copy-json.ts';
import { ConversionError } from '../../errors/conversion-error.ts';
import type { Losses } from '../../loss/losses.ts';
import type { Conversion } from '../../rewrite/conversion.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { checkCanonical } from '../check-canonical.ts';
import { checkInputSize } from '../reading.ts';
import type { CardOptions } from './card-options.ts';
import { checkInterfaces } from './interfaces.ts';
import { addSchemas } from './schema-extension.ts';
import { writeRequirements, writeSchemes } from './security.ts';
import { writeSkill } from './write-skill.ts';

/** What a card is made of, and who hears of the losses. */
export interface CardRequest {
  readonly provider: CanonicalProvider;
  readonly options: CardOptions;
  readonly conversion: Conversion;
  readonly losses: Losses;
}

const TEXT = ['text/plain'];

/** Writes an agent card of protocol 1.0, in the order that its specification has. */
export function writeCard(request: CardRequest): PlainObject {
  const { provider, options, conversion, losses } = request;
  if (!isPlainObject(provider)) return conversion.fail('INVALID_INPUT', '', 'the provider is no object.');
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
