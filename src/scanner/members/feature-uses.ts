import type { ProblemList } from '../../errors/problem-list.ts';
import { ownRecords, type RecordOf } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { NO_SLOTS, type Slots } from '../../shared/slots.ts';
import { reportFaults } from '../check-options.ts';
import type { ScanFacet, Use } from '../scan-facet.ts';
import { memberName } from './declared-members.ts';

/** Reports faulty options, and decorators that stand twice at one place. */
export function checkFeatureUses(type: Class, features: readonly ScanFacet[], problems: ProblemList): void {
  const seen = new Set<string>();
  for (const record of ownRecords(type, 'feature')) {
    const rule = ruleOf(record, features);
    if (rule === undefined) continue;
    const { member } = record;
    const here = problems.at(member === undefined ? type.name : memberName(type, member));
    reportFaults(rule.rule.faultsOf(record.options, ''), rule.name, here);
    const place = `${rule.name} ${here.where}`;
    if (seen.has(place) && rule.repeats !== true) {
      here.add('TW_SCAN_DECORATOR_TWICE', { what: `has ${rule.name} twice.`, fix: 'keep one of them' });
    }
    seen.add(place);
  }
}

/** The uses on methods of a class, each with the reason why only actions can have them. */
export function featureTraits(type: Class, features: readonly ScanFacet[]) {
  return ownRecords(type, 'feature').flatMap((record) => {
    const rule = ruleOf(record, features);
    const why = rule?.whyOnly;
    return why === undefined ? [] : [{ member: record.member, decorator: record.decorator, why }];
  });
}

/**
 * What features keep of an action. Faulty options are reported where they stand.
 * @param owner the class that declares the method
 * @param records the nearest first
 */
export function scanFeatures(
  owner: Class,
  records: readonly RecordOf<'feature'>[],
  features: readonly ScanFacet[] = [],
  around = NO_SLOTS,
): Slots {
  const declared = ownRecords(owner, 'feature');
  return slotsOf(features, around, (feature) =>
    records.flatMap((record): Use<never>[] => {
      const isSound =
        record.feature === feature.name &&
        ruleOf(record, [feature])?.rule.faultsOf(record.options, '').length === 0;
      const on = record.member === undefined ? 'around' : declared.includes(record) ? 'method' : 'overridden';
      return isSound ? [{ decorator: record.decorator, options: record.options as never, on }] : [];
    }),
  );
}

/** What features keep of an action. @param usesOf what is said of it to one of them, the nearest first */
export function slotsOf(
  features: readonly ScanFacet[],
  around: Slots,
  usesOf: (feature: ScanFacet) => readonly Use<never>[],
): Slots {
  const kept = features.flatMap((feature) => {
    const read = feature.readAction?.(usesOf(feature), around[feature.name]);
    return read === undefined ? [] : [[feature.name, read] as const];
  });
  return Object.freeze(Object.fromEntries(kept));
}

function ruleOf({ feature, decorator }: RecordOf<'feature'>, features: readonly ScanFacet[]) {
  const decorators = features.find(({ name }) => name === feature)?.decorators ?? [];
  return decorators.find(({ name }) => name === decorator);
}
