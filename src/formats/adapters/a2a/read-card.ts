import type { PlainObject } from '../../../shared/json.ts';
import type { CanonicalProvider } from '../../canonical/canonical-provider.ts';
import type { Reading } from '../reading.ts';
import { defined } from '../tool-fields.ts';
import { readInterfaces } from './interfaces.ts';
import { readSkill } from './read-skill.ts';
import { restoreSchemas, withoutSchemas } from './schema-extension.ts';
import { readRequirements, readSchemes } from './security.ts';

/** Reads an agent card of protocol 1.0 or 0.3. */
export function readCard(reading: Reading): CanonicalProvider {
  const { conversion } = reading;
  const [name, description, version] = ['name', 'description', 'version'].map((key) =>
    requiredText(reading, key),
  );
  const supportedInterfaces = readInterfaces(reading);
  if (supportedInterfaces.length === 0) {
    conversion.fail(
      'MISSING_INTERFACES',
      '/supportedInterfaces',
      'the card does not say where the agent listens.',
    );
  }
  const capabilities = capabilitiesOf(reading);
  const schemes = reading.object('securitySchemes');
  const requirements = reading.objects('securityRequirements') ?? reading.objects('security');
  reading.value('security');
  const skills = (reading.items('skills') ?? []).map(readSkill);
  return defined({
    name,
    description,
    version,
    capabilities: withoutSchemas(capabilities),
    securitySchemes: schemes === undefined ? undefined : readSchemes(schemes),
    securityRequirements: requirements === undefined ? undefined : readRequirements(requirements),
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
