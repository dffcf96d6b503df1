import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import type { Reading } from '../reading.ts';
import { defined } from '../tool-fields.ts';
import { readRequirements } from './security.ts';
import { nameOfSkill } from './skill-id.ts';

/** Reads a skill. It says nothing about arguments but that they are an object. */
export function readSkill(reading: Reading): CanonicalTool {
  const id = reading.name('id');
  const requirements = reading.objects('securityRequirements') ?? reading.objects('security');
  reading.value('security');
  return defined({
    ...nameOfSkill(id),
    inputSchema: { type: 'object' },
    title: reading.text('name'),
    description: reading.text('description'),
    tags: reading.texts('tags'),
    examples: reading.texts('examples'),
    inputModes: reading.texts('inputModes'),
    outputModes: reading.texts('outputModes'),
    securityRequirements: requirements === undefined ? undefined : readRequirements(requirements),
    source: { format: 'a2a', extra: { skillId: id, ...reading.others } },
  });
}

/** True for a whole card, which describes an agent and not one of its skills. */
export function isCard(reading: Reading): boolean {
  return ['skills', 'supportedInterfaces', 'capabilities', 'protocolVersion'].some((key) => reading.has(key));
}
