import type { ProblemList } from '../../errors/problem-list.ts';
import { classChain, ownRecords, type Mark, type RecordOf } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { NO_SLOTS, type Slots } from '../../shared/slots.ts';
import { reportFaults } from '../check-options.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import type { ScanFacet, Use } from '../scan-facet.ts';
import type { ScanOptions } from '../scan-options.ts';
import { memberName, type MethodDraft } from './declared-members.ts';

/** Reports faulty options, and decorators that stand twice at one place. */
export function checkFeatureUses(type: Class, features: readonly ScanFacet[], problems: ProblemList): void {
  const seen = new Set<string>();
  for (const record of ownRecords(type, 'feature')) {
    const rule = ruleOf(record, features);
    if (rule === undefined) continue;
    const { member } = record;
    const here = problems.at(member === undefined ? type.name : memberName(type, member));
    const [path, of] = rule.isValue === true ? [rule.name, 'it'] : ['', rule.name];
    reportFaults(rule.rule.faultsOf(record.options, path), of, here);
    const place = `${rule.name} ${here.where}`;
    if (rule.repeats !== true && seen.has(place)) {
      here.add('TW_SCAN_DECORATOR_TWICE', { what: `has ${rule.name} twice.`, fix: 'keep one of them' });
    }
    seen.add(place);
  }
}

/**
 * The uses on a class and its methods, without those of marks, which are checked like all marks; `why` only actions can
 * have them is undefined where all methods can.
 */
export function featureTraits(type: Class, features: readonly ScanFacet[]) {
  return ownRecords(type, 'feature').flatMap((record) => {
    const rule = ruleOf(record, features);
    if (rule === undefined || rule.isMark === true) return [];
    return [{ member: record.member, decorator: rule.name, why: rule.whyOnly }];
  });
}

/** The names of classes in those of places: those of a second class of the same name are others. */
export class PlaceNames {
  readonly #names = new Map<Class, string>();
  readonly #taken = new Map<string, number>();

  of(type: Class): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const count = (this.#taken.get(type.name) ?? 0) + 1;
    this.#taken.set(type.name, count);
    const name = count === 1 ? type.name : `${type.name}~${String(count)}`;
    this.#names.set(type, name);
    return name;
  }
}

interface FeatureScene {
  readonly options: Pick<ScanOptions, 'features' | 'around'>;
  readonly placeNames: PlaceNames;
}

type Reading = 'readAction' | 'readOffer';

interface MarkedMethod extends Pick<MethodDraft, 'controller' | 'owner' | 'member'> {
  readonly marks?: ReadonlySet<Mark>;
}

const NO_MARKS: ReadonlySet<Mark> = new Set();

/** What features keep of a method; `path` leads to its group, if any. Faulty options are reported where they stand. */
export function scanFeatures(
  reading: Reading,
  method: MarkedMethod,
  path: GroupPath,
  { options: { features = [], around = NO_SLOTS }, placeNames }: FeatureScene,
): Slots {
  const found = usesAround(method, path, features, placeNames);
  const usesOf = ({ name }: ScanFacet) =>
    found.flatMap(({ feature, use }) => (feature === name ? [use] : []));
  return slotsOf(reading, features, around, usesOf, method.marks);
}

interface FoundUse {
  readonly feature: string;
  readonly use: Use<never>;
}

/** The sound uses of a method and of all around it, the nearest first. An override keeps those of what it overrides. */
function usesAround(
  { controller, owner, member }: Pick<MethodDraft, 'controller' | 'owner' | 'member'>,
  path: GroupPath,
  features: readonly ScanFacet[],
  names: PlaceNames,
): readonly FoundUse[] {
  const known = new Map<RecordOf<'feature'>, FoundUse>();
  const at = (start: Class, place: string | symbol | undefined): readonly FoundUse[] =>
    classChain(start)
      .toReversed()
      .flatMap((type) => {
        const name = place === undefined ? names.of(type) : `${names.of(type)}.${String(place)}`;
        const on = place === undefined ? 'around' : type === owner ? 'method' : 'overridden';
        const own = ownRecords(type, 'feature').filter((record) => record.member === place);
        // Decorators run from the lowest to the uppermost
        return own.toReversed().flatMap((record): readonly FoundUse[] => {
          if (ruleOf(record, features)?.rule.faultsOf(record.options, '').length !== 0) return [];
          const { feature, decorator, options } = record;
          const use: Use<never> = { decorator, place: name, options: options as never, on };
          const found = known.get(record) ?? { feature, use };
          known.set(record, found);
          return [found];
        });
      });
  const types = [...path.map(({ type }) => type), controller.type];
  return [...types.flatMap((type) => at(type, undefined)), ...at(controller.type, member)].toReversed();
}

/** What features keep of a method. @param usesOf what is said of it to one of them, the nearest first */
export function slotsOf(
  reading: Reading,
  features: readonly ScanFacet[],
  around: Slots,
  usesOf: (feature: ScanFacet) => readonly Use<never>[],
  marks = NO_MARKS,
): Slots {
  const kept = features.flatMap((feature) => {
    const read = feature[reading]?.(usesOf(feature), around[feature.name], marks);
    return read === undefined ? [] : [[feature.name, read] as const];
  });
  return Object.freeze(Object.fromEntries(kept));
}

/** How features bound or end the calls of an action, prompt or resource, in words for people. */
export function inWords(
  facet: 'boundsIn' | 'endsIn',
  slots: Slots,
  features: readonly ScanFacet[] = [],
): readonly string[] {
  return features.flatMap((feature) => {
    const kept = slots[feature.name];
    return kept === undefined ? [] : (feature[facet]?.(kept) ?? []);
  });
}

function ruleOf({ feature, decorator }: RecordOf<'feature'>, features: readonly ScanFacet[]) {
  const decorators = features.find(({ name }) => name === feature)?.decorators ?? [];
  return decorators.find(({ name }) => name === decorator);
}
