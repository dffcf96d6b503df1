import fc from 'fast-check';

/** A rule of criteria that are made up. */
export interface Leaf {
  type: 'contains';
  value: string;
  message: string;
  condition?: { var: string };
}
export type Tree = Leaf | Tree[] | { and: Tree[] } | { or: Tree[] } | { not: Tree };

/** Whether a leaf that counts passes. */
export type Passes = (leaf: Leaf) => boolean;

/** 1 for pass, -1 for fail, 0 for skipped. */
export type Three = 1 | 0 | -1;

/** What the conditions of leaves look at. */
export const context = { on: true, off: false };

const leaf: fc.Arbitrary<Leaf> = fc
  .record({
    value: fc.constantFrom('a', 'b', 'c', 'd'),
    condition: fc.constantFrom(undefined, { var: 'on' }, { var: 'off' }),
  })
  .map(({ value, condition }) => ({
    type: 'contains',
    value,
    message: '',
    ...(condition === undefined ? {} : { condition }),
  }));

export const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const some = fc.array(tie('tree'), { minLength: 1, maxLength: 4 });
  return {
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      some.map((and) => ({ and })),
      some.map((or) => ({ or })),
      tie('tree').map((not) => ({ not })),
    ),
  };
});

/** Some of the letters that leaves look for. */
export const letters = fc.subarray(['a', 'b', 'c', 'd']).map((some) => some.join(''));

/** The rules of the specification, word by word, without any care for speed. */
export function verdict(node: Tree, passes: Passes): Three {
  if (Array.isArray(node)) return allOf(node.map((child) => verdict(child, passes)));
  if ('and' in node) return allOf(node.and.map((child) => verdict(child, passes)));
  if ('or' in node) return -allOf(node.or.map((child) => -verdict(child, passes) as Three)) as Three;
  if ('not' in node) return -verdict(node.not, passes) as Three;
  if (node.condition?.var === 'off') return 0;
  return passes(node) ? 1 : -1;
}

function allOf(verdicts: readonly Three[]): Three {
  if (verdicts.includes(-1)) return -1;
  return verdicts.includes(1) ? 1 : 0;
}

/** `<code> <pointer>` of the leaves that make a part end as it does. */
export function causes(node: Tree, passes: Passes, path = '', negated = false): string[] {
  const ended = verdict(node, passes);
  const below = (children: readonly Tree[], base: string): string[] =>
    children.flatMap((child, index) =>
      verdict(child, passes) === ended ? causes(child, passes, `${base}/${index}`, negated) : [],
    );
  if (Array.isArray(node)) return below(node, path);
  if ('and' in node) return below(node.and, `${path}/and`);
  if ('or' in node) return below(node.or, `${path}/or`);
  if ('not' in node) return causes(node.not, passes, `${path}/not`, !negated);
  return [`${negated ? 'FORBIDDEN_MATCH' : 'CONTAINS_MISSING'} ${path}`];
}

/** All leaves, in document order. */
export function leavesOf(node: Tree): Leaf[] {
  if (Array.isArray(node)) return node.flatMap(leavesOf);
  if ('and' in node) return node.and.flatMap(leavesOf);
  if ('or' in node) return node.or.flatMap(leavesOf);
  return 'not' in node ? leavesOf(node.not) : [node];
}
