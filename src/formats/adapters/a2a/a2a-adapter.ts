import { refuseOptions } from '../../../errors/option-errors.ts';
import type { CanonicalProvider } from '../../canonical/canonical-tool.ts';
import { toolId } from '../../canonical/ids.ts';
import { Conversion } from '../../errors.ts';
import { Losses } from '../../losses.ts';
import { createNameMap } from '../../names.ts';
import { TARGET_RULES, type FormatAdapter, type TargetOptions } from '../format-adapter.ts';
import { checkCanonical, readObject } from '../reading.ts';
import { admitted } from '../writing.ts';
import { CARD_RULES, readCard, writeCard, type CardOptions, type ConvertedCard } from './cards.ts';
import { isCard, readSkill, skillIdOf, writeSkill } from './skills.ts';

/**
 * Skills and agent cards of A2A, protocol 1.0; cards of 0.3 are read as well.
 *
 * @example
 * const provider = a2aAdapter.toCanonicalProvider(await (await fetch('https://agent.example')).json());
 * const { card } = a2aAdapter.fromCanonicalProvider(provider, { schemaExtension: true });
 */
export interface A2aAdapter extends FormatAdapter {
  /** @throws ConversionError for what is no agent card */
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
      conversion.fail(
        'AGENT_CARD_NEEDS_PROVIDER',
        '',
        'this is the card of an agent, which may have many skills.',
      );
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
