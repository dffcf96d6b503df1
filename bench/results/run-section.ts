import type { Section, SectionContext, SectionResult } from './section.ts';
import { evaluateTarget, type Measurement, type TargetResult } from './target.ts';
import { TARGETS } from './targets.ts';

export interface SectionReport extends Pick<SectionResult, 'reference' | 'figures'> {
  readonly name: string;
  readonly title: string;
  readonly targets: readonly TargetResult[];
  /** Why the section could not be finished. */
  readonly failure: string | undefined;
}

/** Runs a section; one that fails is reported with the reason, and its targets as not measured. */
export async function runSection(section: Section, context: SectionContext): Promise<SectionReport> {
  const { name, title } = section;
  const evaluate = (
    measure: (id: (typeof section.targets)[number]) => Measurement,
  ): readonly TargetResult[] => section.targets.map((id) => evaluateTarget(TARGETS[id], measure(id)));
  try {
    const { reference, figures, targets } = await section.run(context);
    const evaluated = evaluate((id) => targets[id] ?? { reason: 'it was not measured' });
    return { name, title, reference, figures, targets: evaluated, failure: undefined };
  } catch (error) {
    const failure = (error as Error).message;
    const targets = evaluate(() => ({ reason: `the section failed: ${failure}` }));
    return { name, title, reference: '', figures: [], targets, failure };
  }
}
